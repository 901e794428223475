import { type Changed, looser, stricter } from "../extra.ts";
import type { Mutant, Operator } from "../mutant.ts";

/** A length counted in something else than code points, and white space that is no text. */
export const length: Operator = {
  name: "text-length",
  *mutate(node, _model, raw) {
    const isFree = !node.keywords.some(({ kind }) => kind === "enum" || kind === "const");
    for (const keyword of node.keywords) {
      if (!isFree || (keyword.kind !== "minLength" && keyword.kind !== "maxLength")) continue;
      const { kind, limit, site } = keyword;
      if (limit > most) continue;
      const mutant = (effect: Mutant["effect"], says: string, changed: Changed | undefined) =>
        changed === undefined ? [] : [{ effect, site, keyword: kind, says: `${kind}: ${says}`, ...changed }];
      const units = limit > mostTwice ? counted.slice(0, 1) : counted;
      for (const [says, pattern] of limit > mostOnce && kind === "minLength" ? [] : units) {
        if (kind === "maxLength" && limit > 0)
          yield* mutant("stronger", says, stricter(node, raw, { not: { minLength: limit, pattern } }));
        if (kind === "minLength" && limit > 1)
          yield* mutant("weaker", says, looser(node, raw, keyword, { minLength: limit - 1, pattern }));
      }
      if (kind === "maxLength" && limit > 0 && limit <= mostTwice)
        yield* mutant(
          "weaker",
          "what one sees counts, not code points",
          looser(node, raw, keyword, { maxLength: limit + 1, pattern: "^e\\u0301" }),
        );
      if (limit > mostOnce) continue;
      if (kind === "maxLength" && limit > 0)
        yield* mutant(
          "weaker",
          "white space at the end does not count",
          looser(node, raw, keyword, { maxLength: limit + 1, pattern: "\\S\\s$" }),
        ).map((each) => ({ ...each, fine: true as const }));
      if (kind === "minLength" && limit > 0)
        yield* mutant("stronger", "white space does not count", stricter(node, raw, { pattern: "\\S" }));
    }
  },
};

/** Longer texts are too large to publish in every unit, in more than one way, or at all. */
const mostTwice = 1024;
const mostOnce = 4096;
const most = 19_000;

/** The characters that count for more than one in other units. */
const counted: [says: string, pattern: string][] = [
  ["UTF-16 units are counted", "[\\u{10000}-\\u{10FFFF}]"],
  ["bytes are counted", "[\\u0080-\\u07FF]"],
];
