import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PublishedOrder } from "../contracts/rule-family.ts";
import { shownPath } from "../files.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { escaped } from "../pointer.ts";
import type { Profile } from "../profile.ts";
import type { Check, Rule } from "../rule.ts";
import type { TextPlace } from "../text-place.ts";
import { readWhole } from "../whole-file.ts";
import { readYamlNow } from "../yaml.ts";
import { builtInNamed } from "./built-in.ts";
import type { ProfileFile } from "./file.ts";
import { inheritedSchemas } from "./inherit.ts";
import { byFamily } from "./order.ts";
import { mergeOverrides } from "./overriding.ts";
import type { FixtureFile, RuleFamilyFile, RulePart } from "./rule-file.ts";
import {
  fixturesIn,
  type PlacedRule,
  placedRules,
  type RuleFile,
  ruleFamilies,
  ruleFault,
  ruleFolder,
} from "./rule-files.ts";
import { packRules } from "./rules.ts";

/** The built file with the rule families of a protocol: checks, cases and fixtures, readable without a YAML parser. */
export const familiesFile = "families.json";

/** The built file with the list of rules. */
export const listFile = "rules.json";

/** The order of the published vectors of cases, for protocols that need it. Written by hand. */
export const orderFile = "order.yaml";

interface FamiliesFile {
  published?: PublishedOrder;
  fixtures: FixtureFile;
  families: Record<string, RuleFamilyFile>;
}

/** The rules of a protocol, read from its built files. */
export interface BuiltRules {
  rules: readonly PlacedRule[];
  fixtures: RuleFile<FixtureFile> | undefined;
  published?: PublishedOrder;
}

const rulesOfFolders = new Map<string, BuiltRules>();

/** Reads the built rules of a built-in protocol, with checks and cases; empty if the folder has no such file. */
export function builtRules(folder: string): BuiltRules {
  const built = rulesOfFolders.get(folder) ?? readBuilt(join(folder, familiesFile));
  rulesOfFolders.set(folder, built);
  return built;
}

function readBuilt(path: string): BuiltRules {
  if (!existsSync(path)) return { rules: [], fixtures: undefined };
  const { fixtures, families, published } = JSON.parse(readFileSync(path, "utf8")) as FamiliesFile;
  const fileOf = <T>(name: string, value: T): RuleFile<T> => ({
    name,
    file: shownPath(join(dirname(path), ruleFolder, `${name}.yaml`)),
    value,
    text: { value: value as unknown as Json, locate: (at) => lineIn(dirname(path), name, at) },
  });
  return {
    rules: placedRules(Object.entries(families).map(([name, value]) => fileOf(name, value))),
    fixtures: fileOf("fixtures", fixtures),
    ...(published === undefined ? {} : { published }),
  };
}

/** The place of an item in the YAML file of a family, which is read only for error messages. */
function lineIn(folder: string, name: string, at: string): TextPlace {
  const families = familiesOfFolders.get(folder) ?? (hasFamilies(folder) ? ruleFamilies(folder) : []);
  familiesOfFolders.set(folder, families);
  return families.find((family) => family.name === name)?.text.locate(at) ?? { line: 1, column: 1 };
}

/** The family files of each folder, cached because the child of a pack looks up many places. */
const familiesOfFolders = new Map<string, readonly RuleFile[]>();

/** Whether the rules of a built-in protocol are in family files. */
export function hasFamilies(folder: string): boolean {
  return existsSync(join(folder, ruleFolder));
}

/**
 * Builds the files of a protocol, and returns their texts by file name. Throws a usage error with file and line for rules that break the format, and for
 * a site without a target.
 */
export function builtTexts(folder: string): Map<string, string> {
  const readJsonFile = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), "utf8")) as T;
  const { documents, protocol, version, extends: parentReference } = readJsonFile<ProfileFile>("profile.json");
  const files = documents.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const schemas = files.map((file) => readJsonFile<JsonObject>(file));
  const schemaIds = new Map(files.map((file, index) => [basename(file), String(schemas[index]?.$id)]));
  const families = ruleFamilies(folder);
  const parent = parentReference === undefined ? undefined : builtInNamed(parentReference.pack);
  const extension = parentReference === undefined || parent === undefined ? undefined : { ...parentReference, parent };
  const placedPackRules = mergeOverrides(
    extension,
    placedRules(families),
    parent === undefined ? [] : builtRules(parent.folder).rules,
  );
  if (extension !== undefined)
    for (const { file, schema } of inheritedSchemas(extension, new Set(schemas.map(({ $id }) => String($id))))) {
      schemaIds.set(basename(file), String(schema.$id));
      schemas.push(schema);
    }
  const rules = packRules(undefined, placedPackRules, { schemas, aliases: schemaIds, coverOf }).map(sortMembers);
  rules.sort(byFamily(rules));
  const list = { $schema: "../../touchstone/rules.schema.json", protocol, version, rules };
  return new Map([
    [listFile, `${JSON.stringify(list, null, 2)}\n`],
    [
      familiesFile,
      familiesText(
        families,
        fixturesIn(folder)?.value ?? {},
        readOrder(folder, documents as Profile["documents"], rules),
        new Map(placedPackRules.map((rule) => [rule.id, rule])),
      ),
    ],
  ]);
}

