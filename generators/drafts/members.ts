import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Passage } from "../keywords/handler.ts";
import { handlerOf, subschemasOf } from "../keywords/table.ts";
import { type EvaluationStep, type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";

/** Lists members that the schema and others for the same object declare, on any branch, with the first schema of each. */
export function declaredMembers(
  model: Model,
  location: Location,
  seen: ReadonlySet<Location> = new Set(),
): Map<string, Location> {
  const members = new Map<string, Location>();
  if (seen.has(location)) return members;
  const seenWithThis = new Set(seen).add(location);
  for (const keyword of nodeAt(model, location).keywords) {
    const declared =
      keyword.kind === "properties"
        ? keyword.entries
        : passagesInPlace(keyword).flatMap(({ node }) => [...declaredMembers(model, node, seenWithThis)]);
    for (const [name, node] of declared) if (!members.has(name)) members.set(name, node);
  }
  return members;
}

/** Lists schemas that a keyword applies to the same value, on any branch. The target of a dynamic reference is unknown here. */
function passagesInPlace(keyword: Keyword): Passage[] {
  return handlerOf(keyword).inPlace && keyword.kind !== "dynamicRef" ? subschemasOf(keyword, ({ node }) => node) : [];
}

/** Lists members that only other branches on the path to a place declare, with their schemas in those branches. */
export function foreignMembers(model: Model, place: EvaluationPlace): Map<string, Location> {
  const ownMembers = declaredMembers(model, place.node);
  const members = new Map<string, Location>();
  for (const step of [...place.steps].reverse()) {
    if (!handlerOf(step).inPlace) break;
    const keyword = nodeAt(model, step.node).keywords.find(
      ({ site, kind }) => site === step.site && kind === step.kind,
    );
    if (keyword === undefined) continue;
    for (const node of otherChildren(keyword, step.key))
      for (const [name, declared] of declaredMembers(model, node))
        if (!ownMembers.has(name) && !members.has(name)) members.set(name, declared);
  }
  return members;
}

const choosingKeywords: ReadonlySet<Keyword["kind"]> = new Set(["if", "oneOf", "anyOf", "allOf"] as const);

/** Lists the branches other than the chosen one. Branches of `allOf` count because each may have its own condition. */
function otherChildren(keyword: Keyword, chosen: EvaluationStep["key"]): Location[] {
  return choosingKeywords.has(keyword.kind)
    ? passagesInPlace(keyword).flatMap(({ node, key }) => (key === chosen ? [] : [node]))
    : [];
}
