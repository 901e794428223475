import {
  type Baseline,
  type BaselineEntry,
  type Known,
  namesAssertion,
  type Result,
  type Source,
} from "../../../schemas/index.ts";

/** How a baseline knows a result, if it does. */
export type Knows = (result: Pick<Result, "id" | "rule" | "site" | "outcome">) => Known | undefined;

/** What the entries of a list call an assertion. */
export type NamesOf = (site: string) => readonly string[];

/** An entry may name an assertion in every way that `--only` takes. `sourceOf` says where one stands in a file, as far as that is known. */
export function namesIn(
  entries: readonly BaselineEntry[],
  sourceOf: (site: string) => Source | undefined = () => undefined,
): NamesOf {
  const names = [...new Set(entries.flatMap(({ site }) => site ?? []))];
  const found = new Map<string, readonly string[]>();
  return (site) => {
    const those = found.get(site) ?? names.filter((name) => namesAssertion(name, site, sourceOf(site)));
    found.set(site, those);
    return those;
  };
}

/** What a baseline knows on a day, `YYYY-MM-DD` in UTC: an entry holds for its outcome alone, and until it expires. */
export function knowing({ entries }: Baseline, today: string, names: NamesOf): Knows {
  const listed = new Map<string, Known>();
  for (const entry of entries)
    if (!isExpired(entry, today)) {
      // An entry that fails at times also covers a run that sees both outcomes.
      if (entry.flaky === true) listed.set(`${nameOf(entry)} flaky`, "flaky");
      listed.set(`${nameOf(entry)} ${entry.outcome}`, entry.flaky === true ? "flaky" : "failing");
    }
  return ({ id, outcome, ...result }) =>
    listed.get(`${id} ${outcome}`) ??
    demandsOf(result, names)
      .map((name) => listed.get(`${name} ${outcome}`))
      .find((known) => known !== undefined);
}

export function isExpired({ expires }: BaselineEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** What entries call all vectors of a result's rule, or of its assertion where no rule is named. */
export function demandsOf({ rule, site }: Pick<Result, "rule" | "site">, names: NamesOf): readonly string[] {
  if (rule !== undefined) return [rule];
  return site === undefined ? [] : names(site);
}

/** The id, the rule or the assertion of an entry, of which one is there. */
export function nameOf({ id, rule, site }: BaselineEntry): string {
  return id ?? rule ?? site ?? "";
}
