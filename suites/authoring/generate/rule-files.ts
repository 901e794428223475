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
import { descriptorIn } from "../../packs/pack/descriptor.ts";
import { familiesIn, ruled } from "../../packs/pack/load.ts";
import { writeTexts } from "./make.ts";

/**
 * Converts `rules.json`, `scenarios.yaml` and the cases in code to `rules/*.yaml`, removes the first two, and returns the files. The code
 * stays unchanged. Throws a usage error for a pack with nothing to convert, and for a pack with cases that would change; in both cases nothing is written.
 */
export async function toRuleFiles(path: string): Promise<string[]> {
  const before = withCode(readPack(path), "given");
  const { folder, profile } = before;
  if (profile.documents.some(({ endpoint }) => endpoint?.described !== undefined))
    throw new TouchstoneError("usage", "rules.json of this pack is generated from its API description", {
      where: shownPath(folder),
      hint: "leave it as it is, and write your own rules into rules/*.yaml beside it",
    });
  const families = await familiesOf(before);
  const oldFiles = ["rules.json", ...scenarioFiles]
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path));
  if (rulesInFiles(before).length > 0 || (oldFiles.length === 0 && families.length === 0))
    throw new TouchstoneError("usage", "the pack has no rules in the older form", {
      where: shownPath(folder),
      hint: "write them into rules/*.yaml, as the guide of packs shows",
    });
  const ruledProtocol = await ruled(before);
  const texts = await textsOf(ruledProtocol, families, oldFiles);
  const oldTexts = new Map(oldFiles.map((path) => [path, readFileSync(path)]));
  writeTexts(folder, texts);
  for (const path of oldFiles) rmSync(path);
  try {
    refuseOther(ruledProtocol, await ruled(withCode(readPack(path), "given")));
  } catch (error) {
    for (const name of texts.keys()) rmSync(join(folder, name));
    for (const [path, bytes] of oldTexts)
      writeTexts(folder, new Map([[path.slice(folder.length + 1), bytes.toString()]]));
    throw error;
  }
  return [...texts.keys()];
}

async function familiesOf(protocol: Protocol): Promise<readonly RuleFamily[]> {
  const { rules } = await descriptorIn(protocol);
  return familiesIn(await rules?.());
}

/** The files by their names. */
async function textsOf(
  protocol: Protocol,
  families: readonly RuleFamily[],
  old: readonly string[],
): Promise<Map<string, string>> {
  const scenarios = await scenariosBy(old);
  const entries = await entriesBy(old);
  const files = new Map<string, JsonObject>();
  for (const rule of protocol.rules) {
    const index = families.findIndex(({ checkers }) => checkers.some((checker) => checker.rule === rule.id));
    const family = families[index];
    const isNamed = family !== undefined && family.name !== `${protocol.name} ${index + 1}`;
    const name = `rules/${kebab(isNamed ? family.name : protocol.name)}.yaml`;
    const part = partOf(protocol, {
      rule,
      entry: entries.get(rule.id),
      family,
      scenarios: scenarios.get(rule.id),
    });
    files.set(name, { ...files.get(name), [rule.id]: part as unknown as Json });
  }
  const { Document, isCollection, visit } = await import("yaml");
  const texts = [...files].map(([name, rules]): [string, string] => {
    const document = new Document({ rules }, { aliasDuplicateObjects: false });
    // A value that fits on one line is written on one line.
    visit(document, {
      Collection: (_, node, path) => {
        if (path.length > 6 && isCollection(node) && JSON.stringify(node.toJS(document)).length < 110) node.flow = true;
      },
    });
    return [name, document.toString({ lineWidth: 0, flowCollectionPadding: true })];
  });
  return new Map(texts);
}

/** The scenarios of steps, each with the first rule that it judges. */
async function scenariosBy(old: readonly string[]): Promise<Map<string, Record<string, ScenarioPart>>> {
  const by = new Map<string, Record<string, ScenarioPart>>();
  const path = old.find((each) => !each.endsWith("rules.json"));
  if (path === undefined) return by;
  const { scenarios } = await readAs<ScenarioFile>("scenarios", shownPath(path));
  for (const { name, ...part } of scenarios) {
    const [rule = ""] = part.steps.flatMap(({ expect = [] }) =>
      expect.flatMap((expectation) => expectation.rule ?? []),
    );
    by.set(rule, { ...by.get(rule), [name]: part });
  }
  return by;
}

