import {
  asDoubles,
  exactText,
  isObject,
  type Json,
  type JsonObject,
  numbersMeant,
  StandIns,
  setMember,
  standsFor,
  wordsWithMeant,
} from "../../../schemas/index.ts";
import type { LoadedDocument } from "./pair.ts";
import type { Difference } from "./result.ts";

/** Two versions, and the numbers that their doubles represent. */
interface Exact {
  old: LoadedDocument;
  young: LoadedDocument;
  meant: ReadonlyMap<number, string>;
}

/** Gives each number of both versions its own double. If the versions were read separately, one double could represent different numbers. */
export function compareExactly(old: LoadedDocument, young: LoadedDocument): Exact {
  const own = { old: numbersMeant(old.schemas), young: numbersMeant(young.schemas) };
  if (own.old.size + own.young.size === 0) return { old, young, meant: new Map() };
  const standIns = new StandIns({ isApart: true });
  for (const [{ schemas }, meant] of [[old, own.old] as const, [young, own.young] as const])
    standIns.keepOthers(schemas, meant);
  const texts = new Set([...own.old.values(), ...own.young.values()]);
  const meant = new Map(standIns.ordered(texts));
  const doubles = new Map([...meant].map(([double, text]) => [text, double]));
  const withExactNumbers = (document: LoadedDocument, known: ReadonlyMap<number, string>): LoadedDocument => ({
    ...document,
    schemas: document.schemas.map((schema) => rewriteNumbers(schema, known, doubles) as JsonObject),
  });
  return { old: withExactNumbers(old, own.old), young: withExactNumbers(young, own.young), meant };
}

function rewriteNumbers(value: Json, known: ReadonlyMap<number, string>, doubles: ReadonlyMap<string, number>): Json {
  if (typeof value === "number") return doubles.get(known.get(value) ?? "") ?? value;
  if (Array.isArray(value)) return value.map((each) => rewriteNumbers(each, known, doubles));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [name, each] of Object.entries(value)) {
    if (name === standsFor) continue;
    if (name !== asDoubles) setMember(result, name, rewriteNumbers(each, known, doubles));
  }
  return result;
}

/** A difference with the exact numbers in its words, and its message as text if that contains one of them. */
export function withNumbers(difference: Difference, meant: ReadonlyMap<number, string>): Difference {
  if (meant.size === 0) return difference;
  const text = exactText(difference.message, (_, each) => meant.get(each));
  const { beside } = difference;
  return {
    ...difference,
    asserts: wordsWithMeant(difference.asserts, meant),
    ...(beside === undefined ? {} : { beside: wordsWithMeant(beside, meant) }),
    ...(text === JSON.stringify(difference.message) ? {} : { text }),
  };
}
