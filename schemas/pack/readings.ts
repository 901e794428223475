import { existsSync } from "node:fs";
import { join } from "node:path";
import { nearestName } from "../nearest-name.ts";
import { profileFault, type ReadProfile } from "./profile.ts";
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
export function refuseUnknownReaders(read: ReadProfile, rules: readonly PlacedRule[]): void {
  if (["js", "mjs", "ts", "mts"].some((extension) => existsSync(join(read.folder, `index.${extension}`)))) return;
  for (const [index, { rules: affectedIds, readings }] of (read.profile.contradictions ?? []).entries()) {
    const affectedRules = rules.filter(({ id }) => affectedIds.includes(id));
    if (affectedRules.length < affectedIds.length) continue;
    const readersInCases = affectedRules.flatMap((rule) =>
      [rule, ...Object.values(rule.cases ?? {})].flatMap(readersIn),
    );
    const knownReaders = [...new Set([...readersInCases, ...affectedIds, ...generatedSources])];
    const namedReaders = readings.flatMap(({ name, by = [] }, readingIndex) =>
      by.map((reader, position) => ({
        name,
        reader,
        at: `/contradictions/${index}/readings/${readingIndex}/by/${position}`,
      })),
    );
    for (const { name, reader, at } of namedReaders) {
      if (reader === name || standards.test(reader)) continue;
      if (knownReaders.some((knownReader) => knownReader === reader || knownReader.startsWith(`${reader},`))) continue;
      throw profileFault(
        read,
        at,
        `the reading "${name}" is that of "${reader}", which no case of ${affectedIds.join(", ")} names`,
        `${nearestName(reader, knownReaders)}known are ${knownReaders.join(", ")}; a disputed case names others under readings`,
      );
    }
  }
}

/** The readers that the cases of a rule name. */
function readersIn({ disputed = {} }: CaseSet): string[] {
  return Object.values(disputed).flatMap(({ readings = [] }) => readings.flatMap(({ by }) => by));
}
