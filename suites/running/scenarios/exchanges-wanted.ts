import type { Protocol, Result, Rule, Scenario } from "../../../schemas/index.ts";
import { select } from "../../packs/corpus/index.ts";
import { exchangesName } from "./exchanges.ts";
import { expectedOf } from "./result.ts";

/** The wanted results about exchanges between the parties. */
export interface ExchangesWanted {
  /** Patterns that choose scenarios. */
  others: readonly string[];
  /** Nothing else is wanted; then every scenario is played. */
  isAlone: boolean;
  wants(result: Result): boolean;
  /** Results of the rules that are asked for by name, and that nothing breaks. */
  unbroken(broken: readonly Result[]): Result[];
}

/**
 * A result of exchanges is wanted if it is chosen by its id, by its rule or by `exchanges`; and if no scenario is chosen by some of its
 * rules alone, with all that was played.
 */
export function exchangesWanted(
  protocol: Protocol,
  scenarios: readonly Scenario[],
  { only, skip }: { only: readonly string[]; skip: readonly string[] },
  background: { rules: readonly Rule[]; advice: (rule: Rule) => string | undefined },
): ExchangesWanted {
  const own = only.filter((each) => each.split("/").includes(exchangesName));
  const others = only.filter((each) => !own.includes(each));
  const all = expectedOf(protocol, scenarios);
  const isAlone = own.length > 0 && others.length === 0;
  const matches = (patterns: readonly string[], { id, rule }: Pick<Result, "id" | "rule">): boolean =>
    patterns.some((pattern) => {
      const path = id.split("/");
      const parts = pattern.split("/").filter((each) => each !== "");
      return pattern === rule || path.slice(-parts.length).join("/") === parts.join("/") || path.includes(pattern);
    });
  const isWhole = (): boolean => {
    if (others.length === 0) return own.length === 0;
    const chosen = new Set(select(all, { only: others }, background));
    const partly = all.filter(
      (each) => chosen.has(each) || [...chosen].some(({ scenario }) => scenario === each.scenario),
    );
    return partly.every((each) => chosen.has(each));
  };
  const named = own.flatMap((each) => background.rules.filter(({ id }) => each.endsWith(`/${id}`)));
  return {
    others,
    isAlone,
    wants: (result) => !matches(skip, result) && (matches(only, result) || isWhole()),
    unbroken: (broken) =>
      named
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
