import { ofStrings } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import type { KeywordHandler } from "./handler.ts";
import { safePattern } from "./reading.ts";

export const pattern: KeywordHandler<"pattern"> = {
  isPlain: true,
  readers: {
    pattern: (site, value) => [
      { kind: "pattern", site, source: (value as RegExp).source, regexp: safePattern(value as RegExp) },
    ],
  },
  holds: ({ regexp }, value) => typeof value !== "string" || regexp.test(value),
  assert({ regexp }, { shape }) {
    shape.string.patterns.push(regexp);
    return true;
  },
  deny: ({ regexp }) => ofStrings(({ notPatterns }) => notPatterns.push(regexp)),
  exercise: () => ({ op: "kinds", kinds: kinds.string }),
  content: ({ source }) => `pattern ${source}`,
};
