import { type Result, shortAssertion } from "../../schemas/index.ts";

/** What a vector is about: its rule, and where there is none the assertion of the schema. */
export function demandOf({ rule, site, document }: Pick<Result, "rule" | "site" | "document">): string {
  if (rule !== undefined) return rule;
  return site === undefined ? `${document}: messages about no single assertion` : shortAssertion(site);
}
