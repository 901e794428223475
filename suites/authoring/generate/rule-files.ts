import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type CaseEntry,
  type Cases,
  type Change,
  type ChangeEntry,
  equal,
  type Json,
  type JsonObject,
  kebab,
  type Protocol,
  type Rule,
  type RuleEntry,
  type RuleFamily,
  type RulePart,
  type RulesFile,
  readPack,
  rulesInFiles,
  type ScenarioFile,
  type ScenarioPart,
  scenarioFiles,
  shownPath,
  TouchstoneError,
  withCode,
} from "../../../schemas/index.ts";
import { readAs } from "../../base/format/file-text.ts";
import { entryOf } from "../../packs/pack/code.ts";
import { loadPackCode } from "../../packs/pack/descriptor.ts";
import { familiesIn, ruled } from "../../packs/pack/load.ts";
import { writeTexts } from "./make.ts";

/**
 * Converts `rules.json`, `scenarios.yaml` and the cases in code to `rules/*.yaml`, removes the first two, and returns the files. The code
 * stays unchanged. Throws a usage error for a pack with nothing to convert, and for a pack with cases that would change; in both cases nothing is written.
 */
export async function convertToRuleFiles(path: string): Promise<string[]> {
  const pack = withCode(readPack(path), "given");
  const { folder, profile } = pack;
  if (profile.documents.some(({ endpoint }) => endpoint?.described !== undefined))
    throw new TouchstoneError("usage", "rules.json of this pack is generated from its API description", {
      where: shownPath(folder),
      hint: "leave it as it is, and write your own rules into rules/*.yaml beside it",
    });
  const families = await codeFamilies(pack);
  const oldFiles = ["rules.json", ...scenarioFiles]
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path));
  if (rulesInFiles(pack).length > 0 || (oldFiles.length === 0 && families.length === 0))
    throw new TouchstoneError("usage", "the pack has no rules in the older form", {
      where: shownPath(folder),
      hint: "write them into rules/*.yaml, as the guide of packs shows",
    });
  const ruledProtocol = await ruled(pack);
  const texts = await textsOf(ruledProtocol, families, oldFiles);
  const oldTexts = new Map(oldFiles.map((path) => [path, readFileSync(path)]));
  writeTexts(folder, texts);
  for (const path of oldFiles) rmSync(path);
  try {
    refuseChangedRules(ruledProtocol, await ruled(withCode(readPack(path), "given")));
  } catch (error) {
    for (const name of texts.keys()) rmSync(join(folder, name));
    for (const [path, bytes] of oldTexts)
      writeTexts(folder, new Map([[path.slice(folder.length + 1), bytes.toString()]]));
    throw error;
  }
  return [...texts.keys()];
}

async function codeFamilies(protocol: Protocol): Promise<readonly RuleFamily[]> {
  const { rules } = await loadPackCode(protocol);
  return familiesIn(await rules?.());
}

/** Collections on these levels of a rule file always have a line for each member. */
const outerLevels = 6;
/** The length of JSON text that still fits on one line. */
const maxFlowLength = 110;

/** The texts of the new files, by path. */
async function textsOf(
  protocol: Protocol,
  families: readonly RuleFamily[],
  oldFiles: readonly string[],
): Promise<Map<string, string>> {
  const scenarios = await scenariosByRule(oldFiles);
  const entries = await entriesByRule(oldFiles);
  const files = new Map<string, JsonObject>();
  for (const rule of protocol.rules) {
    const index = families.findIndex(({ checkers }) => checkers.some((checker) => checker.rule === rule.id));
    const family = families[index];
    const isNamed = family !== undefined && family.name !== `${protocol.name} ${index + 1}`;
    const name = `rules/${kebab(isNamed ? family.name : protocol.name)}.yaml`;
    const rulePart = rulePartOf(protocol, {
      rule,
      entry: entries.get(rule.id),
      family,
      scenarios: scenarios.get(rule.id),
    });
    files.set(name, { ...files.get(name), [rule.id]: rulePart as unknown as Json });
  }
  const { Document, isCollection, visit } = await import("yaml");
  const texts = [...files].map(([name, rules]): [string, string] => {
    const document = new Document({ rules }, { aliasDuplicateObjects: false });
    // A value that fits on one line is written on one line.
    visit(document, {
      Collection: (_, node, path) => {
        if (path.length <= outerLevels || !isCollection(node)) return;
        if (JSON.stringify(node.toJS(document)).length < maxFlowLength) node.flow = true;
      },
    });
    return [name, document.toString({ lineWidth: 0, flowCollectionPadding: true })];
  });
  return new Map(texts);
}

/** The scenarios, by the first rule that their steps judge. */
async function scenariosByRule(oldFiles: readonly string[]): Promise<Map<string, Record<string, ScenarioPart>>> {
  const scenariosOf = new Map<string, Record<string, ScenarioPart>>();
  const path = oldFiles.find((oldFile) => !oldFile.endsWith("rules.json"));
  if (path === undefined) return scenariosOf;
  const { scenarios } = await readAs<ScenarioFile>("scenarios", shownPath(path));
  for (const { name, ...part } of scenarios) {
    const [rule = ""] = part.steps.flatMap(({ expect = [] }) =>
      expect.flatMap((expectation) => expectation.rule ?? []),
    );
    scenariosOf.set(rule, { ...scenariosOf.get(rule), [name]: part });
  }
  return scenariosOf;
}

/** The parts of a rule in the older form. */
interface OldRule {
  rule: Rule;
  entry: RuleEntry | undefined;
  family: RuleFamily | undefined;
  scenarios: Record<string, ScenarioPart> | undefined;
}

