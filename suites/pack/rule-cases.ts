import {
  type CaseEntry,
  type Cases,
  type Change,
  type ChangeEntry,
  type DisputedCase,
  type FixtureFile,
  type InvalidCase,
  type Json,
  type PlacedRule,
  type Protocol,
  pointer,
  type RuleFile,
  ruleFault,
  ruleLine,
  type ValidCase,
} from "../../schemas/index.ts";
import { documentsOf } from "./checks.ts";

type Patched = (parent: Json, changes: readonly Change[]) => Json | undefined;
type Kind = "valid" | "invalid" | "disputed";

/** Of what a pack's cases are made. */
export interface CaseSources {
  fixtures: RuleFile<FixtureFile> | undefined;
  patched: Patched;
}

/** The cases of a rule in a file, by document. Throws a usage error with file and line for one that begins from nothing. */
export function casesFor(protocol: Protocol, rule: PlacedRule, sources: CaseSources): Cases[] {
  return [rule, ...byDocument(rule)].flatMap((each) => casesOf(protocol, each, sources));
}

/** A rule for each document that has cases of its own. */
function byDocument({ cases = {}, ...rule }: PlacedRule): PlacedRule[] {
  const { valid: _valid, invalid: _invalid, disputed: _disputed, permits: _permits, yaml: _yaml, ...all } = rule;
  const { about: _about, ...said } = all;
  return Object.entries(cases).map(([document, own]) => ({
    ...{ ...said, ...own, document },
    at: `${rule.at}/cases/${pointer.escaped(document)}`,
  }));
}

function casesOf(protocol: Protocol, rule: PlacedRule, sources: CaseSources): Cases[] {
  const documents = documentsOf(protocol, rule);
  const own = (kind: Kind): [string, CaseEntry][] => Object.entries(rule[kind] ?? {});
  const all = (["valid", "invalid", "disputed"] as const).flatMap((kind) =>
    own(kind).map(([name, { document = documents[0] as string }]) => ({ kind, name, document })),
  );
  for (const { kind, name, document } of all)
    if (!documents.includes(document)) {
      const at = placeOfCase(rule, kind, name);
      throw ruleFault(rule.family, `${at}/document`, `the rule is not about ${document}`, "add it to its document");
    }
  return [...new Set(all.map(({ document }) => document))].map((document) => {
    const of = (kind: Kind) => own(kind).filter(([, entry]) => (entry.document ?? documents[0]) === document);
    const valid: ValidCase[] = [];
    for (const [name, entry] of of("valid")) valid.push(validCase(rule, name, entry, valid, sources));
    const broken = (kind: "invalid" | "disputed") =>
      of(kind).map(([name, entry]) => brokenCase(rule, kind, name, entry, valid, sources));
    const disputed = broken("disputed") as DisputedCase[];
    return {
      ...{ rule: rule.id, document, valid, invalid: broken("invalid") },
      ...(disputed.length === 0 ? {} : { disputed }),
      ...(rule.yaml === undefined ? {} : { yaml: rule.yaml }),
      ...(rule.permits === undefined ? {} : { permits: rule.permits }),
    };
  });
}

/** `FILE:LINE` of a case by its rule and name; undefined for one that is in no file of rules. */
export function caseLine(rules: readonly PlacedRule[], id: string, name: string): string | undefined {
  const own = rules.filter((each) => each.id === id).flatMap((each) => [each, ...byDocument(each)]);
  for (const rule of own)
    for (const kind of ["valid", "invalid", "disputed"] as const)
      if (Object.hasOwn(rule[kind] ?? {}, name)) return ruleLine(rule.family, placeOfCase(rule, kind, name));
  return undefined;
}

