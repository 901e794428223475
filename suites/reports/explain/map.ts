import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import {
  type Extension,
  home,
  namesOf,
  type PlacedRule,
  type Protocol,
  ruleLine,
  rulesWithLines,
  shownPath,
} from "../../../schemas/index.ts";

/** The parts of a rule that are located, in the order of the output. */
export const ruleParts = ["statement", "check", "cases", "scenarios", "variants", "twin", "certification"] as const;

export type RulePartName = (typeof ruleParts)[number];

/** The places of a rule's parts, each as `FILE:LINE` of the first mention in a file. */
export type RulePlaces = Record<RulePartName, string[]>;

/** Finds the places of the statement, check, cases, scenarios and broken variants of each rule of a protocol. Code is read as text and never loaded. Places in the sources of built-in protocols are unknown in the published package, which does not contain them. */
export function placesOfRules(protocol: Protocol): Map<string, RulePlaces> {
  const ids = new Set(protocol.rules.map(({ id }) => id));
  const placesByRule = new Map<string, RulePlaces>([...ids].map((id) => [id, emptyPlaces()]));
  for (const { path, part } of sourcesOf(protocol))
    for (const [id, line] of firstLines(readFileSync(path, "utf8")))
      if (ids.has(id)) (placesByRule.get(id) as RulePlaces)[part].push(`${displayPath(protocol, path)}:${line}`);
  for (const rule of rulesWithLines(protocol)) {
    const places = placesByRule.get(rule.id);
    if (places !== undefined) addRulePlaces(places, rule, protocol);
  }
  const { extends: extension, foreign } = protocol;
  if (extension !== undefined && foreign !== true) addInherited(placesByRule, extension);
  return placesByRule;
}

/** Adds the places in the parent protocol for the parts of rules that an extending protocol does not define itself. */
function addInherited(placesByRule: ReadonlyMap<string, RulePlaces>, extension: Extension): void {
  for (const [id, inherited] of placesOfRules(extension.parent)) {
    const places = placesByRule.get(namesOf(extension).id(id));
    for (const part of ruleParts)
      if (part !== "certification" && places?.[part].length === 0) places[part].push(...inherited[part]);
  }
}

/** Finds ids in a built-in protocol's code that are not rules of the protocol, each with its place. */
export function strayRules(protocol: Protocol): string[] {
  const [firstRule] = protocol.rules;
  const prefix = firstRule?.id.split("-")[0] ?? "";
  const ids = new Set(protocol.rules.map(({ id }) => id));
  return sourcesOf(protocol).flatMap(({ path }) =>
    [...firstLines(readFileSync(path, "utf8"))]
      .filter(([id]) => id.startsWith(`${prefix}-`) && !ids.has(id))
      .map(([id, line]) => `${displayPath(protocol, path)}:${line} ${id}`),
  );
}

/** Formats the output lines for the existing parts of a rule. */
export function mapLines(places: RulePlaces | undefined): string[] {
  if (places === undefined) return [];
  return ruleParts
    .filter((part) => places[part].length > 0)
    .map((part) => `  ${(part === "certification" ? "certified" : part).padEnd(9)} in ${places[part].join(", ")}`);
}

function emptyPlaces(): RulePlaces {
  return { statement: [], check: [], cases: [], scenarios: [], variants: [], twin: [], certification: [] };
}

function addRulePlaces(places: RulePlaces, rule: PlacedRule, { foreign }: Protocol): void {
  const lineAt = (place: string): string => ruleLine(rule.family, `${rule.at}${place}`);
  const code = [rule.check].flat().filter((check) => typeof check === "string");
  places.statement.push(lineAt("/statement"));
  if (rule.check !== undefined) places.check.unshift(lineAt("/check"));
  // For built-in protocols, the search of the code has already found the line.
  if (foreign === true) places.check.push(...code);
  if (rule.cases !== undefined) places.cases.push(lineAt("/cases"));
  for (const kind of ["valid", "invalid", "disputed"] as const)
    if (rule[kind] !== undefined) places.cases.push(lineAt(`/${kind}`));
  for (const name of Object.keys(rule.scenarios ?? {})) places.scenarios.push(lineAt(`/scenarios/${name}`));
}

/** Lists the files that name rules, with the part of a rule that each contains. */
function sourcesOf(protocol: Protocol): { path: string; part: RulePartName }[] {
  const { name, folder, foreign } = protocol;
  const data = [
    ...(rulesWithLines(protocol).length > 0 && protocol.foreign !== true
      ? []
      : [{ path: join(folder, "rules.json"), part: "statement" } as const]),
    { path: join(folder, "certification.json"), part: "certification" } as const,
  ];
  const code = foreign === true ? folder : join(home, "suites", "protocols", name);
  const files = existsSync(code) ? readdirSync(code, { recursive: true, encoding: "utf8" }) : [];
  return [
    ...data.filter(({ path }) => existsSync(path)),
    ...files
      .map((file) => file.split(sep).join("/"))
      .filter((file) => isSource(file))
      .sort()
      .map((file) => ({ path: join(code, file), part: foreign === true ? partOfPack(file) : partOf(file) })),
  ];
}

function isSource(file: string): boolean {
  if (/(^|\/)(node_modules|vectors)\//.test(file) || /\.(test|fixture)\.[mc]?[jt]s$/.test(file)) return false;
  return /\.[mc]?[jt]s$/.test(file) || /^scenarios\.(ya?ml|json)$/.test(file);
}

function partOf(file: string): RulePartName {
  if (/(^|\/)twin(\/|\.)/.test(file)) return "twin";
  if (file.startsWith("scenarios/")) return "scenarios";
  if (file.startsWith("rules/")) return file.includes(".cases.") ? "cases" : "check";
  return "variants";
}

function partOfPack(file: string): RulePartName {
  return file.startsWith("scenarios.") ? "scenarios" : "check";
}

/** Matches the id of a rule, such as `ORDER-SUM-001`, that is not part of a longer word. */
const ruleIdPattern = /(?<![\w-])[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)+-[0-9]{3}(?![\w-])/g;

/** Finds, for each rule that a text names, the number of the first line with its id. */
function firstLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries())
    for (const [id] of line.matchAll(ruleIdPattern)) if (!lines.has(id)) lines.set(id, index + 1);
  return lines;
}

/** Formats the path of a file: relative to the repository for a built-in protocol, and as in errors for a user's file. */
function displayPath({ foreign }: Protocol, path: string): string {
  return foreign === true ? shownPath(path) : relative(home, path).split(sep).join("/");
}
