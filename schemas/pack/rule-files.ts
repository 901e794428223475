import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { TouchstoneError } from "../error.ts";
import { mustBe, placeOf } from "../faults.ts";
import { shownPath } from "../files.ts";
import { escaped } from "../pointer.ts";
import { readJson } from "../text.ts";
import type { Text } from "../text-place.ts";
import { readWhole } from "../whole-file.ts";
import { readYamlNow } from "../yaml.ts";
import type { RuleEntry } from "./file.ts";
import type { FixtureFile, RuleFamilyFile, RulePart } from "./rule-file.ts";

/** The folder of a pack that contains its rules, with a file for each family. */
export const ruleFolder = "rules";

const dataFile = /\.(ya?ml|json)$/;

/** A file of a pack, read and validated by its format. */
export interface RuleFile<T = RuleFamilyFile> {
  /** The family: the file's name without its extension. */
  name: string;
  /** The path as error messages show it. */
  file: string;
  text: Text;
  value: T;
}

/** A rule in the file of its family. */
export interface PlacedRule extends RulePart {
  id: string;
  statement: string;
  family: RuleFile;
  /** JSON Pointer in the file. */
  at: string;
}

/** Paths of the rule files and fixtures of a pack, in order. */
export function rulePaths(folder: string): string[] {
  const rules = join(folder, ruleFolder);
  const families = existsSync(rules) ? readdirSync(rules).filter((name) => dataFile.test(name)) : [];
  const fixtures = ["fixtures.yaml", "fixtures.yml", "fixtures.json"].filter((name) => existsSync(join(folder, name)));
  return [...families.sort().map((name) => join(rules, name)), ...fixtures.map((name) => join(folder, name))];
}

/** Reads the rule families in the files of a pack. Throws a usage error with file and line for a file that breaks the format. */
export function ruleFamilies(folder: string): RuleFile[] {
  return rulePaths(folder)
    .filter((path) => !isFixtures(path))
    .map((path) => readRuleFile<RuleFamilyFile>(path, "rule-family"))
    .sort((a, b) => orderOf(a) - orderOf(b));
}

function orderOf({ value }: RuleFile): number {
  return value.order ?? Number.MAX_SAFE_INTEGER;
}

/** Reads the messages that a pack's cases change; undefined without a fixtures file. Throws a usage error with file and line. */
export function fixturesIn(folder: string): RuleFile<FixtureFile> | undefined {
  const path = rulePaths(folder).find(isFixtures);
  return path === undefined ? undefined : readRuleFile<FixtureFile>(path, "fixtures");
}

/** The rules of several families, each with its location. */
export function placedRules(families: readonly RuleFile[]): PlacedRule[] {
  return families.flatMap((family) =>
    Object.entries(family.value.rules).map(([id, part]) => ({
      ...part,
      id,
      statement: part.statement ?? "",
      family,
      at: `/rules/${id}`,
    })),
  );
}

/** The error for a place in a file of rules. */
export function ruleFault(
  { file, text }: Pick<RuleFile, "file" | "text">,
  at: string,
  what: string,
  hint: string,
): TouchstoneError {
  return new TouchstoneError("usage", what, { where: placeOf(file, text, { at }), hint });
}

/** `FILE:LINE` of a place in a file of rules. */
export function ruleLine({ file, text }: Pick<RuleFile, "file" | "text">, at: string): string {
  return `${file}:${text.locate(at).line}`;
}

/** Members of a rule in a rule file that are not copied to its entry in the list of rules. */
const ruleFileMembers = new Set([
  "id",
  "family",
  "at",
  "decided",
  "document",
  "check",
  "enforcedBy",
  "seals",
  "overrides",
  "valid",
  "invalid",
  "disputed",
  "permits",
  "yaml",
  "about",
  "needs",
  "cases",
  "scenarios",
  "sites",
]);

/** The entry in the list of rules for a rule in a rule file. */
export function entryFrom(rule: PlacedRule): RuleEntry {
  const { id, statement, decided, check, sites, scenarios } = rule;
  const checkByScenarios = scenarios === undefined ? undefined : "stateful";
  const checkBySites = sites === undefined ? checkByScenarios : "schema";
  const checkKind = decided ?? (check === undefined ? checkBySites : "semantic");
  const copiedMembers = Object.entries(rule).filter(([name]) => !ruleFileMembers.has(name));
  return {
    id,
    statement,
    ...Object.fromEntries(copiedMembers),
    ...((rule.position ?? rule.positions) !== undefined && rule.basis === undefined
      ? { basis: "position" as const }
      : {}),
    ...(sites === undefined ? {} : { sites: placedSites(sites).map(({ site }) => site) }),
    ...(checkKind === undefined ? {} : { check: checkKind }),
  };
}

/** The schema locations of a rule in a rule file, each with its JSON Pointer below `sites`. */
export function placedSites(sites: NonNullable<RulePart["sites"]>): { site: string; at: string }[] {
  if (Array.isArray(sites)) return sites.map((site, index) => ({ site, at: `/${index}` }));
  return Object.entries(sites).flatMap(([schema, pointers]) =>
    pointers.map((place, index) => ({ site: `${schema}#${place}`, at: `/${escaped(schema)}/${index}` })),
  );
}

/** Whether a rule names a function in a code file. */
export function namesCode({ check, scenarios = {} }: RulePart): boolean {
  return (
    [check].flat().some((entry) => typeof entry === "string") ||
    Object.values(scenarios).some(({ play }) => play !== undefined)
  );
}

function isFixtures(path: string): boolean {
  return basename(path).startsWith("fixtures.") && basename(join(path, "..")) !== ruleFolder;
}

function readRuleFile<T>(path: string, format: string): RuleFile<T> {
  const file = shownPath(path);
  const bytes = readWhole(path);
  const text = path.endsWith(".json") ? readJson(bytes, file) : readYamlNow(bytes, file);
  mustBe(format, file, text);
  return { name: basename(path).replace(dataFile, ""), file, text, value: text.value as unknown as T };
}