function validCase(
  rule: PlacedRule,
  name: string,
  entry: CaseEntry,
  before: readonly ValidCase[],
  { fixtures, patched }: CaseSources,
): ValidCase {
  const { from, data, text, base64, set: _set, remove: _remove, copy: _copy, patch: _patch, document, ...said } = entry;
  const at = placeOfCase(rule, "valid", name);
  const kept = { name, ...(rule.about === undefined ? {} : { at: rule.about }), ...said };
  if (text !== undefined) return { ...kept, text };
  if (base64 !== undefined) return { ...kept, text: new Uint8Array(Buffer.from(base64, "base64")) };
  if (data !== undefined) return { ...kept, data };
  const fixture = from === undefined ? undefined : (fixtures?.value ?? {});
  const parent =
    fixture === undefined
      ? before.find((each) => each.data !== undefined)?.data
      : Object.hasOwn(fixture, from as string)
        ? fixture[from as string]
        : undefined;
  if (parent === undefined && from === undefined)
    throw ruleFault(
      rule.family,
      at,
      "there is no valid case before it to change",
      "name a fixture with from, or give data",
    );
  if (parent === undefined) {
    const names = Object.keys(fixtures?.value ?? {});
    const hint = names.length === 0 ? "write it into fixtures.yaml" : `there are: ${names.join(", ")}`;
    throw ruleFault(rule.family, `${at}/from`, `there is no fixture ${from}`, hint);
  }
  return { ...kept, data: patched(parent, changeOf(rule, at, entry, parent, patched)) as Json };
}

function brokenCase(
  rule: PlacedRule,
  kind: "invalid" | "disputed",
  name: string,
  entry: CaseEntry,
  valid: readonly ValidCase[],
  { patched }: CaseSources,
): InvalidCase {
  const {
    text,
    base64,
    set: _set,
    remove: _remove,
    copy: _copy,
    patch: _patch,
    data: _data,
    document,
    ...said
  } = entry;
  const at = placeOfCase(rule, kind, name);
  const kept = { name, ...said };
  if (text !== undefined) return { ...kept, text };
  if (base64 !== undefined) return { ...kept, text: new Uint8Array(Buffer.from(base64, "base64")) };
  const parent =
    said.from === undefined
      ? valid.find(({ data }) => data !== undefined)
      : valid.find((each) => each.name === said.from);
  if (parent?.data === undefined) {
    const names = valid.filter(({ data }) => data !== undefined).map((each) => each.name);
    const what = said.from === undefined ? "there is no valid case to change" : `no valid case is called ${said.from}`;
    throw ruleFault(
      rule.family,
      said.from === undefined ? at : `${at}/from`,
      what,
      names.length === 0 ? "add a valid case with data or a fixture" : `there are: ${names.join(", ")}`,
    );
  }
  return { ...kept, change: changeOf(rule, at, entry, parent.data, patched) };
}

/** A change as a JSON Patch. Throws a usage error with file and line for one that does not apply. */
function changeOf(rule: PlacedRule, at: string, entry: ChangeEntry, parent: Json, patched: Patched): Change[] {
  const { set = {}, remove = [], copy = {}, patch = [] } = entry;
  const changes: Change[] = [];
  let value = parent;
  const take = (change: Change, there: string): void => {
    const next = patched(value, [change]);
    if (next === undefined)
      throw ruleFault(
        rule.family,
        `${at}/${there}`,
        `the change does not apply: ${change.op} "${change.path}"`,
        "look at the message from which the case begins",
      );
    value = next;
    changes.push(change);
  };
  const put = (path: string, given: Json, there: string): void => {
    const op = pointer.has(path, value) ? "replace" : "add";
    take({ op, path, value: given }, `${there}/${pointer.escaped(path)}`);
  };
  for (const [path, given] of Object.entries(set)) put(path, given, "set");
  for (const path of typeof remove === "string" ? [remove] : remove) take({ op: "remove", path }, "remove");
  for (const [path, source] of Object.entries(copy)) {
    const given = pointer.at(source, value);
    if (given === undefined)
      throw ruleFault(
        rule.family,
        `${at}/copy/${pointer.escaped(path)}`,
        `there is nothing at "${source}"`,
        "name a value of the message from which the case begins",
      );
    put(path, given, "copy");
  }
  for (const [index, change] of patch.entries()) take(change, `patch/${index}`);
  return changes;
}

function placeOfCase({ at }: PlacedRule, kind: Kind, name: string): string {
  return `${at}/${kind}/${pointer.escaped(name)}`;
}
