import { equal, isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { type KeywordOf, type Location, type Model, type Node, nodeAt } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator, UnnamedMutant } from "../mutant.ts";
import { addAlternative } from "../schema-edits.ts";
import { valuesOf } from "./enum.ts";

/** The maximum number of values that are exempted from one branch. */
const maxValues = 20;

/** Mutants of a conditional: `then` or `else` is ignored, and the condition is always met or negated. */
export const conditionOperator: Operator = {
  name: "condition",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "if") continue;
      for (const side of ["then", "else"] as const) {
        if (keyword[side] === undefined) continue;
        const { [side]: _dropped, ...rest } = keyword;
        yield {
          effect: "weaker",
          site: `${node.location}/${side}`,
          keyword: side,
          says: `${side} is not followed`,
          edits: [{ at: `${node.location}/${side}` }],
          nodes: [withKeyword(node, keyword, rest)],
        };
      }
      const condition = nodeAt(model, keyword.condition);
      const alwaysMet: Node = { ...condition, always: true, keywords: [] };
      yield {
        effect: "other",
        site: keyword.site,
        keyword: "if",
        says: "the condition is always met",
        edits: [{ at: keyword.site, value: true }],
        nodes: [alwaysMet],
      };
      const innerLocation = unusedLocation(model, `${keyword.condition}/not`);
      const negated: Node = {
        location: condition.location,
        resource: condition.resource,
        keywords: [{ kind: "not", site: innerLocation, node: innerLocation }],
      };
      yield {
        effect: "other",
        site: keyword.site,
        keyword: "if",
        says: "the condition is negated",
        edits: [{ at: keyword.site, value: { not: raw.if as Json } }],
        nodes: [negated, { ...condition, location: innerLocation }],
      };
      yield* exemptValues(node, keyword, model, raw);
    }
  },
};

/** Ignores `then` or `else` for one value of the member that the condition tests. */
function* exemptValues(node: Node, keyword: KeywordOf<"if">, model: Model, raw: JsonObject): Generator<UnnamedMutant> {
  for (const [name, memberSchema] of declaredMembers(nodeAt(model, keyword.condition))) {
    const metValues = listsOf(nodeAt(model, memberSchema)).flatMap(valuesOf);
    const declaredHere = [node, ...parentNodes(node, model)].flatMap(declaredMembers);
    const memberLocation = declaredHere.find(([memberName]) => memberName === name)?.[1];
    const allowedValues = memberLocation === undefined ? [] : listsOf(nodeAt(model, memberLocation)).flatMap(valuesOf);
    const meetsCondition = (value: Json): boolean => metValues.some((metValue) => equal(metValue, value));
    const values = {
      then: metValues,
      else: metValues.length === 0 ? [] : allowedValues.filter((value) => !meetsCondition(value)),
    };
    for (const side of ["then", "else"] as const) {
      const [branch, branchSchema] = [keyword[side], raw[side]];
      // With only one value, this would be the whole branch.
      if (branch !== `${node.location}/${side}` || !isObject(branchSchema) || values[side].length < 2) continue;
      for (const value of values[side].slice(0, maxValues)) {
        const extra = { properties: { [name]: { enum: [value] } }, required: [name] };
        const changed = addAlternative(nodeAt(model, branch), branchSchema, extra, model);
        const says = `${side} is not followed when ${name} is ${JSON.stringify(value)}`;
        if (changed !== undefined)
          yield { effect: "weaker", needsOneKill: true, site: branch, keyword: side, says, ...changed };
      }
    }
  }
}

/** Lists the schemas that have this one as a branch of `allOf`. */
function parentNodes({ location }: Node, { nodes }: Model): Node[] {
  return [...nodes.values()].filter(({ keywords }) =>
    keywords.some((keyword) => keyword.kind === "allOf" && keyword.nodes.includes(location)),
  );
}

function declaredMembers({ keywords }: Node): [name: string, node: Location][] {
  return keywords.flatMap((keyword) => (keyword.kind === "properties" ? keyword.entries : []));
}

function listsOf({ keywords }: Node): KeywordOf<"enum" | "const">[] {
  return keywords.filter((keyword) => keyword.kind === "enum" || keyword.kind === "const");
}

/** Returns the location, or an unused one below it. A condition may already be a negation. */
function unusedLocation({ nodes }: Model, location: Location): Location {
  let unused = location;
  while (nodes.has(unused)) unused += "/not";
  return unused;
}
