import type { Result } from "../../schemas/index.ts";

/** What a vector is about: its rule, and where there is none the assertion of the schema. */
export function demandOf({ rule, site, document }: Pick<Result, "rule" | "site" | "document">): string {
  if (rule !== undefined) return rule;
  // The address before the file says no more than the document's name.
  return site === undefined ? `${document}: no rule named` : `${document}: ${site.replace(/^[^#]*\/(?=[^#]*#)/, "")}`;
}
