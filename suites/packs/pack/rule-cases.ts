import {
  type CaseEntry,
  type Cases,
  type ChangeEntry,
  type DisputedCase,
  type FixtureFile,
  type InvalidCase,
  type Json,
  ownMember,
  type PlacedRule,
  type Protocol,
  pointer,
  type RuleFile,
  ruleFault,
  ruleLine,
  type ValidCase,
  type Walk,
} from "../../../schemas/index.ts";
import { documentsFor } from "./checks.ts";
import { type ChangeSources, makeChange } from "./rule-changes.ts";

type CaseKind = "valid" | "invalid" | "disputed";

/** The sources of a pack's cases. */
export interface CaseSources extends ChangeSources {
  fixtures: RuleFile<FixtureFile> | undefined;
  /** Makes the recordings of cases from steps; absent for a pack without a walker. */
  walk?: Walk;
}

/** A valid case and its message, which other cases can change. */
interface ValidStart {
  made: ValidCase;
  value?: Json;
}

/** Makes the cases of a rule in a file, by document. Throws a usage error with file and line for a case without a message to change. */
export function casesFor(protocol: Protocol, rule: PlacedRule, sources: CaseSources): Cases[] {
  return [rule, ...splitByDocument(rule)].flatMap((placedRule) => casesOfRule(protocol, placedRule, sources));
}

/** Splits a rule into one for each document that has its own cases. */
function splitByDocument({ cases = {}, ...rule }: PlacedRule): PlacedRule[] {
  const {
    valid: _valid,
    invalid: _invalid,
    disputed: _disputed,
    permits: _permits,
    yaml: _yaml,
    ...withoutCases
  } = rule;
  const { about: _about, needs: _needs, ...sharedMembers } = withoutCases;
  return Object.entries(cases).map(([document, documentCases]) => ({
    ...sharedMembers,
    ...documentCases,
    document,
    at: `${rule.at}/cases/${pointer.escaped(document)}`,
  }));
}

function casesOfRule(protocol: Protocol, rule: PlacedRule, sources: CaseSources): Cases[] {
  const documents = documentsFor(protocol, rule);
  const ownCases = (kind: CaseKind): [string, CaseEntry][] => Object.entries(rule[kind] ?? {});
  const casesAndDocuments = (["valid", "invalid", "disputed"] as const).flatMap((kind) =>
    ownCases(kind).map(([name, { document = documents[0] as string }]) => ({ kind, name, document })),
  );
  for (const { kind, name, document } of casesAndDocuments)
    if (!documents.includes(document)) {
      const at = placeOfCase(rule, kind, name);
      throw ruleFault(rule.family, `${at}/document`, `the rule is not about ${document}`, "add it to its document");
    }
  return [...new Set(casesAndDocuments.map(({ document }) => document))].map((document) => {
    const casesOfDocument = (kind: CaseKind) =>
      ownCases(kind).filter(([, entry]) => (entry.document ?? documents[0]) === document);
    const validStarts: ValidStart[] = [];
    for (const [name, entry] of casesOfDocument("valid"))
      validStarts.push(makeValidCase(rule, [name, entry], validStarts, sources));
    const valid = validStarts.map(({ made }) => made);
    const brokenCases = (kind: "invalid" | "disputed") =>
      casesOfDocument(kind).map(([name, entry]) =>
        makeBrokenCase(rule, kind, { name, entry, valid: validStarts, sources }),
      );
    const disputed = brokenCases("disputed") as DisputedCase[];
    return {
      rule: rule.id,
      document,
      valid: valid.map(withNeedsOf(rule)),
      invalid: brokenCases("invalid").map(withNeedsOf(rule)),
      ...(disputed.length === 0 ? {} : { disputed: disputed.map(withNeedsOf(rule)) }),
      ...(rule.yaml === undefined ? {} : { yaml: rule.yaml }),
      ...(rule.permits === undefined ? {} : { permits: rule.permits }),
    };
  });
}

/** Returns a function that adds the needs of the rule to a case. */
function withNeedsOf({ needs }: PlacedRule): <T extends ValidCase | InvalidCase | DisputedCase>(oneCase: T) => T {
  return (each) => (needs === undefined ? each : { ...each, needs: [...(each.needs ?? []), ...needs] });
}

/** `FILE:LINE` of a case, by its rule and name; undefined for a case outside of rule files. */
export function caseLine(rules: readonly PlacedRule[], id: string, name: string): string | undefined {
  const entries = rules.filter((rule) => rule.id === id).flatMap((rule) => [rule, ...splitByDocument(rule)]);
  for (const rule of entries)
    for (const kind of ["valid", "invalid", "disputed"] as const)
      if (Object.hasOwn(rule[kind] ?? {}, name)) return ruleLine(rule.family, placeOfCase(rule, kind, name));
  return undefined;
}

