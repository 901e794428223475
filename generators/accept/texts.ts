import { formats } from "../formats/table.ts";
import { longestOf, shortestOf } from "../regex/near-misses.ts";
import type { Acceptance } from "./acceptance.ts";

/** Edge cases that a format or pattern allows. */
export const texts: Acceptance = {
  name: "texts",
  keywords: ["format", "pattern"],
  *demand(keyword) {
    if (keyword.kind === "format") {
      const samples = formats[keyword.format]?.valid ?? [];
      for (const { name, value, clause } of samples) {
        yield {
          name: "format",
          detail: name,
          constraint: { op: "in", values: [value] },
          says: `is ${JSON.stringify(value)} (${clause})`,
        };
      }
    }
    if (keyword.kind === "pattern") {
      const shortest = shortestOf(keyword.source);
      const longest = longestOf(keyword.source);
      if (shortest !== undefined)
        yield {
          name: "pattern",
          detail: "shortest",
          constraint: { op: "in", values: [shortest] },
          says: "is a shortest text that the pattern matches",
        };
      if (longest !== undefined && longest !== shortest)
        yield {
          name: "pattern",
          detail: "longest",
          constraint: { op: "in", values: [longest] },
          says: "is a longest text that the pattern matches",
        };
    }
  },
};
