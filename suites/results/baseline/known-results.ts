import {
  type Baseline,
  type BaselineEntry,
  type Known,
  namesAssertion,
  type Result,
  type Source,
} from "../../../schemas/index.ts";

/** Whether and how a baseline covers a result. */
export type KnownStateOf = (result: Pick<Result, "id" | "rule" | "site" | "outcome">) => Known | undefined;

/** Returns the names by which the entries of a baseline may name an assertion. */
export type NamesOf = (site: string) => readonly string[];

/** Returns a function that finds the names of an assertion among the entries. An entry may use every form that `--only` accepts. `sourceOf` returns the position of an assertion in a file, if known. */
export function namesOfResults(
  entries: readonly BaselineEntry[],
  sourceOf: (site: string) => Source | undefined = () => undefined,
): NamesOf {
  const names = [...new Set(entries.flatMap(({ site }) => site ?? []))];
  const namesBySite = new Map<string, readonly string[]>();
  return (site) => {
    const namesOfSite = namesBySite.get(site) ?? names.filter((name) => namesAssertion(name, site, sourceOf(site)));
    namesBySite.set(site, namesOfSite);
    return namesOfSite;
  };
}

/** Returns a function that decides how a baseline covers a result on a date, `YYYY-MM-DD` in UTC. An entry covers only its own outcome, until it expires. */
export function knownResults({ entries }: Baseline, today: string, names: NamesOf): KnownStateOf {
  const knownById = new Map<string, Known>();
  for (const entry of entries)
    if (!isExpired(entry, today)) {
      // A flaky entry also covers a run with both outcomes.
      if (entry.flaky === true) knownById.set(`${nameOf(entry)} flaky`, "flaky");
      knownById.set(`${nameOf(entry)} ${entry.outcome}`, entry.flaky === true ? "flaky" : "failing");
    }
  return ({ id, outcome, ...result }) =>
    knownById.get(`${id} ${outcome}`) ??
    demandsOf(result, names)
      .map((name) => knownById.get(`${name} ${outcome}`))
      .find((known) => known !== undefined);
}

export function isExpired({ expires }: BaselineEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** Returns the names by which an entry covers all vectors of a result's rule, or of its assertion if it has no rule. */
export function demandsOf({ rule, site }: Pick<Result, "rule" | "site">, names: NamesOf): readonly string[] {
  if (rule !== undefined) return [rule];
  return site === undefined ? [] : names(site);
}

/** Returns the id, the rule or the assertion of an entry; each entry has one of them. */
export function nameOf({ id, rule, site }: BaselineEntry): string {
  return id ?? rule ?? site ?? "";
}
