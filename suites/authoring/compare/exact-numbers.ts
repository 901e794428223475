import {
  asDoubles,
  exactNumbersIn,
  exactNumbersKey,
  exactText,
  isObject,
  type Json,
  type JsonObject,
  StandIns,
  setMember,
  wordsWithExactNumbers,
} from "../../../schemas/index.ts";
import type { LoadedDocument } from "./pair.ts";
import type { Difference } from "./result.ts";

/** Two versions, and the numbers that their doubles represent. */
interface ExactPair {
  old: LoadedDocument;
  next: LoadedDocument;
  exactNumbers: ReadonlyMap<number, string>;
}

/** Gives equal numbers of both versions the same double, and different numbers different ones. As the versions were read separately, one double could represent different numbers before. */
export function unifyStandIns(old: LoadedDocument, next: LoadedDocument): ExactPair {
  const exactNumbersOf = { old: exactNumbersIn(old.schemas), next: exactNumbersIn(next.schemas) };
  if (exactNumbersOf.old.size + exactNumbersOf.next.size === 0) return { old, next, exactNumbers: new Map() };
  const standIns = new StandIns({ hasSeparateBounds: true });
  for (const [{ schemas }, originalNumbers] of [
    [old, exactNumbersOf.old] as const,
    [next, exactNumbersOf.next] as const,
  ])
    standIns.reserveNumbersOf(schemas, originalNumbers);
  const texts = new Set([...exactNumbersOf.old.values(), ...exactNumbersOf.next.values()]);
  const exactNumbers = new Map(standIns.ordered(texts));
  const doubles = new Map([...exactNumbers].map(([double, text]) => [text, double]));
  const withSharedDoubles = (
    document: LoadedDocument,
    originalNumbers: ReadonlyMap<number, string>,
  ): LoadedDocument => ({
    ...document,
    schemas: document.schemas.map((schema) => rewriteNumbers(schema, originalNumbers, doubles) as JsonObject),
  });
  return {
    old: withSharedDoubles(old, exactNumbersOf.old),
    next: withSharedDoubles(next, exactNumbersOf.next),
    exactNumbers,
  };
}

function rewriteNumbers(
  value: Json,
  exactNumbers: ReadonlyMap<number, string>,
  doubles: ReadonlyMap<string, number>,
): Json {
  if (typeof value === "number") return doubles.get(exactNumbers.get(value) ?? "") ?? value;
  if (Array.isArray(value)) return value.map((item) => rewriteNumbers(item, exactNumbers, doubles));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === exactNumbersKey) continue;
    if (name !== asDoubles) setMember(result, name, rewriteNumbers(member, exactNumbers, doubles));
  }
  return result;
}

/** Writes the exact numbers into the texts of a difference. If its message contains such a number, adds the message as JSON text. */
export function withExactNumbers(difference: Difference, exactNumbers: ReadonlyMap<number, string>): Difference {
  if (exactNumbers.size === 0) return difference;
  const text = exactText(difference.message, (_, number) => exactNumbers.get(number));
  const { beside } = difference;
  return {
    ...difference,
    asserts: wordsWithExactNumbers(difference.asserts, exactNumbers),
    ...(beside === undefined ? {} : { beside: wordsWithExactNumbers(beside, exactNumbers) }),
    ...(text === JSON.stringify(difference.message) ? {} : { text }),
  };
}
