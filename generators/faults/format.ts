import { formatHolds } from "../formats/check.ts";
import { formats } from "../formats/table.ts";
import { type Family, type Proposal, replace, show } from "./fault.ts";

/** Strings that violate a format, each with the clause that says so. */
export const format: Family = {
  name: "format",
  keywords: ["format"],
  *propose({ keyword, at, value, first }) {
    if (keyword.kind !== "format" || typeof value !== "string") return;
    const { invalid = [], valid = [] } = formats[keyword.format] ?? {};
    // A string that the table calls valid but some validator refuses is proposed too, and becomes disputed.
    const doubtful = valid.filter(({ value: text }) => formatHolds(keyword.format, text) === undefined);
    const samples = [...invalid, ...doubtful];
    for (const { name, value: text, clause } of first ? samples : samples.slice(0, 1)) {
      yield {
        fault: "format-miss",
        detail: name,
        site: keyword.site,
        at,
        change: replace(at, text),
        says: `is ${show(text)}, not a valid ${keyword.format} (${clause})`,
      } satisfies Proposal;
    }
  },
};
