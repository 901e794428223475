import { handlerOf } from "../keywords/table.ts";
import type { Keyword, Location, Node } from "../model/model.ts";
import { contentOf } from "./schema-contents.ts";

/** Whether an old schema implies a new one, as far as known: both are equal, or it is assumed. */
export type IsWithin = (old: Location, young: Location) => boolean;

/**
 * The assertions of a new schema that may refuse a value of the old one, and so must be checked: all that the old schema does not have as well. A
 * schema is broken if one of them is. Undefined if they cannot be checked one by one.
 */
export function openParts(old: Node, young: Node, isWithin: IsWithin, isAlike: IsWithin): Keyword[] | undefined {
  if (old.always !== undefined || young.always !== undefined || young.marks) return undefined;
  return young.keywords
    .flatMap(split)
    .filter((keyword) => !old.keywords.some((each) => implies(each, keyword, isWithin, isAlike)));
}

/** A keyword as several that together say the same. */
function split(keyword: Keyword): Keyword[] {
  switch (keyword.kind) {
    case "required":
      return keyword.names.map((name) => ({ ...keyword, names: [name] }));
    case "properties":
    case "dependentSchemas":
      return keyword.entries.map((entry) => ({ ...keyword, entries: [entry] }));
    case "allOf":
      return keyword.nodes.map((node) => ({ ...keyword, nodes: [node] }));
    default:
      return [keyword];
  }
}

/** Keywords that hold where their schemas accept more. */
const growing: ReadonlySet<Keyword["kind"]> = new Set([
  ...(["ref", "items", "prefixItems", "patternProperties", "additionalProperties", "propertyNames"] as const),
  "anyOf",
]);

/** Whether one keyword implies a part of another, both on the same value. */
function implies(old: Keyword, part: Keyword, isWithin: IsWithin, isAlike: IsWithin): boolean {
  if (old.kind !== part.kind) return false;
  if (part.kind === "required" && old.kind === "required") return part.names.every((name) => old.names.includes(name));
  if (
    (part.kind === "properties" && old.kind === "properties") ||
    (part.kind === "dependentSchemas" && old.kind === "dependentSchemas")
  )
    return part.entries.every(([name, to]) =>
      old.entries.some(([other, from]) => name === other && isWithin(from, to)),
    );
  if (part.kind === "allOf" && old.kind === "allOf")
    return part.nodes.every((to) => old.nodes.some((from) => isWithin(from, to)));
  if (part.kind === "anyOf" && old.kind === "anyOf")
    return old.nodes.every((from) => part.nodes.some((to) => isWithin(from, to)));
  if (handlerOf(part).asksOthers || contentOf(old).text !== contentOf(part).text) return false;
  const [froms, tos] = [contentOf(old).children, contentOf(part).children];
  const isEach = growing.has(part.kind) ? isWithin : isAlike;
  return contentOf(part).isUnordered
    ? isSameChoice(froms, tos, isAlike)
    : froms.every((from, index) => isEach(from, tos[index] as Location));
}

function isSameChoice(froms: readonly Location[], tos: readonly Location[], isAlike: IsWithin): boolean {
  const left = [...tos];
  for (const from of froms) {
    const index = left.findIndex((to) => isAlike(from, to));
    if (index === -1) return false;
    left.splice(index, 1);
  }
  return left.length === 0;
}
