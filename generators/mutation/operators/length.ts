import type { Node } from "../../model/model.ts";
import { isFirstSchema } from "../first-schema.ts";
import type { Mutant, Operator } from "../mutant.ts";
import { type ChangedSchema, loosenKeyword, strengthen } from "../schema-edits.ts";

/** Mutants of `minLength` and `maxLength`: other units than code points are counted, or white space is not counted. */
export const lengthOperator: Operator = {
  name: "text-length",
  *mutate(node, model, raw) {
    const isUnlisted = !node.keywords.some(({ kind }) => kind === "enum" || kind === "const");
    for (const keyword of node.keywords) {
      if (!isUnlisted || (keyword.kind !== "minLength" && keyword.kind !== "maxLength")) continue;
      const { kind, limit, site } = keyword;
      if (limit > maxLimit) continue;
      const mutant = (effect: Mutant["effect"], says: string, changed: ChangedSchema | undefined) =>
        changed === undefined ? [] : [{ effect, site, keyword: kind, says: `${kind}: ${says}`, ...changed }];
      const units = limit > maxForAllUnits ? countingPatterns.slice(0, 1) : countingPatterns;
      for (const [says, pattern] of limit > maxForOneUnit && kind === "minLength" ? [] : units) {
        if (kind === "maxLength" && limit > 0)
          yield* mutant("stronger", says, strengthen(node, raw, { not: { minLength: limit, pattern } }));
        if (kind === "minLength" && limit > 1)
          yield* mutant("weaker", says, loosenKeyword(node, raw, keyword, { minLength: limit - 1, pattern }));
      }
      if (kind === "maxLength" && limit > 0 && limit <= maxForAllUnits)
        yield* mutant(
          "weaker",
          "visible characters are counted, not code points",
          loosenKeyword(node, raw, keyword, { maxLength: limit + 1, pattern: "^e\\u0301" }),
        );
      for (const [says, character] of kind === "maxLength" && canHoldWideCharacters(limit) ? wideCharacters : [])
        yield* mutant("stronger", says, strengthen(node, raw, { not: { minLength: limit, pattern: character } })).map(
          (mutantPart) => ({ ...mutantPart, isFineGrained: true as const, needsOneKill: true as const }),
        );
      if (kind === "maxLength" && canHoldWideCharacters(limit) && isFirstSchema(model, node, isShort))
        yield* mutant(
          "weaker",
          "text after a NUL is not counted",
          loosenKeyword(node, raw, keyword, { maxLength: limit + 1, pattern: "\\u0000" }),
        ).map((mutantPart) => ({ ...mutantPart, isFineGrained: true as const, needsOneKill: true as const }));
      if (limit > maxForOneUnit) continue;
      if (kind === "maxLength" && limit > 0)
        yield* mutant(
          "weaker",
          "white space at the end is not counted",
          loosenKeyword(node, raw, keyword, { maxLength: limit + 1, pattern: "\\S\\s$" }),
        ).map((mutantPart) => ({ ...mutantPart, isFineGrained: true as const }));
      if (kind === "minLength" && limit > 0)
        yield* mutant("stronger", "white space is not counted", strengthen(node, raw, { pattern: "\\S" }));
    }
  },
};

/** Characters that become several in another encoding or spelling, which some readers count. */
const wideCharacters: readonly [says: string, character: string][] = [
  ["letters are counted apart from their accents", "é"],
  ["a line feed is counted with a carriage return", "\n"],
  ["escapes of HTML are counted", "&"],
  ["capital letters are counted", "ß"],
];

/** Whether a string with these characters can have this length and stay readable. */
const canHoldWideCharacters = (limit: number): boolean => limit >= wideCharacters.length && limit <= 500;

const isShort = ({ keywords }: Node): boolean =>
  keywords.some((keyword) => keyword.kind === "maxLength" && canHoldWideCharacters(keyword.limit));

/** Returns a string of the maximum length that is longer in other encodings, or none if the limit is too low, or too high for a readable string. */
export function longestTexts(limit: number): string[] {
  const characters = wideCharacters.map(([, character]) => character).join("");
  return canHoldWideCharacters(limit) ? [characters.padEnd(limit, "a")] : [];
}

/** Above the first limit, mutants count in only one other unit. Above the second, only those of `maxLength` do. Above the third, there are none. */
const maxForAllUnits = 1024;
const maxForOneUnit = 4096;
const maxLimit = 19_000;

/** Patterns for characters that count as more than one in other units. */
const countingPatterns: [says: string, pattern: string][] = [
  ["UTF-16 units are counted", "[\\u{10000}-\\u{10FFFF}]"],
  ["bytes are counted", "[\\u00C0-\\u02AF]"],
];
