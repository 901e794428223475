import {
  type CaseEntry,
  type Cases,
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
  type Walk,
} from "../../../schemas/index.ts";
import { documentsOf } from "./checks.ts";
import { type ChangeSources, changeOf } from "./rule-changes.ts";

type CaseKind = "valid" | "invalid" | "disputed";

/** The sources of a pack's cases. */
export interface CaseSources extends ChangeSources {
  fixtures: RuleFile<FixtureFile> | undefined;
  /** Makes the recordings of cases from steps; absent for a pack without a walker. */
  walk?: Walk;
}

/** A valid case, and the message from which others can be made. */
interface Begun {
  made: ValidCase;
  value?: Json;
}

/** The cases of a rule in a file, by document. Throws a usage error with file and line for a case without a start. */
export function casesFor(protocol: Protocol, rule: PlacedRule, sources: CaseSources): Cases[] {
  return [rule, ...byDocument(rule)].flatMap((placedRule) => casesOf(protocol, placedRule, sources));
}

/** Splits a rule into one for each document that has its own cases. */
function byDocument({ cases = {}, ...rule }: PlacedRule): PlacedRule[] {
  const { valid: _valid, invalid: _invalid, disputed: _disputed, permits: _permits, yaml: _yaml, ...all } = rule;
  const { about: _about, needs: _needs, ...said } = all;
  return Object.entries(cases).map(([document, documentCases]) => ({
    ...said,
    ...documentCases,
    document,
    at: `${rule.at}/cases/${pointer.escaped(document)}`,
  }));
}

function casesOf(protocol: Protocol, rule: PlacedRule, sources: CaseSources): Cases[] {
  const documents = documentsOf(protocol, rule);
  const ownCases = (kind: CaseKind): [string, CaseEntry][] => Object.entries(rule[kind] ?? {});
  const all = (["valid", "invalid", "disputed"] as const).flatMap((kind) =>
    ownCases(kind).map(([name, { document = documents[0] as string }]) => ({ kind, name, document })),
  );
  for (const { kind, name, document } of all)
    if (!documents.includes(document)) {
      const at = placeOfCase(rule, kind, name);
      throw ruleFault(rule.family, `${at}/document`, `the rule is not about ${document}`, "add it to its document");
    }
  return [...new Set(all.map(({ document }) => document))].map((document) => {
    const casesOfDocument = (kind: CaseKind) =>
      ownCases(kind).filter(([, entry]) => (entry.document ?? documents[0]) === document);
    const begun: Begun[] = [];
    for (const [name, entry] of casesOfDocument("valid")) begun.push(validCase(rule, [name, entry], begun, sources));
    const valid = begun.map(({ made }) => made);
    const brokenCases = (kind: "invalid" | "disputed") =>
      casesOfDocument(kind).map(([name, entry]) => brokenCase(rule, kind, { name, entry, valid: begun, sources }));
    const disputed = brokenCases("disputed") as DisputedCase[];
    return {
      rule: rule.id,
      document,
      valid: valid.map(needing(rule)),
      invalid: brokenCases("invalid").map(needing(rule)),
      ...(disputed.length === 0 ? {} : { disputed: disputed.map(needing(rule)) }),
      ...(rule.yaml === undefined ? {} : { yaml: rule.yaml }),
      ...(rule.permits === undefined ? {} : { permits: rule.permits }),
    };
  });
}

/** Adds the needs of the rule to a case. */
function needing({ needs }: PlacedRule): <T extends ValidCase | InvalidCase | DisputedCase>(each: T) => T {
  return (each) => (needs === undefined ? each : { ...each, needs: [...(each.needs ?? []), ...needs] });
}

/** `FILE:LINE` of a case, by its rule and name; undefined for a case outside of rule files. */
export function caseLine(rules: readonly PlacedRule[], id: string, name: string): string | undefined {
  const entries = rules.filter((rule) => rule.id === id).flatMap((rule) => [rule, ...byDocument(rule)]);
  for (const rule of entries)
    for (const kind of ["valid", "invalid", "disputed"] as const)
      if (Object.hasOwn(rule[kind] ?? {}, name)) return ruleLine(rule.family, placeOfCase(rule, kind, name));
  return undefined;
}

