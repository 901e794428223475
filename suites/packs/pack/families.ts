import {
  type Cases,
  isObject,
  nearestName,
  type Protocol,
  type RuleFamily,
  TouchstoneError,
} from "../../../schemas/index.ts";
import type { OwnChecker, OwnFamily } from "./own-pack.ts";

const ruleIdPattern = /^[A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)+-[0-9]{3}$/;

/** Converts a pack's rules to the form of the built-in ones. Throws a usage error that names the place of a wrong shape. */
export function familiesFrom(rules: unknown, { name, profile }: Protocol, file: string): RuleFamily[] {
  const documents = profile.documents.map((document) => document.name);
  const fail = (at: string, problem: string, hint: string): never => {
    throw new TouchstoneError("usage", problem, { where: `${file} (pack.rules${at})`, hint });
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
    if (typeof rule === "string" && ruleIdPattern.test(rule)) return;
    fail(
      at,
      `${JSON.stringify(rule)} is not the id of a rule`,
      `write capital words and three digits, such as ${exampleRuleId(name)}`,
    );
  };

  const families = mustBeList(rules, "").map((family, index): RuleFamily => {
    const at = `[${index}]`;
    if (!isObject(family)) return fail(at, `expected an object, got ${kindOf(family)}`, "give { checkers, cases }");
    const { checkers, cases = [], ...otherMembers } = family as unknown as OwnFamily;
    if (checkers === undefined) return fail(at, "it has no checkers", "add checkers: [{ rule, check }]");
    return {
      name: `${name} ${index + 1}`,
      ...otherMembers,
      checkers: (mustBeList(checkers, `${at}.checkers`) as OwnChecker[]).map((checker, checkerIndex) => {
        const checkerAt = `${at}.checkers[${checkerIndex}]`;
        mustBeRule(checker?.rule, `${checkerAt}.rule`);
        if (typeof checker.check !== "function" && typeof checker.read !== "function")
          fail(checkerAt, "it has neither check nor read", "add check(instance) { … }, which returns the violations");
        for (const document of checker.documents ?? []) mustBeKnown(document, `${checkerAt}.documents`);
        return guardChecker(checker, checker.documents ?? documents, `pack.rules${checkerAt}`, file);
      }),
      cases: (mustBeList(cases, `${at}.cases`) as Cases[]).map((ruleCases, caseIndex) => {
        const casesAt = `${at}.cases[${caseIndex}]`;
        mustBeRule(ruleCases?.rule, `${casesAt}.rule`);
        mustBeKnown(ruleCases.document, `${casesAt}.document`);
        mustBeList(ruleCases.valid, `${casesAt}.valid`);
        mustBeList(ruleCases.invalid, `${casesAt}.invalid`);
        return ruleCases;
      }),
    };
  });
  requireCheckers(families, fail);
  return families;
}

/** Requires a checker for the rule of every case. */
function requireCheckers(
  families: readonly RuleFamily[],
  fail: (at: string, problem: string, hint: string) => never,
): void {
  const ruleIds = families.flatMap(({ checkers }) => checkers.map(({ rule }) => rule));
  for (const { rule } of families.flatMap(({ cases }) => cases)) {
    if (ruleIds.includes(rule)) continue;
    const hint = `${nearestName(rule, ruleIds)}add a checker of that rule`;
    fail("", `there are cases of ${rule}, and no checker`, hint);
  }
}

/** Wraps a checker so that errors it throws name the checker, and so that it may return undefined. */
export function guardChecker(
  checker: OwnChecker,
  documents: readonly string[],
  at: string,
  file: string,
): RuleFamily["checkers"][number] {
  const { check, read, statement: _, level, ...otherMembers } = checker;
  const collectBreaches = <T>(breaches: () => Iterable<T> | undefined): T[] => {
    try {
      return [...(breaches() ?? [])];
    } catch (cause) {
      const line = /:(\d+:\d+)\)?$/m.exec((cause as Error).stack ?? "")?.[1];
      throw new TouchstoneError("usage", `the checker of ${checker.rule} throws: ${(cause as Error).message}`, {
        where: `${file}${line === undefined ? "" : `:${line}`} (${at})`,
        hint: "check the shape of the instance first, because it may be any JSON value; check must return a list of { at, why }",
        cause,
      });
    }
  };
  const guarded = {
    ...otherMembers,
    documents,
    ...(check === undefined
      ? {}
      : { check: (...args: Parameters<typeof check>) => collectBreaches(() => check.apply(checker, args)) }),
    ...(read === undefined
      ? {}
      : { read: (...args: Parameters<typeof read>) => collectBreaches(() => read.apply(checker, args)) }),
  };
  declaredFacts.set(guarded, { ...(checker.statement && { statement: checker.statement }), ...(level && { level }) });
  return guarded;
}

const declaredFacts = new WeakMap<object, Pick<OwnChecker, "statement" | "level">>();

/** The statement and level of its rule, if a checker declares them. */
export function declaredFactsOf(checker: RuleFamily["checkers"][number]): Pick<OwnChecker, "statement" | "level"> {
  return declaredFacts.get(checker) ?? {};
}

function exampleRuleId(name: string): string {
  return `${name
    .replace(/[^a-z]+/g, "-")
    .replace(/-$/, "")
    .toUpperCase()}-SUM-001`;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
}
