import { isObject } from "../../../schemas/index.ts";
import { type Keyword, type Node, nodeAt } from "../../model/model.ts";
import type { Mutant, Operator } from "../mutant.ts";
import { addAlternative, type ChangedSchema, strengthen } from "../schema-edits.ts";

/** The maximum number of members of one condition that are examined. */
const maxMembers = 8;

/** Mutants of a condition: it counts as met, as not met, or as neither, if one of its members is absent. */
export const absentConditionOperator: Operator = {
  name: "absent-condition",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "if" || !isObject(raw.if)) continue;
      const condition = nodeAt(model, keyword.condition);
      for (const member of membersOf(condition).slice(0, maxMembers)) {
        if (isRequired(node, member)) continue;
        const withoutMember = { not: { required: [member] } };
        const mutant = (effect: Mutant["effect"], says: string, changed: ChangedSchema | undefined) =>
          changed === undefined
            ? []
            : [
                {
                  effect,
                  isFineGrained: true as const,
                  isTriedEarly: true as const,
                  site: keyword.site,
                  keyword: "if",
                  says,
                  ...changed,
                },
              ];
        yield* mutant(
          "other",
          `the condition is met without ${member}`,
          addAlternative(condition, raw.if, withoutMember, model),
        );
        yield* mutant(
          "other",
          `the condition is not met without ${member}`,
          strengthen(condition, raw.if, { required: [member] }),
        );
        if (keyword.then === undefined || keyword.else === undefined) continue;
        const branches = [
          [raw.then, nodeAt(model, keyword.then)],
          [raw.else, nodeAt(model, keyword.else)],
        ] as const;
        const changedBranches = branches.map(([branchSchema, branch]) =>
          isObject(branchSchema)
            ? addAlternative(branch, branchSchema, withoutMember, model)
            : { edits: [], nodes: [] },
        );
        yield* mutant("weaker", `neither then nor else is followed without ${member}`, combineChanges(changedBranches));
      }
    }
  },
};

/** Lists the members that a condition names. */
function membersOf({ keywords }: Node): string[] {
  const names = keywords.flatMap((keyword: Keyword) => {
    if (keyword.kind === "properties") return keyword.entries.map(([name]) => name);
    return keyword.kind === "required" ? keyword.names : [];
  });
  return [...new Set(names)];
}

/** Whether the schema with the conditional requires the member anyway. */
function isRequired({ keywords }: Node, member: string): boolean {
  return keywords.some((keyword) => keyword.kind === "required" && keyword.names.includes(member));
}

/** Combines changes; undefined if one of them cannot be made. */
function combineChanges(changes: readonly (ChangedSchema | undefined)[]): ChangedSchema | undefined {
  const completeChanges = changes.filter((change) => change !== undefined);
  if (completeChanges.length < changes.length) return undefined;
  return { edits: completeChanges.flatMap(({ edits }) => edits), nodes: completeChanges.flatMap(({ nodes }) => nodes) };
}
