import { eachNearMiss } from "../regex/near-misses.ts";
import { type Family, type Proposal, replace, show } from "./fault.ts";
import { insideMisses } from "./token.ts";

/** Strings that a pattern just fails to match. */
export const pattern: Family = {
  name: "pattern",
  keywords: ["pattern"],
  *propose({ keyword, at, value, first }) {
    if (keyword.kind !== "pattern" || typeof value !== "string") return;
    let remaining = first ? Number.POSITIVE_INFINITY : 2;
    for (const { name, text, ...rest } of eachNearMiss(keyword.regexp, value, insideMisses(keyword.regexp, value))) {
      yield {
        fault: "pattern-miss",
        detail: name,
        site: keyword.site,
        at,
        change: replace(at, text),
        get says() {
          return `is ${show(text)}, which does not match ${keyword.source}`;
        },
        ...rest,
      } satisfies Proposal;
      remaining -= 1;
      if (remaining === 0) return;
    }
  },
};
