import {
  type CaseEntry,
  type Cases,
  type Change,
  type ChangeEntry,
  type DisputedCase,
  equal,
  type FixtureFile,
  type InvalidCase,
  isObject,
  type Json,
  type JsonObject,
  type PlacedRule,
  type Protocol,
  pointer,
  type RuleFile,
  ruleFault,
  ruleLine,
  type Sign,
  type ValidCase,
} from "../../../schemas/index.ts";
import { documentsOf } from "./checks.ts";

type Patched = (parent: Json, changes: readonly Change[]) => Json | undefined;
type CaseKind = "valid" | "invalid" | "disputed";

/** The sources of a pack's cases. */
export interface CaseSources {
  fixtures: RuleFile<FixtureFile> | undefined;
  patched: Patched;
  /** Signs a message; absent for a pack that signs nothing. */
  seal?: Sign;
}

/** A valid case, and the message from which others can be made. */
interface Begun {
  made: ValidCase;
  value?: Json;
}

/** The cases of a rule in a file, by document. Throws a usage error with file and line for a case without a start. */
export function casesFor(protocol: Protocol, rule: PlacedRule, sources: CaseSources): Cases[] {
  return [rule, ...byDocument(rule)].flatMap((each) => casesOf(protocol, each, sources));
}

/** A rule for each document that has cases of its own. */
function byDocument({ cases = {}, ...rule }: PlacedRule): PlacedRule[] {
  const { valid: _valid, invalid: _invalid, disputed: _disputed, permits: _permits, yaml: _yaml, ...all } = rule;
  const { about: _about, needs: _needs, ...said } = all;
  return Object.entries(cases).map(([document, own]) => ({
    ...said,
    ...own,
    document,
    at: `${rule.at}/cases/${pointer.escaped(document)}`,
  }));
}

function casesOf(protocol: Protocol, rule: PlacedRule, sources: CaseSources): Cases[] {
  const documents = documentsOf(protocol, rule);
  const own = (kind: CaseKind): [string, CaseEntry][] => Object.entries(rule[kind] ?? {});
  const all = (["valid", "invalid", "disputed"] as const).flatMap((kind) =>
    own(kind).map(([name, { document = documents[0] as string }]) => ({ kind, name, document })),
  );
  for (const { kind, name, document } of all)
    if (!documents.includes(document)) {
      const at = placeOfCase(rule, kind, name);
      throw ruleFault(rule.family, `${at}/document`, `the rule is not about ${document}`, "add it to its document");
    }
  return [...new Set(all.map(({ document }) => document))].map((document) => {
    const of = (kind: CaseKind) => own(kind).filter(([, entry]) => (entry.document ?? documents[0]) === document);
    const begun: Begun[] = [];
    for (const [name, entry] of of("valid")) begun.push(validCase(rule, name, entry, begun, sources));
    const valid = begun.map(({ made }) => made);
    const broken = (kind: "invalid" | "disputed") =>
      of(kind).map(([name, entry]) => brokenCase(rule, kind, { name, entry, valid: begun, sources }));
    const disputed = broken("disputed") as DisputedCase[];
    return {
      rule: rule.id,
      document,
      valid: valid.map(needing(rule)),
      invalid: broken("invalid").map(needing(rule)),
      ...(disputed.length === 0 ? {} : { disputed: disputed.map(needing(rule)) }),
      ...(rule.yaml === undefined ? {} : { yaml: rule.yaml }),
      ...(rule.permits === undefined ? {} : { permits: rule.permits }),
    };
  });
}

/** A case with what all cases of the rule need. */
function needing({ needs }: PlacedRule): <T extends ValidCase | InvalidCase | DisputedCase>(each: T) => T {
  return (each) => (needs === undefined ? each : { ...each, needs: [...(each.needs ?? []), ...needs] });
}

/** `FILE:LINE` of a case by its rule and name; undefined for a case outside files of rules. */
export function caseLine(rules: readonly PlacedRule[], id: string, name: string): string | undefined {
  const own = rules.filter((each) => each.id === id).flatMap((each) => [each, ...byDocument(each)]);
  for (const rule of own)
    for (const kind of ["valid", "invalid", "disputed"] as const)
      if (Object.hasOwn(rule[kind] ?? {}, name)) return ruleLine(rule.family, placeOfCase(rule, kind, name));
  return undefined;
}

/** The members of a case beside its message. */
function saidOf(
  entry: CaseEntry,
): Omit<CaseEntry, keyof ChangeEntry | "data" | "text" | "base64" | "spelt" | "document"> {
  const { data: _data, text: _text, base64: _base64, spelt: _spelt, document: _document, ...rest } = entry;
  const { set: _set, remove: _remove, copy: _copy, add: _add, patch: _patch, seal: _seal, ...said } = rest;
  return said;
}

/** The text of a case that has one instead of a value. */
function textOf({ text, base64 }: CaseEntry): string | Uint8Array | undefined {
  return base64 === undefined ? text : new Uint8Array(Buffer.from(base64, "base64"));
}

