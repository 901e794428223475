import type { Protocol, Result, Rule, Scenario } from "../../../schemas/index.ts";
import { select } from "../../packs/corpus/index.ts";
import { exchangesName } from "./exchanges.ts";
import { expectedOf } from "./result.ts";

/** The selected results about exchanges between the parties. */
export interface ExchangeSelection {
  /** The patterns that select scenarios. */
  scenarioPatterns: readonly string[];
  /** Whether only results about exchanges are selected; then every scenario is played. */
  isAlone: boolean;
  wants(result: Result): boolean;
  /** Returns results for the rules that were selected by name and are not broken. */
  unbroken(broken: readonly Result[]): Result[];
}

/** Selects results about exchanges by id, rule or `exchanges`. A selection of scenarios includes them, unless it has only some of their rules. */
export function selectExchanges(
  protocol: Protocol,
  scenarios: readonly Scenario[],
  { only, skip }: { only: readonly string[]; skip: readonly string[] },
  background: { rules: readonly Rule[]; advice: (rule: Rule) => string | undefined },
): ExchangeSelection {
  const exchangePatterns = only.filter((pattern) => pattern.split("/").includes(exchangesName));
  const otherPatterns = only.filter((each) => !exchangePatterns.includes(each));
  const expectedResults = expectedOf(protocol, scenarios);
  const isAlone = exchangePatterns.length > 0 && otherPatterns.length === 0;
  const matches = (patterns: readonly string[], { id, rule }: Pick<Result, "id" | "rule">): boolean =>
    patterns.some((pattern) => {
      const path = id.split("/");
      const parts = pattern.split("/").filter((each) => each !== "");
      return pattern === rule || path.slice(-parts.length).join("/") === parts.join("/") || path.includes(pattern);
    });
  const areScenariosWhole = (): boolean => {
    if (otherPatterns.length === 0) return exchangePatterns.length === 0;
    const selectedItems = new Set(select(expectedResults, { only: otherPatterns }, background));
    const touchedResults = expectedResults.filter(
      (expectedResult) =>
        selectedItems.has(expectedResult) ||
        [...selectedItems].some(({ scenario }) => scenario === expectedResult.scenario),
    );
    return touchedResults.every((expectedResult) => selectedItems.has(expectedResult));
  };
  const namedRules = exchangePatterns.flatMap((each) => background.rules.filter(({ id }) => each.endsWith(`/${id}`)));
  return {
    scenarioPatterns: otherPatterns,
    isAlone,
    wants: (result) => !matches(skip, result) && (matches(only, result) || areScenariosWhole()),
    unbroken: (broken) =>
      namedRules
        .filter(({ id }) => broken.every(({ rule }) => rule !== id))
        .map(({ id, level }) => ({
          id: `${protocol.name}/${protocol.version}/scenarios/${exchangesName}/${id}`,
          kind: "scenario",
          document: "scenarios",
          description: "the messages between the parties keep every rule",
          verdict: "valid",
          level,
          rule: id,
          outcome: "skipped",
          cause: { kind: "not-shown" },
          why: "no exchange breaks it, which does not show that it is kept",
        })),
  };
}