/** The members of a case other than its message. */
function saidOf(
  entry: CaseEntry,
): Omit<CaseEntry, keyof ChangeEntry | "walk" | "data" | "text" | "base64" | "spelt" | "document"> {
  const { data: _data, text: _text, base64: _base64, spelt: _spelt, document: _document, ...rest } = entry;
  const {
    set: _set,
    repeat: _repeat,
    remove: _remove,
    copy: _copy,
    add: _add,
    patch: _patch,
    seal: _seal,
    walk: _walk,
    ...said
  } = rest;
  return said;
}

/** The text of a case that has one instead of a value. */
function textOf({ text, base64 }: CaseEntry): string | Uint8Array | undefined {
  return base64 === undefined ? text : new Uint8Array(Buffer.from(base64, "base64"));
}

function validCase(
  rule: PlacedRule,
  [name, entry]: readonly [name: string, entry: CaseEntry],
  before: readonly Begun[],
  { fixtures, walk, ...sources }: CaseSources,
): Begun {
  const { data, spelt } = entry;
  const { from, ...said } = saidOf(entry);
  const at = placeOfCase(rule, "valid", name);
  const kept = { name, ...(rule.about === undefined ? {} : { at: rule.about }), ...said };
  const text = textOf(entry);
  if (text !== undefined) return { made: { ...kept, text } };
  if (data !== undefined) return { made: { ...kept, data }, value: data };
  const fixture = from === undefined ? undefined : (fixtures?.value ?? {});
  const begun = entry.walk === undefined ? undefined : walkSteps(rule, `${at}/walk`, entry.walk, walk);
  const parent =
    begun ??
    (fixture === undefined
      ? before.find((each) => each.value !== undefined)?.value
      : Object.hasOwn(fixture, from as string)
        ? fixture[from as string]
        : undefined);
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
  const { value } = changeOf({ rule, at }, entry, parent, sources);
  const made = spelt === undefined ? { data: value } : { text: speltAs(rule, `${at}/spelt`, value, spelt) };
  return { made: { ...kept, ...made }, value };
}

/** The result of the steps. Throws a usage error with file and line for steps that fail. */
function walkSteps(rule: PlacedRule, at: string, steps: string, walk: Walk | undefined): Json {
  if (walk === undefined)
    throw ruleFault(rule.family, at, "the pack has no walker for steps", "export a walker from its code");
  try {
    return walk(steps);
  } catch (cause) {
    const what = `the change cannot be applied: ${(cause as Error).message}`;
    throw ruleFault(rule.family, at, what, "write steps that the walker of the pack's code accepts, in their order");
  }
}

function brokenCase(
  rule: PlacedRule,
  kind: "invalid" | "disputed",
  { name, entry, valid, sources }: { name: string; entry: CaseEntry; valid: readonly Begun[]; sources: CaseSources },
): InvalidCase {
  const { spelt } = entry;
  const description = saidOf(entry);
  const at = placeOfCase(rule, kind, name);
  const kept = { name, ...description };
  const text = textOf(entry);
  if (text !== undefined) return { ...kept, text };
  const parent =
    description.from === undefined
      ? valid.find(({ value }) => value !== undefined)
      : valid.find(({ made }) => made.name === description.from);
  if (parent?.value === undefined) {
    const names = valid.filter(({ value }) => value !== undefined).map(({ made }) => made.name);
    const what =
      description.from === undefined
        ? "there is no valid case to change"
        : `there is no valid case ${description.from}`;
    throw ruleFault(
      rule.family,
      description.from === undefined ? at : `${at}/from`,
      what,
      names.length === 0 ? "add a valid case with data or a fixture" : `there are: ${names.join(", ")}`,
    );
  }
  const { changes, value } = changeOf({ rule, at }, entry, parent.value, sources);
  if (spelt === undefined) return { ...kept, change: changes };
  const { from: _from, ...members } = kept;
  return { ...members, text: speltAs(rule, `${at}/spelt`, value, spelt) };
}

/** The JSON text of a value, or a value that is itself a text, with parts replaced. Throws a usage error with file and line for a part that does not occur exactly once. */
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

function placeOfCase({ at }: PlacedRule, kind: CaseKind, name: string): string {
  return `${at}/${kind}/${pointer.escaped(name)}`;
}