function validCase(
  rule: PlacedRule,
  name: string,
  entry: CaseEntry,
  before: readonly Begun[],
  { fixtures, ...sources }: CaseSources,
): Begun {
  const { data, spelt } = entry;
  const { from, ...said } = saidOf(entry);
  const at = placeOfCase(rule, "valid", name);
  const kept = { name, ...(rule.about === undefined ? {} : { at: rule.about }), ...said };
  const text = textOf(entry);
  if (text !== undefined) return { made: { ...kept, text } };
  if (data !== undefined) return { made: { ...kept, data }, value: data };
  const fixture = from === undefined ? undefined : (fixtures?.value ?? {});
  const parent =
    fixture === undefined
      ? before.find((each) => each.value !== undefined)?.value
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
  const { value } = changeOf(rule, at, entry, parent, sources);
  const made = spelt === undefined ? { data: value } : { text: speltAs(rule, `${at}/spelt`, value, spelt) };
  return { made: { ...kept, ...made }, value };
}

function brokenCase(
  rule: PlacedRule,
  kind: "invalid" | "disputed",
  { name, entry, valid, sources }: { name: string; entry: CaseEntry; valid: readonly Begun[]; sources: CaseSources },
): InvalidCase {
  const { spelt } = entry;
  const said = saidOf(entry);
  const at = placeOfCase(rule, kind, name);
  const kept = { name, ...said };
  const text = textOf(entry);
  if (text !== undefined) return { ...kept, text };
  const parent =
    said.from === undefined
      ? valid.find(({ value }) => value !== undefined)
      : valid.find(({ made }) => made.name === said.from);
  if (parent?.value === undefined) {
    const names = valid.filter(({ value }) => value !== undefined).map(({ made }) => made.name);
    const what = said.from === undefined ? "there is no valid case to change" : `no valid case is called ${said.from}`;
    throw ruleFault(
      rule.family,
      said.from === undefined ? at : `${at}/from`,
      what,
      names.length === 0 ? "add a valid case with data or a fixture" : `there are: ${names.join(", ")}`,
    );
  }
  const { changes, value } = changeOf(rule, at, entry, parent.value, sources);
  if (spelt === undefined) return { ...kept, change: changes };
  const { from: _from, ...own } = kept;
  return { ...own, text: speltAs(rule, `${at}/spelt`, value, spelt) };
}

/** The JSON text of a value, or a value that is a text itself, with parts replaced. Throws a usage error with file and line for a part that is not there once. */
function speltAs(rule: PlacedRule, at: string, value: Json, spelt: Readonly<Record<string, string>>): string {
  let text = typeof value === "string" ? value : JSON.stringify(value);
  for (const [part, other] of Object.entries(spelt)) {
    const times = part === "" ? 0 : text.split(part).length - 1;
    if (times !== 1)
      throw ruleFault(
        rule.family,
        `${at}/${pointer.escaped(part)}`,
        `the text has ${JSON.stringify(part)} ${times === 0 ? "nowhere" : `${times} times`}`,
        "write a part that it has once, as JSON.stringify writes it",
      );
    text = text.replace(part, () => other);
  }
  return text;
}

/** A change as a JSON Patch, and the changed message. Throws a usage error with file and line for a change that does not apply. */
function changeOf(
  rule: PlacedRule,
  at: string,
  entry: ChangeEntry,
  parent: Json,
  { patched, seal }: Omit<CaseSources, "fixtures">,
): { changes: Change[]; value: Json } {
  const { set = {}, remove = [], copy = {}, add = {}, patch = [] } = entry;
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
  for (const path of [remove].flat()) take({ op: "remove", path }, "remove");
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
  for (const [path, given] of Object.entries(add))
    take({ op: "add", path, value: given }, `add/${pointer.escaped(path)}`);
  for (const [index, change] of patch.entries()) take(change, `patch/${index}`);
  for (const [place, mistake] of sealsIn(entry))
    for (const [name, given] of sealAgain(rule, `${at}/seal`, pointer.at(place, value), { seal, mistake }))
      put(pointer.append(place, name), given, "seal");
  return { changes, value };
}

function sealsIn({ seal = [] }: ChangeEntry): [place: string, mistake?: string][] {
  return isObject(seal as Json) ? Object.entries(seal) : [seal as string | string[]].flat().map((place) => [place]);
}

/** The members that signing a message again changes. Throws a usage error with file and line if it changes none. */
function sealAgain(
  rule: PlacedRule,
  at: string,
  message: Json | undefined,
  { seal, mistake }: { seal: Sign | undefined; mistake: string | undefined },
): [string, Json][] {
  if (seal === undefined)
    throw ruleFault(rule.family, at, "the pack has nothing that signs", "export a signer from its code");
  const made = message === undefined ? undefined : seal(message, mistake);
  const own: JsonObject = isObject(message) ? message : {};
  const changed = isObject(made) ? Object.entries(made).filter(([name, each]) => !equal(each, own[name] ?? null)) : [];
  if (changed.length > 0) return changed;
  const hint = "name the place of a message that the change touches";
  throw ruleFault(rule.family, at, "there is nothing to sign again", hint);
}

function placeOfCase({ at }: PlacedRule, kind: CaseKind, name: string): string {
  return `${at}/${kind}/${pointer.escaped(name)}`;
}
