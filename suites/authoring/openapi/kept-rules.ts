import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  canonical,
  digestOf,
  isObject,
  type Json,
  type JsonObject,
  originsFile,
  readJson,
  shownPath,
  TouchstoneError,
} from "../../../schemas/index.ts";

/** The file with the rules of a pack. */
export const rulesFile = "rules.json";

/** The rules of a regenerated pack. */
export interface MergedRules {
  /** The content of the file; undefined if there are no rules. */
  value: JsonObject | undefined;
  /** Digests of the generated rules, by id. If the digest of a rule differs the next time, a user has edited the rule. */
  digests: JsonObject;
  notes: string[];
}

/**
 * The rules from a description, combined with those in the folder that a user wrote or changed. The user's rules are kept, and replace generated ones with the same id.
 * Throws a usage error for a file of rules that cannot be read.
 */
export function mergeRules(folder: string, generatedRules: readonly JsonObject[]): MergedRules {
  const digests = Object.fromEntries(generatedRules.map((rule) => [String(rule.id), digestOf(canonical(rule))]));
  const path = join(folder, rulesFile);
  const existingRules = existsSync(path) ? readRules(path) : {};
  const earlierDigests = readEarlierDigests(folder);
  const userRules = (existingRules.rules ?? []).filter(({ id, ...rule }) => {
    const digest = digestOf(canonical({ id: id as Json, ...rule }));
    return digest !== (earlierDigests[String(id)] ?? digests[String(id)]);
  });
  const ids = new Set(userRules.map(({ id }) => id));
  const rules = [...generatedRules.filter(({ id }) => !ids.has(id)), ...userRules];
  return {
    value: rules.length === 0 && existingRules.rules === undefined ? undefined : { ...existingRules, rules },
    digests,
    notes:
      userRules.length === 0
        ? []
        : [`${shownPath(path)}: ${userRules.length} of your rules are kept: ${[...ids].join(", ")}`],
  };
}

function readRules(path: string): JsonObject & { rules?: JsonObject[] } {
  const { value } = readJson(readFileSync(path), shownPath(path));
  if (isObject(value) && Array.isArray(value.rules) && value.rules.every(isObject))
    return value as JsonObject & { rules: JsonObject[] };
  throw new TouchstoneError("usage", "the existing rules cannot be read, and would be lost", {
    where: shownPath(path),
    hint: 'expected an object with "rules", an array of objects: repair the file, or move it away',
  });
}

/** The digests of the rules that were generated the last time, by id; empty if they are not known. */
function readEarlierDigests(folder: string): JsonObject {
  const path = join(folder, originsFile);
  const value = existsSync(path) ? readJson(readFileSync(path), shownPath(path)).value : {};
  return isObject(value) && isObject(value.rules) ? value.rules : {};
}