/** The coverage of a rule without a status. */
function coverOf(check: Check): string {
  return check === "stateful" || check === "delivery" ? "scenarios" : "vectors";
}

const memberOrder: readonly (keyof Rule)[] = [
  "id",
  "level",
  "clause",
  "statement",
  "binds",
  "tier",
  "check",
  "sites",
  "basis",
  "positions",
  "position",
  "verdict",
  "author",
  "follows",
  "status",
];

function sortMembers(rule: Rule): Rule {
  return Object.fromEntries(
    memberOrder.flatMap((name) => (rule[name] === undefined ? [] : [[name, rule[name]]])),
  ) as unknown as Rule;
}

/** The members of a rule in the families file; the list of rules lacks most of them. */
const familyMembers: readonly (keyof RulePart)[] = [
  "document",
  "check",
  "enforcedBy",
  "seals",
  "valid",
  "invalid",
  "disputed",
  "permits",
  "yaml",
  "about",
  "needs",
  "cases",
  "lacks",
];

/** Reads the publication order in a folder. Throws a usage error with file and line for an unknown document or rule. */
function readOrder(
  folder: string,
  documents: Profile["documents"],
  rules: readonly Rule[],
): PublishedOrder | undefined {
  const path = join(folder, orderFile);
  if (!existsSync(path)) return undefined;
  const file = shownPath(path);
  const text = readYamlNow(readWhole(path), file);
  const ids = new Set(rules.map(({ id }) => id));
  const names = new Set(documents.map(({ name }) => name));
  const fail = (at: string, what: string): never => {
    throw ruleFault({ file, text }, at, what, "name documents of the protocol, each with a list of its rules");
  };
  if (!isObject(text.value)) return fail("", "the order is not a mapping");
  for (const [document, listedRules] of Object.entries(text.value)) {
    const at = `/${escaped(document)}`;
    if (document !== "*" && !names.has(document)) fail(at, `unknown document "${document}"`);
    if (!Array.isArray(listedRules)) return fail(at, "the rules are not a list");
    for (const [index, entry] of listedRules.entries()) {
      const [id = ""] = String(entry).split("/", 1);
      if (!ids.has(id)) fail(`${at}/${index}`, `unknown rule "${id}"`);
      if (listedRules.indexOf(entry) < index) fail(`${at}/${index}`, `"${entry}" is listed twice`);
    }
  }
  return text.value as unknown as PublishedOrder;
}

/** Formats the families file, with a line for each rule and fixture. */
function familiesText(
  families: readonly RuleFile[],
  fixtures: FixtureFile,
  published: PublishedOrder | undefined,
  merged: ReadonlyMap<string, PlacedRule>,
): string {
  const formatLines = (values: readonly (readonly [string, unknown])[]): string =>
    `{\n${values.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(",\n")}\n}`;
  const texts = families.flatMap(({ name, value: { seals, rules } }) => {
    const ruleTexts = Object.entries(rules).flatMap(([id, rule]) => {
      // An override without a document keeps the documents of the overridden rule.
      const complete = { document: merged.get(id)?.document, ...rule };
      const parts = familyMembers.flatMap((member) =>
        complete[member] === undefined ? [] : [[member, complete[member]] as const],
      );
      const isListed = [rule.check, rule.valid, rule.cases, rule.lacks].some((content) => content !== undefined);
      return !isListed ? [] : [[id, Object.fromEntries(parts)] as const];
    });
    if (ruleTexts.length === 0) return [];
    return [
      `${JSON.stringify(name)}: {${seals === undefined ? "" : '"seals": true, '}"rules": ${formatLines(ruleTexts)}}`,
    ];
  });
  const order = published === undefined ? "" : `"published": ${formatLines(Object.entries(published))},\n`;
  return `{${order}"fixtures": ${formatLines(Object.entries(fixtures))},\n"families": {\n${texts.join(",\n")}\n}}\n`;
}