/** The parts of a rule in the older form. */
interface OldRule {
  rule: Rule;
  entry: RuleEntry | undefined;
  family: RuleFamily | undefined;
  scenarios: Record<string, ScenarioPart> | undefined;
}

async function entriesBy(old: readonly string[]): Promise<Map<string, RuleEntry>> {
  const path = old.find((each) => each.endsWith("rules.json"));
  const rules = path === undefined ? [] : (await readAs<RulesFile>("rules", shownPath(path))).rules;
  return new Map(rules.map((entry) => [entry.id, entry]));
}

function partOf(protocol: Protocol, { rule, entry, family, scenarios }: OldRule): RulePart {
  const { check: decided, id: _id, ...said } = entry ?? entryOfRule(rule);
  const checker = family?.checkers.find((each) => each.rule === rule.id);
  const cases = family?.cases.filter((each) => each.rule === rule.id) ?? [];
  const documents = [...new Set([...cases.map(({ document }) => document), ...(checker?.documents ?? [])])];
  const found = checker !== undefined ? "semantic" : said.sites !== undefined ? "schema" : scenarios && "stateful";
  const [only] = documents;
  const casesOfKind = <T>(kind: "valid" | "invalid" | "disputed", entryOfCase: (each: T) => CaseEntry) => {
    const all = cases.flatMap((each) =>
      ((each[kind] ?? []) as unknown as (T & { name: string })[]).map((one): [string, CaseEntry] => [
        one.name,
        { ...entryOfCase(one), ...(each.document === only ? {} : { document: each.document }) },
      ]),
    );
    return all.length === 0 ? {} : { [kind]: Object.fromEntries(all) };
  };
  return {
    ...said,
    ...(decided === undefined || decided === found ? {} : { decided }),
    ...(documents.length === 0 ? {} : { document: documents.length === 1 ? (only as string) : documents }),
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

type Valid = Cases["valid"][number];
type BrokenRules = Cases["invalid"][number];

function validEntry({ name: _name, text, ...said }: Valid): CaseEntry {
  return { ...said, ...textEntry(text), ...(said.needs === undefined ? {} : { needs: [...said.needs] }) } as CaseEntry;
}

function brokenEntry({ name: _name, text, change, ...said }: BrokenRules): CaseEntry {
  return { ...said, ...textEntry(text), ...(change === undefined ? {} : shortOf(change)) } as CaseEntry;
}

function textEntry(text: string | Uint8Array | undefined): Pick<CaseEntry, "text" | "base64"> {
  if (text === undefined) return {};
  return typeof text === "string" ? { text } : { base64: Buffer.from(text).toString("base64") };
}

/** The short form of a change, if it is equivalent: values that are set, added or removed, each once. */
function shortOf(change: readonly Change[]): ChangeEntry {
  const paths = new Set(change.map(({ path }) => path));
  const isEach = (ops: readonly string[]): boolean =>
    paths.size === change.length && change.every(({ op, path }) => ops.includes(op) && !/\/(\d+|-)$/.test(path));
  if (isEach(["remove"])) return { remove: paths.size === 1 ? String([...paths]) : [...paths] };
  if (isEach(["replace"]))
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
function refuseOther(before: Protocol & { families: readonly RuleFamily[] }, after: typeof before): void {
  const readableRules = ({ rules, families }: typeof before): Json =>
    JSON.parse(
      JSON.stringify({
        rules: [...rules].sort((a, b) => (a.id < b.id ? -1 : 1)),
        cases: families
          .flatMap(({ cases }) => cases.filter(({ valid, invalid }) => valid.length + invalid.length > 0))
          .sort((a, b) => (`${a.rule} ${a.document}` < `${b.rule} ${b.document}` ? -1 : 1)),
      }),
    ) as Json;
  const [oldRules, now] = [readableRules(before), readableRules(after)];
  if (equal(oldRules, now)) return;
  throw new TouchstoneError("usage", "the rules would change when written as files, so nothing was changed", {
    where: shownPath(before.folder),
    hint: "cases that code computes must stay in code",
  });
}
