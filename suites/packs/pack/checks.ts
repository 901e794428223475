import {
  type CheckEntry,
  type Forms,
  nearestName,
  type PlacedRule,
  type Protocol,
  patternFault,
  pointer,
  type RuleFamily,
  ruleFault,
  ruleLine,
  TouchstoneError,
  tooDeep,
  type ValueChoice,
} from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import { guardChecker } from "./families.ts";
import { type FormRuleCheck, formCheck } from "./forms.ts";
import { findExport } from "./functions.ts";
import type { OwnChecker } from "./own-pack.ts";

type NamedChecker = RuleFamily["checkers"][number];

/** Returns the checkers of a rule in a file: one for each function that it names, and one for all its checks without code. Empty if the rule is checked elsewhere. `codeCheckers` contains the checkers in the code of a built-in protocol. Throws a usage error with file and line. */
export async function checkersFor(
  protocol: Protocol,
  rule: PlacedRule,
  codeCheckers: readonly NamedChecker[],
): Promise<NamedChecker[]> {
  const { check = [], id } = rule;
  const documents = documentsFor(protocol, rule);
  const checks = [check].flat();
  const places = checks.map((_, index) => `${rule.at}/check${Array.isArray(check) ? `/${index}` : ""}`);
  const entries = checks.flatMap((entry, index): [string, CheckEntry][] =>
    typeof entry === "string" ? [] : [[places[index] as string, entry]],
  );
  const checkers = entries.length === 0 ? [] : [await checkerWithoutCode(rule, entries, documents)];
  if (protocol.foreign !== true)
    return [
      ...checkers,
      ...(entries.length < checks.length ? codeCheckers.filter((checker) => checker.rule === id) : []),
    ];
  for (const [index, entry] of checks.entries())
    if (typeof entry === "string")
      checkers.push(await loadNamedChecker(protocol, rule, entry, places[index] as string));
  return checkers;
}

/** The checker that a rule names by file and export. */
async function loadNamedChecker(
  protocol: Protocol,
  rule: PlacedRule,
  check: string,
  at: string,
): Promise<NamedChecker> {
  const { value, file } = await findExport(protocol, check, rule, at);
  const exportedChecker = (typeof value === "function" ? { check: value } : value) as Partial<OwnChecker> | null;
  if (typeof exportedChecker?.check !== "function" && typeof exportedChecker?.read !== "function")
    throw ruleFault(rule.family, at, `${check} is not a function`, "export a function that returns the breaches");
  const documents =
    (rule.document === undefined ? exportedChecker.documents : undefined) ?? documentsFor(protocol, rule);
  return guardChecker({ ...exportedChecker, rule: rule.id }, documents, check.slice(check.indexOf("#")), file);
}

/** The documents that a rule applies to: all of them if it names none. */
export function documentsFor({ name, profile }: Protocol, { document, family, at }: PlacedRule): string[] {
  const names = profile.documents.map((profileDocument) => profileDocument.name);
  if (document === undefined) return names;
  const documentNames = typeof document === "string" ? [document] : document;
  for (const [index, documentName] of documentNames.entries())
    if (!names.includes(documentName)) {
      const place = typeof document === "string" ? "" : `/${index}`;
      const hint = `${nearestName(documentName, names)}its documents: ${names.join(", ")}`;
      throw ruleFault(family, `${at}/document${place}`, `${name} has no document "${documentName}"`, hint);
    }
  return documentNames;
}

async function checkerWithoutCode(
  rule: PlacedRule,
  entries: readonly [at: string, entry: CheckEntry][],
  documents: string[],
): Promise<NamedChecker> {
  const { guardPattern } = await import("../../../generators/index.ts");
  const checks = entries.map(([at, entry]): [at: string, FormRuleCheck] => {
    refuseMisplaced(rule, entry, at);
    return [at, formCheck(entry, (source) => guardPattern(new RegExp(source, "u"), "throw"))];
  });
  return {
    rule: rule.id,
    documents,
    check: (instance) =>
      checks.flatMap(([at, check]) => {
        try {
          return [...check(instance)];
        } catch (cause) {
          if (!(cause instanceof RangeError)) throw cause;
          throw new TouchstoneError("usage", `the check of ${rule.id} is too slow: ${cause.message}`, {
            where: ruleLine(rule.family, at),
            hint: "look at fewer values with *, or write a pattern without repetitions within repetitions",
            cause,
          });
        }
      }),
  };
}

/** Throws a usage error for an invalid place or pattern. */
function refuseMisplaced(rule: PlacedRule, { when = {}, ...entry }: CheckEntry, at: string): void {
  const judgedPlaces = [...Object.values(placesIn(entry)).flat(), ...(entry.unique ?? [])];
  const maxStars = Math.max(0, ...judgedPlaces.map(starsIn));
  for (const [forms, formsAt] of [
    [entry, at],
    [when, `${at}/when`],
  ] as const) {
    refuseForms(rule, forms, formsAt);
    for (const [name, otherPlace] of Object.entries({ ...forms.equal, ...forms.differs, ...forms.atMost }))
      if (starsIn(otherPlace) > Math.max(starsIn(name), forms === when ? maxStars : 0))
        throw ruleFault(
          rule.family,
          `${formsAt}/${formOf(forms, name, otherPlace)}/${pointer.escaped(name)}`,
          `${otherPlace} has more * than ${name}, so it is not a single value`,
          `to accept any of several values, write oneOf: { ${name}: ${otherPlace} }`,
        );
  }
}

/** The name of the form that compares these two places. */
function formOf({ equal, atMost }: Forms, name: string, otherPlace: string): string {
  return equal?.[name] === otherPlace ? "equal" : atMost?.[name] === otherPlace ? "atMost" : "differs";
}

function refuseForms(rule: PlacedRule, { matches = {}, one: exactlyOne = [] }: Forms, at: string): void {
  for (const [place, source] of Object.entries(matches)) {
    const depth = tooDeep(source);
    const tooDeepFault = { why: `groups are nested ${depth} levels deep`, hint: "nest fewer groups" };
    const fault = depth === undefined ? patternFault(source) : tooDeepFault;
    if (fault !== undefined)
      throw ruleFault(
        rule.family,
        `${at}/matches/${pointer.escaped(place)}`,
        `${quote(source)} is not a regular expression: ${fault.why}`,
        fault.hint,
      );
  }
  const holders = new Set(exactlyOne.map((place) => pointer.split(place).parent));
  if (holders.size > 1)
    throw ruleFault(rule.family, `${at}/one`, "these are members of several objects", "name members of one object");
}

/** The places that each form judges. */
function placesIn({ present = [], absent = [], one: exactlyOne = [], ...forms }: Forms): Record<string, string[]> {
  const { equal, differs, atMost, oneOf, noneOf, matches } = forms;
  const placesOf = (placeMap: Record<string, string | ValueChoice> | undefined) => Object.keys(placeMap ?? {});
  return {
    values: [equal, differs, atMost, oneOf, noneOf, matches].flatMap(placesOf),
    members: [...present, ...absent, ...exactlyOne],
  };
}

function starsIn(place: string): number {
  return place.split("/").filter((segment) => segment === "*").length;
}