/** The members of a case that describe it, without those that make its message. */
function describingMembers(
  entry: CaseEntry,
): Omit<CaseEntry, keyof ChangeEntry | "walk" | "data" | "text" | "base64" | "spelt" | "document"> {
  const { data: _data, text: _text, base64: _base64, spelt: _spelt, document: _document, ...withoutMessage } = entry;
  const {
    set: _set,
    repeat: _repeat,
    remove: _remove,
    copy: _copy,
    add: _add,
    patch: _patch,
    seal: _seal,
    walk: _walk,
    ...describingPart
  } = withoutMessage;
  return describingPart;
}

/** The text or bytes of a case; undefined for a case with a JSON value. */
function textOf({ text, base64 }: CaseEntry): string | Uint8Array | undefined {
  return base64 === undefined ? text : new Uint8Array(Buffer.from(base64, "base64"));
}

function makeValidCase(
  rule: PlacedRule,
  [name, entry]: readonly [name: string, entry: CaseEntry],
  earlierStarts: readonly ValidStart[],
  { fixtures, walk, ...sources }: CaseSources,
): ValidStart {
  const { data, spelt } = entry;
  const { from, ...description } = describingMembers(entry);
  const at = placeOfCase(rule, "valid", name);
  const shared = { name, ...(rule.about === undefined ? {} : { at: rule.about }), ...description };
  const text = textOf(entry);
  if (text !== undefined) return { made: { ...shared, text } };
  if (data !== undefined) return { made: { ...shared, data }, value: data };
  const walkedMessages = entry.walk === undefined ? undefined : walkSteps(rule, `${at}/walk`, entry.walk, walk);
  const parent =
    walkedMessages ??
    (from === undefined
      ? earlierStarts.find((start) => start.value !== undefined)?.value
      : ownMember(fixtures?.value ?? {}, from));
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
  const { value } = makeChange({ rule, at }, entry, parent, sources);
  const message = spelt === undefined ? { data: value } : { text: respell(rule, `${at}/spelt`, value, spelt) };
  return { made: { ...shared, ...message }, value };
}

/** Makes messages from the steps with the pack's walker. Throws a usage error with file and line if the steps fail. */
function walkSteps(rule: PlacedRule, at: string, steps: string, walk: Walk | undefined): Json {
  if (walk === undefined)
    throw ruleFault(rule.family, at, "the pack has no walker for steps", "export a walker from its code");
  try {
    return walk(steps);
  } catch (cause) {
    const problem = `the steps fail: ${(cause as Error).message}`;
    throw ruleFault(
      rule.family,
      at,
      problem,
      "write steps that the pack's walker accepts, in an order that it accepts",
    );
  }
}

function makeBrokenCase(
  rule: PlacedRule,
  kind: "invalid" | "disputed",
  {
    name,
    entry,
    valid,
    sources,
  }: { name: string; entry: CaseEntry; valid: readonly ValidStart[]; sources: CaseSources },
): InvalidCase {
  const { spelt } = entry;
  const description = describingMembers(entry);
  const at = placeOfCase(rule, kind, name);
  const shared = { name, ...description };
  const text = textOf(entry);
  if (text !== undefined) return { ...shared, text };
  const parent =
    description.from === undefined
      ? valid.find(({ value }) => value !== undefined)
      : valid.find(({ made }) => made.name === description.from);
  if (parent?.value === undefined) {
    const names = valid.filter(({ value }) => value !== undefined).map(({ made }) => made.name);
    const problem =
      description.from === undefined
        ? "there is no valid case to change"
        : `there is no valid case ${description.from}`;
    throw ruleFault(
      rule.family,
      description.from === undefined ? at : `${at}/from`,
      problem,
      names.length === 0 ? "add a valid case with data or a fixture" : `there are: ${names.join(", ")}`,
    );
  }
  const { changes, value } = makeChange({ rule, at }, entry, parent.value, sources);
  if (spelt === undefined) return { ...shared, change: changes };
  const { from: _from, ...members } = shared;
  return { ...members, text: respell(rule, `${at}/spelt`, value, spelt) };
}

/** Replaces parts of the JSON text of a value, or of a string value itself. Throws a usage error with file and line for a part that does not occur exactly once. */
function respell(rule: PlacedRule, at: string, value: Json, replacements: Readonly<Record<string, string>>): string {
  let text = typeof value === "string" ? value : JSON.stringify(value);
  for (const [part, replacement] of Object.entries(replacements)) {
    const times = part === "" ? 0 : text.split(part).length - 1;
    if (times !== 1)
      throw ruleFault(
        rule.family,
        `${at}/${pointer.escaped(part)}`,
        `the part ${JSON.stringify(part)} occurs ${times} times in the text`,
        "give a part that occurs exactly once, as JSON.stringify writes it",
      );
    text = text.replace(part, () => replacement);
  }
  return text;
}

function placeOfCase({ at }: PlacedRule, kind: CaseKind, name: string): string {
  return `${at}/${kind}/${pointer.escaped(name)}`;
}
