import { existsSync } from "node:fs";
import { join } from "node:path";
import { nearestName } from "../nearest-name.ts";
import { fault, type ReadProfile } from "./profile.ts";
import type { CaseSet } from "./rule-file.ts";
import type { PlacedRule } from "./rule-files.ts";

/** Names of the readings of generated vectors; a vector of a text names its standard. */
const generatedSources = [
  "specification",
  "rule",
  "schema",
  "position",
  "implementations",
  "ajv",
  "hyperjump",
  "decimal",
];
const standards = /^(?:RFC|ISO|YAML|JSON)\b/;

/**
 * Throws a usage error for a name under `by` of a reading that no case of its rules has: the reading would decide nothing. Not for a pack
 * with an entry of code, since its cases are not known without loading it, nor for rules without cases in files.
 */
export function mustRead(read: ReadProfile, rules: readonly PlacedRule[]): void {
  if (["js", "mjs", "ts", "mts"].some((end) => existsSync(join(read.folder, `index.${end}`)))) return;
  for (const [index, { rules: about, readings }] of (read.profile.contradictions ?? []).entries()) {
    const own = rules.filter(({ id }) => about.includes(id));
    if (own.length < about.length) continue;
    const cases = own.flatMap((rule) => [rule, ...Object.values(rule.cases ?? {})].flatMap(wordsIn));
    const known = [...new Set([...cases, ...about, ...generatedSources])];
    const words = readings.flatMap(({ name, by = [] }, number) =>
      by.map((word, position) => ({ name, word, at: `/contradictions/${index}/readings/${number}/by/${position}` })),
    );
    for (const { name, word, at } of words) {
      if (word === name || standards.test(word)) continue;
      if (known.some((each) => each === word || each.startsWith(`${word},`))) continue;
      throw fault(
        read,
        at,
        `the reading "${name}" is that of "${word}", which no case of ${about.join(", ")} names`,
        `${nearestName(word, known)}known are ${known.join(", ")}; a disputed case names others under readings`,
      );
    }
  }
}

/** The names of readings in the cases of a rule. */
function wordsIn({ disputed = {} }: CaseSet): string[] {
  return Object.values(disputed).flatMap(({ readings = [] }) => readings.flatMap(({ by }) => by));
}
