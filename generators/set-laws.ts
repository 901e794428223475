import {
  type Document,
  type Level,
  levelOf,
  levels,
  type Protocol,
  pointer,
  type Rule,
  type RuledProtocol,
  type TextIssue,
  type Vector,
} from "../schemas/index.ts";
import { alsoBrokenBy, containsBigInteger } from "./corpus/complete-vectors.ts";
import { deadlinesOf } from "./corpus/deadlines.ts";
import { farYear, yearOf } from "./formats/future-times.ts";
import type { VectorBreach } from "./laws.ts";
import { breaksNothing } from "./raw/vectors.ts";
import { contentKey } from "./rules/content.ts";
import { rulesRefusing } from "./rules/rule-breaches.ts";

/** Checks the laws for all vectors of a document together, and for each vector and the other rules. */
export function setLaw(protocol: RuledProtocol, document: Document, vectors: readonly Vector[]): VectorBreach[] {
  return [
    ...contentLaw(vectors),
    ...beyondLaw(protocol, document, vectors),
    ...alsoLaw(protocol, document, vectors),
    ...needLaw(vectors),
    ...levelLaw(protocol.rules, vectors),
    ...textLaw(protocol, vectors),
    ...ageLaw(document, vectors),
  ];
}

/**
 * Equal contents have only one vector for each verdict, and no two vectors contradict each other. A vector that names another vector's rule in `beyond`
 * does not contradict it.
 */
export function contentLaw(vectors: readonly Vector[]): VectorBreach[] {
  const vectorsByContent = new Map<string, Vector[]>();
  return vectors.flatMap((vector): VectorBreach[] => {
    const key = contentKey(vector);
    const earlier = vectorsByContent.get(key) ?? [];
    vectorsByContent.set(key, [...earlier, vector]);
    const duplicate = earlier.find(({ valid }) => valid === vector.valid);
    if (duplicate !== undefined) return [{ id: vector.id, law: "content", why: `says the same as ${duplicate.id}` }];
    const contrary = earlier.find((each) => !leavesOpen(each, vector) && !leavesOpen(vector, each));
    return contrary === undefined
      ? []
      : [{ id: vector.id, law: "content", why: `${contrary.id} says otherwise of the same` }];
  });
}

function leavesOpen({ valid, beyond = [] }: Vector, { rule }: Vector): boolean {
  return valid === true && rule !== undefined && beyond.includes(rule);
}

/** A valid vector lists in `beyond` every rule, of any level, that may refuse it. */
export function beyondLaw(protocol: RuledProtocol, document: Document, vectors: readonly Vector[]): VectorBreach[] {
  return vectors.flatMap((vector): VectorBreach[] => {
    const touchedRules = vector.valid === true ? rulesRefusing(protocol, document, vector) : [];
    const [rule] = touchedRules.filter((id) => vector.beyond?.includes(id) !== true);
    return rule === undefined ? [] : [{ id: vector.id, law: "beyond", why: `does not say that it touches ${rule}` }];
  });
}

/** An invalid vector names exactly the rules that it breaks besides its main fault. */
export function alsoLaw(protocol: RuledProtocol, document: Document, vectors: readonly Vector[]): VectorBreach[] {
  return vectors.flatMap((vector): VectorBreach[] => {
    const { id, alsoBreaks: stated = [] } = vector;
    const actual = alsoBrokenBy(protocol, document, vector);
    const missing = actual.find((rule) => !stated.includes(rule));
    if (missing !== undefined) return [{ id, law: "also", why: `does not say that it breaks ${missing} as well` }];
    const superfluousRule = stated.find((rule) => !actual.includes(rule));
    return superfluousRule === undefined
      ? []
      : [{ id, law: "also", why: `says that it breaks ${superfluousRule} as well` }];
  });
}

