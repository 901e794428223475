import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import type { TestedElsewhere } from "../drafts/other-documents.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import type { MemberPlace } from "./confusion.ts";

/** A member of a message, or the object that may get it. */
export interface Occurrence {
  place: MemberPlace;
  /** JSON Pointer to the object. */
  at: string;
}

/** Lists the members that the schemas of a model declare, by site. Schemas in `elsewhere` are left out. */
export function memberPlaces(model: Model, elsewhere: TestedElsewhere = new Set()): Map<string, MemberPlace> {
  const memberPlacesBySite = new Map<string, MemberPlace>();
  for (const node of model.nodes.values()) {
    if (elsewhere.has(node.location, node.resource)) continue;
    for (const keyword of node.keywords) {
      if (keyword.kind !== "properties") continue;
      for (const [name, memberLocation] of keyword.entries) {
        if (nodeAt(model, memberLocation).always !== undefined) continue;
        const nodes = [...nodesAppliedWith(model, memberLocation)];
        const types = new Set(nodes.flatMap((each) => typesOf(each)));
        // A schema without a type only narrows a member that is declared elsewhere.
        if (types.size === 0) continue;
        const patterns = nodes.flatMap(({ keywords }) =>
          keywords.flatMap((each) => (each.kind === "pattern" ? [each.source] : [])),
        );
        const site = memberLocation;
        if (!memberPlacesBySite.has(site)) memberPlacesBySite.set(site, { site, name, types, patterns });
      }
    }
  }
  return memberPlacesBySite;
}

function typesOf({ keywords }: Node): string[] {
  return keywords.flatMap((keyword) => {
    if (keyword.kind === "type") return keyword.types;
    if (keyword.kind === "const") return [typeName(keyword.value)];
    return keyword.kind === "enum" ? keyword.values.map(typeName) : [];
  });
}

function typeName(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** Yields a schema and all others that apply to the same value. */
function* nodesAppliedWith(model: Model, location: Location, seen = new Set<Location>()): Generator<Node> {
  if (seen.has(location)) return;
  seen.add(location);
  const node = nodeAt(model, location);
  yield node;
  for (const keyword of node.keywords) {
    if (keyword.kind === "ref") yield* nodesAppliedWith(model, keyword.node, seen);
    if (keyword.kind === "allOf" || keyword.kind === "anyOf" || keyword.kind === "oneOf")
      for (const each of keyword.nodes) yield* nodesAppliedWith(model, each, seen);
  }
}

/** Lists the places of the declared members in a message, whether they are present or not, by site. */
export function occurrences(
  model: Model,
  data: Json,
  places: ReadonlyMap<string, MemberPlace>,
): Map<string, Occurrence[]> {
  const occurrencesBySite = new Map<string, Occurrence[]>();
  const seenKeys = new Set<string>();
  const { effort: _, ...unlimited } = model;
  isValid(unlimited, data, {
    observe: (keyword, at, value) => {
      if (keyword.kind !== "properties" || !isObject(value)) return;
      for (const [, node] of keyword.entries) {
        const place = places.get(node);
        const key = `${node} ${at}`;
        if (place === undefined || seenKeys.has(key)) continue;
        seenKeys.add(key);
        occurrencesBySite.set(node, [...(occurrencesBySite.get(node) ?? []), { place, at }]);
      }
    },
  });
  return occurrencesBySite;
}

/** Replaces the object at a location of a message. */
export function withObjects(data: Json, at: string, object: JsonObject): Json {
  if (at === "") return object;
  const steps = at
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return putAtPath(data, steps, object);
}

function putAtPath(value: Json, [step, ...rest]: readonly string[], object: JsonObject): Json {
  if (step === undefined) return object;
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === step ? putAtPath(each, rest, object) : each));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === step ? putAtPath(each as Json, rest, object) : each]),
  ) as JsonObject;
}
