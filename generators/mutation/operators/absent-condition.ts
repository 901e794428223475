import { isObject } from "../../../schemas/index.ts";
import { type Keyword, type Node, nodeAt } from "../../model/model.ts";
import type { Mutant, Operator } from "../mutant.ts";
import { addAlternative, type ChangedSchema, strengthen } from "../schema-edits.ts";

/** The maximum number of members of one condition that are examined. */
const maxMembers = 8;

/** A condition that counts as met, as not met, or as neither, if one of its members is absent. */
export const absentConditionOperator: Operator = {
  name: "absent-condition",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "if" || !isObject(raw.if)) continue;
      const condition = nodeAt(model, keyword.condition);
      for (const member of membersOf(condition).slice(0, maxMembers)) {
        if (isRequired(node, member)) continue;
        const lacking = { not: { required: [member] } };
        const mutant = (effect: Mutant["effect"], says: string, changed: ChangedSchema | undefined) =>
          changed === undefined
            ? []
            : [
                {
                  effect,
                  fine: true as const,
                  soon: true as const,
                  site: keyword.site,
                  keyword: "if",
                  says,
                  ...changed,
                },
              ];
        yield* mutant(
          "other",
          `the condition is met without ${member}`,
          addAlternative(condition, raw.if, lacking, model),
        );
        yield* mutant(
          "other",
          `the condition is not met without ${member}`,
          strengthen(condition, raw.if, { required: [member] }),
        );
        if (keyword.then === undefined || keyword.else === undefined) continue;
        const sides = [
          [raw.then, nodeAt(model, keyword.then)],
          [raw.else, nodeAt(model, keyword.else)],
        ] as const;
        const changed = sides.map(([written, side]) =>
          isObject(written) ? addAlternative(side, written, lacking, model) : { edits: [], nodes: [] },
        );
        yield* mutant("weaker", `neither then nor else is followed without ${member}`, combineChanges(changed));
      }
    }
  },
};

/** The members that a condition itself concerns. */
function membersOf({ keywords }: Node): string[] {
  const names = keywords.flatMap((keyword: Keyword) => {
    if (keyword.kind === "properties") return keyword.entries.map(([name]) => name);
    return keyword.kind === "required" ? keyword.names : [];
  });
  return [...new Set(names)];
}

/** Whether a member cannot be absent from an object with the conditional. */
function isRequired({ keywords }: Node, member: string): boolean {
  return keywords.some((keyword) => keyword.kind === "required" && keyword.names.includes(member));
}

/** Several changes at once; undefined if one of them cannot be made. */
function combineChanges(all: readonly (ChangedSchema | undefined)[]): ChangedSchema | undefined {
  const possible = all.filter((each) => each !== undefined);
  if (possible.length < all.length) return undefined;
  return { edits: possible.flatMap(({ edits }) => edits), nodes: possible.flatMap(({ nodes }) => nodes) };
}
