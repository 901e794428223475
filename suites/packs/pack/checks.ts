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
import { exportNamed } from "./functions.ts";
import type { OwnChecker } from "./own-pack.ts";

type NamedChecker = RuleFamily["checkers"][number];

/** The checkers of a rule in a file: one for each function that it names, and one for all checks without code; empty if its check is elsewhere. `inCode` has the checkers of a built-in protocol, with its code loaded. Throws a usage error with file and line. */
export async function checkersFor(
  protocol: Protocol,
  rule: PlacedRule,
  inCode: readonly NamedChecker[],
): Promise<NamedChecker[]> {
  const { check = [], id } = rule;
  const documents = documentsOf(protocol, rule);
  const all = [check].flat();
  const places = all.map((_, index) => `${rule.at}/check${Array.isArray(check) ? `/${index}` : ""}`);
  const entries = all.flatMap((each, index): [string, CheckEntry][] =>
    typeof each === "string" ? [] : [[places[index] as string, each]],
  );
  const found = entries.length === 0 ? [] : [await withoutCode(rule, entries, documents)];
  if (protocol.foreign !== true)
    return [...found, ...(entries.length < all.length ? inCode.filter((checker) => checker.rule === id) : [])];
  for (const [index, each] of all.entries())
    if (typeof each === "string") found.push(await namedCheck(protocol, rule, each, places[index] as string));
  return found;
}

/** The checker that a rule names by file and export. */
async function namedCheck(protocol: Protocol, rule: PlacedRule, check: string, at: string): Promise<NamedChecker> {
  const { value, file } = await exportNamed(protocol, check, rule, at);
  const given = (typeof value === "function" ? { check: value } : value) as Partial<OwnChecker> | null;
  if (typeof given?.check !== "function" && typeof given?.read !== "function")
    throw ruleFault(rule.family, at, `${check} is not a function`, "export a function that gives the breaches");
  const documents = (rule.document === undefined ? given.documents : undefined) ?? documentsOf(protocol, rule);
  return guardChecker({ ...given, rule: rule.id }, documents, check.slice(check.indexOf("#")), file);
}

/** The documents to which a rule applies; all, if it names none. */
export function documentsOf({ name, profile }: Protocol, { document, family, at }: PlacedRule): string[] {
  const known = profile.documents.map((each) => each.name);
  if (document === undefined) return known;
  const wanted = typeof document === "string" ? [document] : document;
  for (const [index, each] of wanted.entries())
    if (!known.includes(each)) {
      const place = typeof document === "string" ? "" : `/${index}`;
      const hint = `${nearestName(each, known)}its documents: ${known.join(", ")}`;
      throw ruleFault(family, `${at}/document${place}`, `${name} has no document "${each}"`, hint);
    }
  return wanted;
}

async function withoutCode(
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

/** Throws a usage error for a meaningless place or pattern. */
function refuseMisplaced(rule: PlacedRule, { when = {}, ...entry }: CheckEntry, at: string): void {
  const judged = [...Object.values(placesIn(entry)).flat(), ...(entry.unique ?? [])];
  const maxStars = Math.max(0, ...judged.map(starsIn));
  for (const [forms, there] of [
    [entry, at],
    [when, `${at}/when`],
  ] as const) {
    refuseForms(rule, forms, there);
    for (const [name, other] of Object.entries({ ...forms.equal, ...forms.differs, ...forms.atMost }))
      if (starsIn(other) > Math.max(starsIn(name), forms === when ? maxStars : 0))
        throw ruleFault(
          rule.family,
          `${there}/${formOf(forms, name, other)}/${pointer.escaped(name)}`,
          `${other} has more * than ${name}, so that it is not one value`,
          `for one of several values write oneOf: { ${name}: ${other} }`,
        );
  }
}

/** The form that compares one place with another. */
function formOf({ equal, atMost }: Forms, name: string, other: string): string {
  return equal?.[name] === other ? "equal" : atMost?.[name] === other ? "atMost" : "differs";
}

function refuseForms(rule: PlacedRule, { matches = {}, one = [] }: Forms, at: string): void {
  for (const [place, source] of Object.entries(matches)) {
    const depth = tooDeep(source);
    const deep = { why: `groups are nested ${depth} levels deep`, hint: "nest fewer groups" };
    const fault = depth === undefined ? patternFault(source) : deep;
    if (fault !== undefined)
      throw ruleFault(
        rule.family,
        `${at}/matches/${pointer.escaped(place)}`,
        `${quote(source)} is not a regular expression: ${fault.why}`,
        fault.hint,
      );
  }
  const holders = new Set(one.map((place) => pointer.split(place).parent));
  if (holders.size > 1)
    throw ruleFault(rule.family, `${at}/one`, "these are members of several objects", "name members of one object");
}

/** The places that each form judges. */
function placesIn({ present = [], absent = [], one = [], ...forms }: Forms): Record<string, string[]> {
  const { equal, differs, atMost, oneOf, noneOf, matches } = forms;
  const namesIn = (given: Record<string, string | ValueChoice> | undefined) => Object.keys(given ?? {});
  return {
    values: [equal, differs, atMost, oneOf, noneOf, matches].flatMap(namesIn),
    members: [...present, ...absent, ...one],
  };
}

function starsIn(place: string): number {
  return place.split("/").filter((segment) => segment === "*").length;
}
