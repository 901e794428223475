import type { Baseline, BaselineEntry, Known, Result } from "../../schemas/index.ts";

/** How a baseline knows a result, if it does. */
export type Knows = (result: Pick<Result, "id" | "rule" | "outcome">) => Known | undefined;

/** What a baseline knows on a day, `YYYY-MM-DD` in UTC: an entry holds for its outcome alone, and until it expires. */
export function knowing({ entries }: Baseline, today: string): Knows {
  const listed = new Map<string, Known>();
  for (const entry of entries)
    if (!isExpired(entry, today))
      listed.set(`${nameOf(entry)} ${entry.outcome}`, entry.flaky === true ? "flaky" : "failing");
  return ({ id, rule, outcome }) => listed.get(`${id} ${outcome}`) ?? listed.get(`${rule} ${outcome}`);
}

export function isExpired({ expires }: BaselineEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** The id or the rule of an entry; ids have slashes and rules have none. */
export function nameOf({ id, rule }: BaselineEntry): string {
  return id ?? rule ?? "";
}
