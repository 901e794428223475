import { equal, isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { type KeywordOf, type Location, type Model, type Node, nodeAt } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { FoundMutant, Operator } from "../mutant.ts";
import { addAlternative } from "../schema-edits.ts";
import { valuesOf } from "./enum.ts";

/** The maximum number of values of a list that are tried. */
const maxValues = 20;

/** A conditional that is not followed, always followed, or followed the wrong way round. */
export const condition: Operator = {
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
      const old = nodeAt(model, keyword.condition);
      const always: Node = { ...old, always: true, keywords: [] };
      yield {
        effect: "other",
        site: keyword.site,
        keyword: "if",
        says: "the condition is always met",
        edits: [{ at: keyword.site, value: true }],
        nodes: [always],
      };
      const inner = unusedLocation(model, `${keyword.condition}/not`);
      const negated: Node = {
        location: old.location,
        resource: old.resource,
        keywords: [{ kind: "not", site: inner, node: inner }],
      };
      yield {
        effect: "other",
        site: keyword.site,
        keyword: "if",
        says: "the condition is negated",
        edits: [{ at: keyword.site, value: { not: raw.if as Json } }],
        nodes: [negated, { ...old, location: inner }],
      };
      yield* exemptValues(node, keyword, model, raw);
    }
  },
};

/** A branch of the condition is not followed for one value of the member that the condition concerns. */
function* exemptValues(node: Node, keyword: KeywordOf<"if">, model: Model, raw: JsonObject): Generator<FoundMutant> {
  for (const [name, memberSchema] of declaredMembers(nodeAt(model, keyword.condition))) {
    const valuesThatMeet = listsOf(nodeAt(model, memberSchema)).flatMap(valuesOf);
    const beside = [node, ...nodesAround(node, model)].flatMap(declaredMembers);
    const own = beside.find(([other]) => other === name)?.[1];
    const known = own === undefined ? [] : listsOf(nodeAt(model, own)).flatMap(valuesOf);
    const isMet = (value: Json): boolean => valuesThatMeet.some((each) => equal(each, value));
    const values = {
      then: valuesThatMeet,
      else: valuesThatMeet.length === 0 ? [] : known.filter((value) => !isMet(value)),
    };
    for (const side of ["then", "else"] as const) {
      const [to, written] = [keyword[side], raw[side]];
      // With only one value, it would be the whole branch.
      if (to !== `${node.location}/${side}` || !isObject(written) || values[side].length < 2) continue;
      for (const value of values[side].slice(0, maxValues)) {
        const extra = { properties: { [name]: { enum: [value] } }, required: [name] };
        const changed = addAlternative(nodeAt(model, to), written, extra, model);
        const says = `${side} is not followed when ${name} is ${JSON.stringify(value)}`;
        if (changed !== undefined) yield { effect: "weaker", single: true, site: to, keyword: side, says, ...changed };
      }
    }
  }
}

/** The schemas with this one as a branch of `allOf`. */
function nodesAround({ location }: Node, { nodes }: Model): Node[] {
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

/** The location, or one below it that is free in the model: a condition may itself be a negation. */
function unusedLocation({ nodes }: Model, location: Location): Location {
  let free = location;
  while (nodes.has(free)) free += "/not";
  return free;
}