/** A vector that needs formats names one, and a vector with an integer beyond 64 bits needs big numbers. */
export function needLaw(vectors: readonly Vector[]): VectorBreach[] {
  return vectors.flatMap(({ id, needs, format, data }): VectorBreach[] => [
    ...(needs.includes("format-assertion") && format === undefined
      ? [{ id, law: "need" as const, why: "needs formats, and names none" }]
      : []),
    ...(data !== undefined && containsBigInteger(data) && !needs.includes("big-numbers")
      ? [{ id, law: "need" as const, why: "has an integer beyond 64 bits, and does not need big numbers" }]
      : []),
  ]);
}

/** The level of an invalid vector is at most that of its rule. */
export function levelLaw(rules: readonly Rule[], vectors: readonly Vector[]): VectorBreach[] {
  const ruleLevels = new Map(rules.map((rule) => [rule.id, rule.verdict === "either" ? undefined : levelOf(rule)]));
  const rankOf = (level: Level): number => levels.length - levels.indexOf(level);
  return vectors.flatMap(({ id, valid, rule, level = "MUST" }): VectorBreach[] => {
    if (valid !== false || rule === undefined || !ruleLevels.has(rule)) return [];
    const ruleLevel = ruleLevels.get(rule);
    if (ruleLevel === undefined) return [{ id, law: "level", why: `is decided, and ${rule} leaves it open` }];
    return rankOf(level) <= rankOf(ruleLevel)
      ? []
      : [{ id, law: "level", why: `counts as ${level}, ${rule} as ${ruleLevel}` }];
  });
}

/** The points that RFC 8259 leaves to the reader, by the family of texts. A protocol may decide them in its profile. */
const freedoms: Readonly<Record<string, readonly TextIssue[]>> = {
  "repeated-name": ["repeated", "contradicted"],
  "lone-surrogate": ["surrogate"],
  "large-number": ["big", "inexact"],
  "byte-order-mark/before": ["mark"],
};

/** The parent of a text breaks nothing, and RFC 8259 or a position of the protocol decides the verdict. */
export function textLaw({ profile }: Pick<Protocol, "profile">, vectors: readonly Vector[]): VectorBreach[] {
  const byId = new Map(vectors.map((vector) => [vector.id, vector]));
  const { rulings, levels: grantedLevels } = profile.text ?? { rulings: {} };
  return vectors.flatMap(({ id, valid, parent, tags }): VectorBreach[] => {
    const [, name] = /^[^/]+\/[^/]+\/[^/]+\/raw\/(.+)$/s.exec(id) ?? [];
    if (name === undefined) return [];
    const breach = (why: string): VectorBreach[] => [{ id, law: "text", why }];
    const parentVector = byId.get(parent ?? "");
    if (parentVector === undefined || !breaksNothing(parentVector))
      return breach("its parent may be refused for something else");
    if (valid === undefined) return [];
    const issues = Object.entries(freedoms).find(([family]) => name === family || name.startsWith(`${family}/`))?.[1];
    const isFree =
      issues?.every((issue) => rulings[issue]?.invalid !== true) || (tags.includes("depth") && !grantedLevels);
    return isFree === true ? breach("RFC 8259 leaves it to the reader, and the protocol takes no position") : [];
  });
}

/** Deadlines are in the far future, except in an invalid vector about the deadline itself. */
export function ageLaw(document: Document, vectors: readonly Vector[]): VectorBreach[] {
  const places = deadlinesOf(document);
  return vectors.flatMap(({ id, valid, data, at }): VectorBreach[] => {
    if (data === undefined) return [];
    const earlyPlace = places.find((place) => {
      const year = yearOf(pointer.at(place, data));
      const concernsDeadline = valid !== true && at !== undefined && pointer.areRelated(at, place);
      return year !== undefined && year < farYear && !concernsDeadline;
    });
    return earlyPlace === undefined ? [] : [{ id, law: "age", why: `${earlyPlace} passes, or has passed` }];
  });
}
