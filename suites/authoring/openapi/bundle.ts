import { isObject, type JsonObject, type Text } from "../../../schemas/index.ts";
import type { DynamicScope } from "./anchors.ts";
import type { DescriptionKind } from "./kind.ts";
import type { OneSided, View } from "./one-sided.ts";
import { type SourcePlace, type Sources, valueAt } from "./source.ts";
import { type SchemaMarks, SchemaTranslator } from "./translate.ts";

/** A self-contained schema of a description, as JSON Schema 2020-12. */
export interface Bundled {
  text: Text;
  marks: SchemaMarks;
}

interface BundleOptions {
  view: View;
  /** The place to which the whole result corresponds; by default the document. */
  from?: SourcePlace | undefined;
  /** Places of the result with a `oneOf` that is written as `anyOf`. */
  loosen?: ReadonlySet<string> | undefined;
}

/** Combines schemas of a description into one. `make` receives a function that writes one of them at a JSON Pointer in the result. */
export function bundle(
  sources: Sources,
  { version }: DescriptionKind,
  make: (write: (place: SourcePlace, at: string) => JsonObject | boolean) => JsonObject | boolean,
  { view, from: start = { source: sources.root, at: "" }, loosen = new Set() }: BundleOptions,
): Bundled {
  const origins = new Map<string, SourcePlace>([["", start]]);
  const names = new Map<string, string>();
  const pendingPlaces: { place: SourcePlace; name: string; outer: OneSided; scope: DynamicScope }[] = [];
  const marks: SchemaMarks = { discriminated: [], hidden: [], loosened: [], nulled: [] };
  /** The name of the definition for a place. A place has several definitions if one-sided members or the dynamic scope differ. */
  const nameOf = (place: SourcePlace, outer: OneSided, scope: DynamicScope): string => {
    const oneSidedNames = [outer.sure, outer.perhaps].map((members) => [...members].sort());
    const scopePlaces = [...scope].map(([anchor, { source, at }]) => [anchor, source.path, at]).sort();
    const key = JSON.stringify([place.source.path, place.at, oneSidedNames, scopePlaces]);
    const knownName = names.get(key);
    if (knownName !== undefined) return knownName;
    const lastStep =
      place.at === "" ? place.source.file.replace(/^.*[/\\]|\.\w+$/g, "") : place.at.replace(/^.*\//, "");
    const stem = lastStep.replace(/[^A-Za-z0-9_-]+/g, "-") || "schema";
    const usedNames = new Set(names.values());
    let uniqueName = stem;
    for (let suffix = 2; usedNames.has(uniqueName); suffix += 1) uniqueName = `${stem}-${suffix}`;
    names.set(key, uniqueName);
    pendingPlaces.push({ place, name: uniqueName, outer, scope });
    return uniqueName;
  };
  const dialect = { isOld: version === "3.0", isDraft7: version === "3" };
  const translator = new SchemaTranslator({ sources, ...dialect, view, nameOf, marks, loosen });
  const write = (place: SourcePlace, at: string, outer?: OneSided, scope?: DynamicScope): JsonObject | boolean => {
    origins.set(at, place);
    return translator.translate(place, at, outer, scope);
  };
  const root = make(write);
  const defs: JsonObject = {};
  for (let pending = pendingPlaces.shift(); pending !== undefined; pending = pendingPlaces.shift())
    Object.defineProperty(defs, pending.name, {
      value: write(pending.place, `/$defs/${pending.name}`, pending.outer, pending.scope),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  const booleanSchema: JsonObject = root === true ? {} : { not: {} };
  const body = isObject(root) ? root : booleanSchema;
  const value = { ...body, ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }) };
  return { text: textOf(value, origins), marks };
}

/** Adds to a value the original places of its parts. A generated part has the place of the nearest original. */
function textOf(value: JsonObject, origins: ReadonlyMap<string, SourcePlace>): Text {
  const originOf = (at: string): SourcePlace & { isWritten: boolean } => {
    let originPointer = at;
    while (!origins.has(originPointer)) originPointer = originPointer.slice(0, originPointer.lastIndexOf("/"));
    const { source, at: base } = origins.get(originPointer) as SourcePlace;
    const wholePointer = at.slice(originPointer.length);
    let restPointer = wholePointer;
    while (restPointer !== "" && valueAt({ source, at: `${base}${restPointer}` }) === undefined)
      restPointer = restPointer.slice(0, restPointer.lastIndexOf("/"));
    return { source, at: `${base}${restPointer}`, isWritten: restPointer === wholePointer };
  };
  return {
    value,
    locate: (at) => {
      const { source, at: sourcePointer } = originOf(at);
      return source.text.locate(sourcePointer);
    },
    number: (at) => {
      const { source, at: sourcePointer, isWritten } = originOf(at);
      return isWritten ? source.text.number?.(sourcePointer) : undefined;
    },
    origin: (at) => {
      const { source, at: sourcePointer, isWritten } = originOf(at);
      return { file: source.file, at: sourcePointer, isWritten };
    },
  };
}
