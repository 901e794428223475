import { existsSync } from "node:fs";
import { join } from "node:path";
import { usualCover } from "../coverage.ts";
import { mustBe } from "../faults.ts";
import { shownPath } from "../files.ts";
import type { JsonObject } from "../json.ts";
import { nearestName } from "../nearest-name.ts";
import { at as valueAt } from "../pointer.ts";
import type { Check, Rule } from "../rule.ts";
import { readJson } from "../text.ts";
import { dependenceFault } from "../value-conditions.ts";
import { readWhole } from "../whole-file.ts";
import type { RuleEntry, RulesFile } from "./file.ts";
import { entryFrom, type PlacedRule, placedSites, ruleFault } from "./rule-files.ts";

/** A rule of a pack, with the locations of its sites, and a function that throws the error for a location in it. */
interface ListedRule {
  entry: RuleEntry;
  places: string[];
  fail(at: string, what: string, hint: string): never;
}

/**
 * Reads the rules of a pack: from `rules.json` in the given folder, and from rule files. Throws a usage error with the line of the fault.
 */
export function packRules(
  folder: string | undefined,
  placed: readonly PlacedRule[],
  {
    schemas,
    aliases,
    coverOf = usualCover,
    publishes = [],
  }: {
    schemas: readonly JsonObject[];
    aliases: ReadonlyMap<string, string>;
    coverOf?: (check: Check) => string;
    publishes?: readonly string[];
  },
): Rule[] {
  const listedRules = [...(folder === undefined ? [] : readList(folder)), ...placed.map(listRule)];
  return listedRules.map(({ entry, places, fail }, index) => {
    if (listedRules.findIndex((other) => other.entry.id === entry.id) < index)
      fail("/id", `there is already a rule ${entry.id}`, "give each rule its own id");
    const dependenceProblem = dependenceFault(entry, publishes);
    if (dependenceProblem !== undefined) fail(dependenceProblem.at, dependenceProblem.what, dependenceProblem.hint);
    const sites = entry.sites?.map((site, place) => {
      const [id = "", pointer = ""] = site.split("#");
      const schema = schemas.find(({ $id }) => $id === (aliases.get(id) ?? id));
      const at = `/sites${places[place]}`;
      if (schema === undefined) {
        const names = [...aliases.keys(), ...schemas.map(({ $id }) => String($id))];
        fail(at, `no schema of the pack is called ${id}`, `${nearestName(id, names)}there are: ${names.join(", ")}`);
      } else if (valueAt(pointer, schema) === undefined)
        fail(at, `${id} has nothing at #${pointer}`, "give the JSON Pointer of a keyword, or of the schema around it");
      return `${schema?.$id}#${pointer}`;
    });
    return ruleFrom({ ...entry, ...(sites === undefined ? {} : { sites }) }, coverOf);
  });
}

function readList(folder: string): ListedRule[] {
  const path = join(folder, "rules.json");
  if (!existsSync(path)) return [];
  const file = shownPath(path);
  const text = readJson(readWhole(path), file);
  mustBe("rules", file, text);
  return (text.value as unknown as RulesFile).rules.map((entry, index) => ({
    entry,
    places: entry.sites?.map((_, place) => `/${place}`) ?? [],
    fail(at, what, hint) {
      throw ruleFault({ file, text }, `/rules/${index}${at}`, what, hint);
    },
  }));
}

function listRule(rule: PlacedRule): ListedRule {
  return {
    entry: entryFrom(rule),
    places: placedSites(rule.sites ?? []).map(({ at }) => at),
    fail(at, what, hint) {
      throw ruleFault(rule.family, `${rule.at}${at === "/id" ? "" : at}`, what, hint);
    },
  };
}

/** A rule from its entry, with defaults for missing members. */
export function ruleFrom(entry: RuleEntry, coverOf: (check: Check) => string = usualCover): Rule {
  const check = entry.check ?? (entry.sites === undefined ? "semantic" : "schema");
  return {
    level: "MUST",
    clause: "-",
    binds: ["message"],
    check,
    status: { covered: coverOf(check) },
    ...entry,
  };
}
