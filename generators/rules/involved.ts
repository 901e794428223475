import { type Document, isObject, type Json, pointer, type RuledProtocol, type Vector } from "../../schemas/index.ts";
import { patched } from "../changes/patch.ts";
import { breachesOf } from "./beyond.ts";

/**
 * Says of each message that breaks a semantic rule which other members take part: without any one of them the rule would not be broken.
 * Whoever compares two members may name either. The one value that makes it a message of this document takes part in everything.
 */
export function withInvolved(protocol: RuledProtocol, document: Document, vectors: readonly Vector[]): Vector[] {
  if (document.role === "record" || document.role === "trace") return [...vectors];
  const breaches = breachesOf(protocol, document);
  const selecting = Object.entries(document.when ?? {}).flatMap(([at, values]) => (values.length === 1 ? [at] : []));
  return vectors.map((vector) => {
    const { valid, data, rule, at, change = [] } = vector;
    if (valid !== false || data === undefined || rule === undefined || at === undefined) return vector;
    const isKept = (instance: Json): boolean => breaches(instance, [rule]).length === 0;
    const involves = isKept(data) ? [] : partsOf(data, isKept, [...selecting, at, ...change.map(({ path }) => path)]);
    return involves.length === 0 ? vector : involving(vector, involves);
  });
}

/**
 * Says of each message that its schema refuses where else that is found out. A condition is decided at one member and holds for another, and
 * what breaks one branch of a choice breaks the others as well: a validator that names only one place may name any of them.
 */
export function withPlaces(placesIn: (instance: Json) => readonly string[], vectors: readonly Vector[]): Vector[] {
  return vectors.map((vector) => {
    const { valid, data, at, change = [] } = vector;
    if (valid !== false || data === undefined || at === undefined) return vector;
    const said = [at, ...change.map(({ path }) => path)];
    const others = placesIn(data).filter((place) => !said.some((one) => pointer.related(one, place)));
    const involves = [...new Set(others)].filter(
      (place) =>
        !others.some((outer) => outer !== place && pointer.related(outer, place) && outer.length < place.length),
    );
    return involves.length === 0 ? vector : involving(vector, involves.sort());
  });
}

function involving(vector: Vector, involves: readonly string[]): Vector {
  const entries = Object.entries(vector).flatMap((each) =>
    each[0] === "at" ? [each, ["involves", involves]] : [each],
  );
  return Object.fromEntries(entries) as unknown as Vector;
}

/** The innermost members without any one of which the whole is `isKept`, but for those that are `said` anyway. */
function partsOf(whole: Json, isKept: (whole: Json) => boolean, said: readonly string[]): string[] {
  const within = (value: Json, at: string): string[] => {
    if (!isObject(value) && !Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([name, each]) => {
      const place = pointer.append(at, name);
      if (said.some((one) => one === place || place.startsWith(`${one}/`))) return [];
      // What stays when an entry is taken out stands elsewhere then.
      if (Array.isArray(value) || said.some((one) => pointer.related(one, place))) return within(each, place);
      const rest = patched(whole, [{ op: "remove", path: place }]);
      if (rest === undefined || !isKept(rest)) return [];
      const inner = within(each, place);
      return inner.length === 0 ? [place] : inner;
    });
  };
  return within(whole, "");
}
