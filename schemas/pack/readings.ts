import { existsSync } from "node:fs";
import { join } from "node:path";
import { nearestName } from "../nearest-name.ts";
import { fault, type ReadProfile } from "./profile.ts";
import type { CaseSet } from "./rule-file.ts";
import type { PlacedRule } from "./rule-files.ts";

/** The readers that generated vectors name; vectors of texts name standards instead. */
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
 * Throws a usage error for a name under `by` of a reading that no case of its rules uses: the reading would decide nothing. Skips packs with
 * code, since their cases are unknown until it is loaded, and contradictions with rules that are not in files.
 */
export function mustRead(read: ReadProfile, rules: readonly PlacedRule[]): void {
  if (["js", "mjs", "ts", "mts"].some((end) => existsSync(join(read.folder, `index.${end}`)))) return;
  for (const [index, { rules: about, readings }] of (read.profile.contradictions ?? []).entries()) {
    const affectedRules = rules.filter(({ id }) => about.includes(id));
    if (affectedRules.length < about.length) continue;
    const cases = affectedRules.flatMap((rule) => [rule, ...Object.values(rule.cases ?? {})].flatMap(readersIn));
    const known = [...new Set([...cases, ...about, ...generatedSources])];
    const namedReaders = readings.flatMap(({ name, by = [] }, number) =>
      by.map((reader, position) => ({
        name,
        word: reader,
        at: `/contradictions/${index}/readings/${number}/by/${position}`,
      })),
    );
    for (const { name, word, at } of namedReaders) {
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

/** The readers that the cases of a rule name. */
function readersIn({ disputed = {} }: CaseSet): string[] {
  return Object.values(disputed).flatMap(({ readings = [] }) => readings.flatMap(({ by }) => by));
}
