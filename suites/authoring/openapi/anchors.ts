import { isObject, type Json, pointer } from "../../../schemas/index.ts";
import type { SourceFile, SourcePlace } from "./place.ts";

/** The places of named schemas in a file, and its resources (JSON Schema 2020-12, Core 8.2.1 and 8.2.2). */
interface AnchorMarks {
  /** The places of all `$id`, as written and as resolved: the first of each. */
  ids: ReadonlyMap<string, string>;
  /** The resources, by pointer; the file itself is one. */
  resources: ReadonlyMap<string, AnchoredResource>;
  /** The places of all anchors in the file: the first of each. */
  anchors: ReadonlyMap<string, string>;
}

interface AnchoredResource {
  uri: string;
  anchors: Map<string, string>;
  /** The places of each `$dynamicAnchor`. A name with more than one place is a fault of the document. */
  dynamic: Map<string, string[]>;
}

const marksByFile = new WeakMap<SourceFile, AnchorMarks>();
/** No document has this address. It only serves to resolve relative references. */
const baseAddress = "touchstone-file:///";

function marksOf(source: SourceFile): AnchorMarks {
  const cached = marksByFile.get(source);
  if (cached !== undefined) return cached;
  const anchors = new Map<string, string>();
  const ids = new Map<string, string>();
  const rootResource: AnchoredResource = { uri: baseAddress, anchors: new Map(), dynamic: new Map() };
  const resources = new Map([["", rootResource]]);
  const pending: { value: Json; at: string; within: AnchoredResource }[] = [
    { value: source.text.value, at: "", within: rootResource },
  ];
  for (const { value, at, within } of pending) {
    if (typeof value !== "object" || value === null) continue;
    const { $anchor, $dynamicAnchor, $id } = isObject(value) ? value : {};
    let resource = within;
    if (typeof $id === "string") {
      resource = { uri: resolveId($id, within.uri), anchors: new Map(), dynamic: new Map() };
      resources.set(at, resource);
      for (const id of [$id, resource.uri]) setFirst(ids, id, at);
    }
    for (const name of [$anchor, $dynamicAnchor].filter((anchor) => typeof anchor === "string"))
      for (const names of [anchors, resource.anchors]) setFirst(names, name, at);
    if (typeof $dynamicAnchor === "string")
      resource.dynamic.set($dynamicAnchor, [...(resource.dynamic.get($dynamicAnchor) ?? []), at]);
    for (const [name, child] of Object.entries(value))
      pending.push({ value: child, at: pointer.append(at, name), within: resource });
  }
  const marks = { anchors, ids, resources };
  marksByFile.set(source, marks);
  return marks;
}

function setFirst(names: Map<string, string>, name: string, at: string): void {
  if (!names.has(name)) names.set(name, at);
}

function resolveId(id: string, base: string): string {
  return URL.canParse(id, base) ? new URL(id, base).href.replace(/#$/, "") : id;
}

/** The pointer to the resource that contains a place. */
export function resourceAt({ source, at }: SourcePlace): string {
  const { resources } = marksOf(source);
  let resourcePointer = at;
  while (!resources.has(resourcePointer)) resourcePointer = resourcePointer.slice(0, resourcePointer.lastIndexOf("/"));
  return resourcePointer;
}

/** The schema with an `$anchor`: in the resource of a place, or else the first in its file. */
export function schemaAtAnchor(place: SourcePlace, name: string): string | undefined {
  const { anchors, resources } = marksOf(place.source);
  return resources.get(resourceAt(place))?.anchors.get(name) ?? anchors.get(name);
}

/** The schema with an `$id` that equals the reference, either as written or as resolved at its place. */
export function schemaWithId(place: SourcePlace, name: string): string | undefined {
  const { ids, resources } = marksOf(place.source);
  return ids.get(name) ?? ids.get(resolveId(name, resources.get(resourceAt(place))?.uri ?? baseAddress));
}

/** All places of each `$dynamicAnchor` name in the resource of a place. */
export function dynamicAnchorsAt(place: SourcePlace): ReadonlyMap<string, readonly string[]> {
  return marksOf(place.source).resources.get(resourceAt(place))?.dynamic ?? new Map();
}

/** The schemas on the path to which a `$dynamicRef` may lead, by name: the first of each name (Core 8.2.3.2). */
export type DynamicScope = ReadonlyMap<string, SourcePlace>;

export const noScope: DynamicScope = new Map();

/** The scope at a place that is reached from another scope. A name that a resource has twice is left out, because either place could be meant. */
export function scopeAt(place: SourcePlace, outerScope: DynamicScope): DynamicScope {
  const newAnchors = [...dynamicAnchorsAt(place)].flatMap(([name, [at, ...otherPlaces]]): [string, SourcePlace][] =>
    at === undefined || otherPlaces.length > 0 || outerScope.has(name) ? [] : [[name, { source: place.source, at }]],
  );
  return newAnchors.length === 0 ? outerScope : new Map([...outerScope, ...newAnchors]);
}