async function entriesByRule(oldFiles: readonly string[]): Promise<Map<string, RuleEntry>> {
  const path = oldFiles.find((oldFile) => oldFile.endsWith("rules.json"));
  const rules = path === undefined ? [] : (await readAs<RulesFile>("rules", shownPath(path))).rules;
  return new Map(rules.map((entry) => [entry.id, entry]));
}

function rulePartOf(protocol: Protocol, { rule, entry, family, scenarios }: OldRule): RulePart {
  const { check: decided, id: _id, ...entryMembers } = entry ?? entryOfRule(rule);
  const checker = family?.checkers.find((candidate) => candidate.rule === rule.id);
  const cases = family?.cases.filter((ruleCases) => ruleCases.rule === rule.id) ?? [];
  const documents = [...new Set([...cases.map(({ document }) => document), ...(checker?.documents ?? [])])];
  const schemaOrScenario = entryMembers.sites !== undefined ? "schema" : scenarios && "stateful";
  const derived = checker !== undefined ? "semantic" : schemaOrScenario;
  const [firstDocument] = documents;
  const casesOfKind = <T>(kind: "valid" | "invalid" | "disputed", entryOfCase: (ruleCase: T) => CaseEntry) => {
    const entries = cases.flatMap((ruleCases) =>
      ((ruleCases[kind] ?? []) as unknown as (T & { name: string })[]).map((ruleCase): [string, CaseEntry] => [
        ruleCase.name,
        { ...entryOfCase(ruleCase), ...(ruleCases.document === firstDocument ? {} : { document: ruleCases.document }) },
      ]),
    );
    return entries.length === 0 ? {} : { [kind]: Object.fromEntries(entries) };
  };
  return {
    ...entryMembers,
    ...(decided === undefined || decided === derived ? {} : { decided }),
    ...(documents.length === 0 ? {} : { document: documents.length === 1 ? (firstDocument as string) : documents }),
    ...(checker === undefined ? {} : { check: `${entryName(protocol)}#${rule.id}` }),
    ...(family?.seals === true ? { seals: true as const } : {}),
    ...(family?.enforcedBy?.[rule.id] === undefined ? {} : { enforcedBy: family.enforcedBy[rule.id] }),
    ...casesOfKind("valid", validEntry),
    ...casesOfKind("invalid", brokenEntry),
    ...casesOfKind("disputed", brokenEntry),
    ...(cases.some(({ permits }) => permits) ? { permits: true } : {}),
    ...(cases.some(({ yaml }) => yaml) ? { yaml: true } : {}),
    ...(scenarios === undefined ? {} : { scenarios }),
  };
}

/** The list entry for a rule that only the code names. */
function entryOfRule({ id, statement, level, clause, binds, check, status }: Rule): RuleEntry {
  return { id, statement, level, clause, binds, check, status };
}

function entryName(protocol: Protocol): string {
  return (entryOf(protocol) ?? "").slice(protocol.folder.length + 1);
}

type ValidRuleCase = Cases["valid"][number];
type BrokenCase = Cases["invalid"][number];

function validEntry({ name: _name, text, ...members }: ValidRuleCase): CaseEntry {
  return {
    ...members,
    ...textEntry(text),
    ...(members.needs === undefined ? {} : { needs: [...members.needs] }),
  } as CaseEntry;
}

function brokenEntry({ name: _name, text, change, ...members }: BrokenCase): CaseEntry {
  return { ...members, ...textEntry(text), ...(change === undefined ? {} : shortChange(change)) } as CaseEntry;
}

function textEntry(text: string | Uint8Array | undefined): Pick<CaseEntry, "text" | "base64"> {
  if (text === undefined) return {};
  return typeof text === "string" ? { text } : { base64: Buffer.from(text).toString("base64") };
}

/** The short form of a change, if it is equivalent: values that are set, added or removed, each once. */
function shortChange(change: readonly Change[]): ChangeEntry {
  const paths = new Set(change.map(({ path }) => path));
  const hasOnly = (ops: readonly string[]): boolean =>
    paths.size === change.length && change.every(({ op, path }) => ops.includes(op) && !/\/(\d+|-)$/.test(path));
  if (hasOnly(["remove"])) return { remove: paths.size === 1 ? String([...paths]) : [...paths] };
  if (hasOnly(["replace"]))
    return {
      set: Object.fromEntries(change.map((operation) => [operation.path, (operation as { value: Json }).value])),
    };
  const addedMembers = change.flatMap((operation) =>
    operation.op === "add" ? [[operation.path, operation.value] as const] : [],
  );
  if (addedMembers.length === change.length && paths.size === change.length)
    return { add: Object.fromEntries(addedMembers) };
  return { patch: [...change] };
}

/** Throws an error if the rules or their published form have changed. */
function refuseChangedRules(oldPack: Protocol & { families: readonly RuleFamily[] }, newPack: typeof oldPack): void {
  const comparableRules = ({ rules, families }: typeof oldPack): Json =>
    JSON.parse(
      JSON.stringify({
        rules: [...rules].sort((a, b) => (a.id < b.id ? -1 : 1)),
        cases: families
          .flatMap(({ cases }) => cases.filter(({ valid, invalid }) => valid.length + invalid.length > 0))
          .sort((a, b) => (`${a.rule} ${a.document}` < `${b.rule} ${b.document}` ? -1 : 1)),
      }),
    ) as Json;
  const [oldRules, newRules] = [comparableRules(oldPack), comparableRules(newPack)];
  if (equal(oldRules, newRules)) return;
  throw new TouchstoneError("usage", "the rules would change when written as files, so nothing was changed", {
    where: shownPath(oldPack.folder),
    hint: "cases that code computes must stay in code",
  });
}
