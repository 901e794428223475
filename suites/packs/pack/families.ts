import {
  type Cases,
  isObject,
  nearestName,
  type Protocol,
  type RuleFamily,
  TouchstoneError,
} from "../../../schemas/index.ts";
import type { OwnChecker, OwnFamily } from "./own-pack.ts";

const ruleId = /^[A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)+-[0-9]{3}$/;

/** Converts a pack's rules to the form of the built-in ones. Throws a usage error that names the place of a wrong shape. */
export function familiesFrom(given: unknown, { name, profile }: Protocol, file: string): RuleFamily[] {
  const documents = profile.documents.map((document) => document.name);
  const fail = (at: string, what: string, hint: string): never => {
    throw new TouchstoneError("usage", what, { where: `${file} (pack.rules${at})`, hint });
  };
  const mustBeList = (value: unknown, at: string): unknown[] =>
    Array.isArray(value) ? value : fail(at, `expected a list, got ${kindOf(value)}`, "put it in brackets");
  const mustBeKnown = (document: unknown, at: string): void => {
    if (documents.includes(document as string)) return;
    const text = String(document);
    fail(
      at,
      `${name} has no document "${text}"`,
      `${nearestName(text, documents)}its documents: ${documents.join(", ")}`,
    );
  };
  const mustBeRule = (rule: unknown, at: string): void => {
    if (typeof rule === "string" && ruleId.test(rule)) return;
    fail(
      at,
      `${JSON.stringify(rule)} is not the id of a rule`,
      `write capital words and three digits, such as ${example(name)}`,
    );
  };

  const families = mustBeList(given, "").map((family, index): RuleFamily => {
    const at = `[${index}]`;
    if (!isObject(family)) return fail(at, `expected an object, got ${kindOf(family)}`, "give { checkers, cases }");
    const { checkers, cases = [], ...more } = family as unknown as OwnFamily;
    if (checkers === undefined) return fail(at, "it has no checkers", "add checkers: [{ rule, check }]");
    return {
      name: `${name} ${index + 1}`,
      ...more,
      checkers: (mustBeList(checkers, `${at}.checkers`) as OwnChecker[]).map((checker, place) => {
        const there = `${at}.checkers[${place}]`;
        mustBeRule(checker?.rule, `${there}.rule`);
        if (typeof checker.check !== "function" && typeof checker.read !== "function")
          fail(there, "it has neither check nor read", "add check(instance) { … }, which returns the violations");
        for (const document of checker.documents ?? []) mustBeKnown(document, `${there}.documents`);
        return guardChecker(checker, checker.documents ?? documents, `pack.rules${there}`, file);
      }),
      cases: (mustBeList(cases, `${at}.cases`) as Cases[]).map((each, place) => {
        const there = `${at}.cases[${place}]`;
        mustBeRule(each?.rule, `${there}.rule`);
        mustBeKnown(each.document, `${there}.document`);
        mustBeList(each.valid, `${there}.valid`);
        mustBeList(each.invalid, `${there}.invalid`);
        return each;
      }),
    };
  });
  requireCheckers(families, fail);
  return families;
}

/** Requires a checker for the rule of every case. */
function requireCheckers(
  families: readonly RuleFamily[],
  fail: (at: string, what: string, hint: string) => never,
): void {
  const decided = families.flatMap(({ checkers }) => checkers.map(({ rule }) => rule));
  for (const { rule } of families.flatMap(({ cases }) => cases)) {
    if (decided.includes(rule)) continue;
    const hint = `${nearestName(rule, decided)}add a checker of that rule`;
    fail("", `there are cases of ${rule}, and no checker`, hint);
  }
}

/** Wraps a checker so that its errors name it as their origin, and so that it may return nothing at all. */
export function guardChecker(
  checker: OwnChecker,
  documents: readonly string[],
  at: string,
  file: string,
): RuleFamily["checkers"][number] {
  const { check, read, statement: _, level, ...more } = checker;
  const tryBreaches = <T>(breaches: () => Iterable<T> | undefined): T[] => {
    try {
      return [...(breaches() ?? [])];
    } catch (cause) {
      const line = /:(\d+:\d+)\)?$/m.exec((cause as Error).stack ?? "")?.[1];
      throw new TouchstoneError("usage", `the checker of ${checker.rule} throws: ${(cause as Error).message}`, {
        where: `${file}${line === undefined ? "" : `:${line}`} (${at})`,
        hint: "check the shape of the instance first: it may be any JSON value; check must return a list of { at, why }",
        cause,
      });
    }
  };
  const made = {
    ...more,
    documents,
    ...(check === undefined
      ? {}
      : { check: (...given: Parameters<typeof check>) => tryBreaches(() => check.apply(checker, given)) }),
    ...(read === undefined
      ? {}
      : { read: (...given: Parameters<typeof read>) => tryBreaches(() => read.apply(checker, given)) }),
  };
  statements.set(made, { ...(checker.statement && { statement: checker.statement }), ...(level && { level }) });
  return made;
}

const statements = new WeakMap<object, Pick<OwnChecker, "statement" | "level">>();

/** The facts about a rule that its checker contains. */
export function saidOf(checker: RuleFamily["checkers"][number]): Pick<OwnChecker, "statement" | "level"> {
  return statements.get(checker) ?? {};
}

function example(name: string): string {
  return `${name
    .replace(/[^a-z]+/g, "-")
    .replace(/-$/, "")
    .toUpperCase()}-SUM-001`;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
}
