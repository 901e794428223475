import type { Json } from "../../../schemas/index.ts";
import type { RawFamily } from "../raw.ts";

/** A literal of another language, and its value. */
const forms: readonly [written: string, means: Json][] = [
  ["True", true],
  ["FALSE", false],
  ["None", null],
  ["NULL", null],
  ["undefined", null],
  ["nil", null],
];

/** Literals of other languages. JSON has only `true`, `false` and `null`, in lower case. */
export const literalFamily: RawFamily = {
  name: "literal",
  *propose({ spot }) {
    for (const [written, means] of forms) {
      const place = spot([means]);
      if (place === undefined) continue;
      yield {
        parent: place.parent,
        detail: written,
        text: place.before + written + place.after,
        says: `has ${written} for ${means}`,
        issue: "extended",
        clause: "RFC 8259, 3",
        at: place.at,
      };
    }
  },
};
