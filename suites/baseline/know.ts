import { type Baseline, type BaselineEntry, type Known, type Result, shortAssertion } from "../../schemas/index.ts";

/** How a baseline knows a result, if it does. */
export type Knows = (result: Pick<Result, "id" | "rule" | "site" | "outcome">) => Known | undefined;

/** What a baseline knows on a day, `YYYY-MM-DD` in UTC: an entry holds for its outcome alone, and until it expires. */
export function knowing({ entries }: Baseline, today: string): Knows {
  const listed = new Map<string, Known>();
  for (const entry of entries)
    if (!isExpired(entry, today))
      listed.set(`${nameOf(entry)} ${entry.outcome}`, entry.flaky === true ? "flaky" : "failing");
  return ({ id, outcome, ...result }) =>
    listed.get(`${id} ${outcome}`) ??
    demandsOf(result)
      .map((name) => listed.get(`${name} ${outcome}`))
      .find((known) => known !== undefined);
}

export function isExpired({ expires }: BaselineEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** What an entry may call all vectors of a result's rule, or of its assertion where no rule is named. */
export function demandsOf({ rule, site }: Pick<Result, "rule" | "site">): string[] {
  if (rule !== undefined) return [rule];
  return site === undefined ? [] : [site, shortAssertion(site)];
}

/** The id, the rule or the assertion of an entry, of which one is there. */
export function nameOf({ id, rule, site }: BaselineEntry): string {
  return id ?? rule ?? site ?? "";
}
