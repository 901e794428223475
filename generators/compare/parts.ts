import { handlerOf } from "../keywords/table.ts";
import type { Keyword, Location, Node } from "../model/model.ts";
import { contentOf } from "./schema-contents.ts";

/** Whether an old schema is known to imply a new one: they are equal, or the implication is assumed. */
export type IsWithin = (old: Location, newer: Location) => boolean;

/** Finds the assertions of a new schema that no keyword of the old one implies. A value that the old schema accepts violates the new one exactly if it violates one of these. Undefined if they cannot be checked separately. */
export function findUncoveredParts(
  old: Node,
  newer: Node,
  isWithin: IsWithin,
  isAlike: IsWithin,
): Keyword[] | undefined {
  if (old.always !== undefined || newer.always !== undefined || newer.marks) return undefined;
  return newer.keywords
    .flatMap(splitKeyword)
    .filter((keyword) => !old.keywords.some((oldKeyword) => implies(oldKeyword, keyword, isWithin, isAlike)));
}

/** Splits a keyword into several that together are equivalent to it. */
function splitKeyword(keyword: Keyword): Keyword[] {
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

/** Keywords that still hold if their subschemas accept more values. */
const monotonicKeywords: ReadonlySet<Keyword["kind"]> = new Set([
  "ref",
  "items",
  "prefixItems",
  "patternProperties",
  "additionalProperties",
  "propertyNames",
  "anyOf",
]);

/** Whether an old keyword implies a part of a new one for the same value. */
function implies(old: Keyword, part: Keyword, isWithin: IsWithin, isAlike: IsWithin): boolean {
  if (old.kind !== part.kind) return false;
  if (part.kind === "required" && old.kind === "required") return part.names.every((name) => old.names.includes(name));
  if (
    (part.kind === "properties" && old.kind === "properties") ||
    (part.kind === "dependentSchemas" && old.kind === "dependentSchemas")
  )
    return part.entries.every(([name, newNode]) =>
      old.entries.some(([oldName, oldNode]) => name === oldName && isWithin(oldNode, newNode)),
    );
  if (part.kind === "allOf" && old.kind === "allOf")
    return part.nodes.every((newNode) => old.nodes.some((oldNode) => isWithin(oldNode, newNode)));
  if (part.kind === "anyOf" && old.kind === "anyOf")
    return old.nodes.every((oldNode) => part.nodes.some((newNode) => isWithin(oldNode, newNode)));
  if (handlerOf(part).dependsOnOthers || contentOf(old).text !== contentOf(part).text) return false;
  const [oldChildren, newChildren] = [contentOf(old).children, contentOf(part).children];
  const corresponds = monotonicKeywords.has(part.kind) ? isWithin : isAlike;
  return contentOf(part).isUnordered
    ? isSameChoice(oldChildren, newChildren, isAlike)
    : oldChildren.every((oldNode, index) => corresponds(oldNode, newChildren[index] as Location));
}

function isSameChoice(oldChildren: readonly Location[], newChildren: readonly Location[], isAlike: IsWithin): boolean {
  const remaining = [...newChildren];
  for (const oldNode of oldChildren) {
    const index = remaining.findIndex((newNode) => isAlike(oldNode, newNode));
    if (index === -1) return false;
    remaining.splice(index, 1);
  }
  return remaining.length === 0;
}
