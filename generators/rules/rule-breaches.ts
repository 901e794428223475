import {
  type Checker,
  type Document,
  type Json,
  namedReadings,
  type RuledProtocol,
  readAs,
  type Vector,
} from "../../schemas/index.ts";
import { findings, textFindings } from "./check.ts";
import { contentOf } from "./content.ts";
import { asPublished, checkersOf } from "./families.ts";
import { inOnePass } from "./pass.ts";

/** Returns a function that lists the semantic rules that an instance breaks, at any level. */
export function breachesOf(
  protocol: RuledProtocol,
  document: Document,
  checkers: readonly Checker[] = checkersOf(protocol.families, document.name),
): (instance: Json, ruleIds?: readonly string[]) => string[] {
  return (instance, among) => {
    const selected = among === undefined ? checkers : checkers.filter(({ rule }) => among.includes(rule));
    const broken = inOnePass(() => selected.filter((checker) => isBroken(checker, instance)));
    return [...new Set(broken.map(({ rule }) => rule))];
  };

  /** One breach is sufficient. Further breaches and their levels do not matter here. */
  function isBroken({ check }: Checker, instance: Json): boolean {
    for (const _ of check?.(instance, document.name) ?? []) return true;
    return false;
  }
}

/** Lists the semantic rules that may refuse a vector, as a value or as a text. */
export function rulesRefusing(protocol: RuledProtocol, document: Document, vector: Vector): string[] {
  const { text, value } = contentOf(vector);
  const violations = [
    ...(value === undefined ? [] : findings(protocol, document.name, value)),
    ...(text === undefined ? [] : textFindings(protocol, document.name, text)),
  ];
  const rules = [...new Set(violations.filter(({ mustPass }) => mustPass !== true).map(({ rule }) => rule))];
  return rules.length < 2 ? rules : asPublished(protocol, document.name, rules, (rule) => ({ rule, name: "" }));
}

/** Records for each valid vector, and for each that a reading of the specification accepts, the semantic rules that may refuse it. */
export function markBeyond(protocol: RuledProtocol, document: Document, vectors: readonly Vector[]): Vector[] {
  const readingNames = namedReadings(protocol.profile).map(({ name }) => name);
  const isAccepted = (vector: Vector): boolean =>
    vector.valid ?? readingNames.some((name) => readAs(protocol, [name], vector).valid === true);
  return vectors.map((vector) => {
    if (!isAccepted(vector)) return vector;
    const beyond = rulesRefusing(protocol, document, vector);
    if (beyond.length === 0) return vector;
    // A vector may have both a level and `beyond`.
    const { id, description, valid, readings, data, raw, base64, rule, level, ...rest } = vector;
    const others = vector.valid === undefined ? beyond.filter((broken) => broken !== rule) : beyond;
    if (others.length === 0) return vector;
    const head = { id, description, valid, readings, data, raw, base64, rule, level, beyond: others };
    return {
      ...(Object.fromEntries(Object.entries(head).filter(([, value]) => value !== undefined)) as typeof head),
      ...rest,
    } as Vector;
  });
}
