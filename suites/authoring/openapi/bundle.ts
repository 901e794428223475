import { isObject, type JsonObject, type Text } from "../../../schemas/index.ts";
import type { DynamicScope } from "./anchors.ts";
import type { DescriptionKind } from "./kind.ts";
import type { OneSided, View } from "./one-sided.ts";
import { type SourcePlace, type Sources, valueAt } from "./source.ts";
import { createTranslator, type SchemaMarks } from "./translate.ts";

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

/** Combines schemas of a description into one. `make` gets a function that writes one of them, at its JSON Pointer in the result. */
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
  const name = (place: SourcePlace, outer: OneSided, scope: DynamicScope): string => {
    const around = [outer.sure, outer.perhaps].map((each) => [...each].sort());
    const on = [...scope].map(([each, { source, at }]) => [each, source.path, at]).sort();
    const key = JSON.stringify([place.source.path, place.at, around, on]);
    const before = names.get(key);
    if (before !== undefined) return before;
    const last = place.at === "" ? place.source.file.replace(/^.*[/\\]|\.\w+$/g, "") : place.at.replace(/^.*\//, "");
    const stem = last.replace(/[^A-Za-z0-9_-]+/g, "-") || "schema";
    const usedNames = new Set(names.values());
    let own = stem;
    for (let number = 2; usedNames.has(own); number += 1) own = `${stem}-${number}`;
    names.set(key, own);
    pendingPlaces.push({ place, name: own, outer, scope });
    return own;
  };
  const kinds = { isOld: version === "3.0", isDraft7: version === "3" };
  const translate = createTranslator({ sources, ...kinds, view, name, marks, loosen });
  const write = (place: SourcePlace, at: string, outer?: OneSided, scope?: DynamicScope): JsonObject | boolean => {
    origins.set(at, place);
    return translate(place, at, outer, scope);
  };
  const root = make(write);
  const defs: JsonObject = {};
  for (let next = pendingPlaces.shift(); next !== undefined; next = pendingPlaces.shift())
    Object.defineProperty(defs, next.name, {
      value: write(next.place, `/$defs/${next.name}`, next.outer, next.scope),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  const body: JsonObject = isObject(root) ? root : root ? {} : { not: {} };
  const value = { ...body, ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }) };
  return { text: textOf(value, origins), marks };
}

/** The value with the places from which its parts come. A generated part has the place of the nearest original. */
function textOf(value: JsonObject, origins: ReadonlyMap<string, SourcePlace>): Text {
  const originOf = (at: string): SourcePlace & { isWritten: boolean } => {
    let there = at;
    while (!origins.has(there)) there = there.slice(0, there.lastIndexOf("/"));
    const { source, at: base } = origins.get(there) as SourcePlace;
    const whole = at.slice(there.length);
    let rest = whole;
    while (rest !== "" && valueAt({ source, at: `${base}${rest}` }) === undefined)
      rest = rest.slice(0, rest.lastIndexOf("/"));
    return { source, at: `${base}${rest}`, isWritten: rest === whole };
  };
  return {
    value,
    locate: (at) => {
      const { source, at: there } = originOf(at);
      return source.text.locate(there);
    },
    number: (at) => {
      const { source, at: there, isWritten } = originOf(at);
      return isWritten ? source.text.number?.(there) : undefined;
    },
    origin: (at) => {
      const { source, at: there, isWritten } = originOf(at);
      return { file: source.file, at: there, isWritten };
    },
  };
}
