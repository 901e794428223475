import type { RawFamily } from "../raw.ts";

const forms: readonly [detail: string, escapes: string, says: string][] = [
  ["high", "\\ud800", "the high half of a surrogate pair alone"],
  ["low", "\\udc00", "the low half of a surrogate pair alone"],
  ["reversed", "\\ude00\\ud83d", "the halves of a surrogate pair in the wrong order"],
  ["high-and-letter", "\\ud83dA", "the high half of a surrogate pair before a letter"],
  ["high-twice", "\\ud83d\\ud83d\\ude00", "the high half of a surrogate pair before a whole pair"],
];

/** Escapes for half a surrogate pair. */
export const surrogateFamily: RawFamily = {
  name: "lone-surrogate",
  *propose({ spot }) {
    for (const [detail, escapes, says] of forms) {
      const place = spot([JSON.parse(`"${escapes}"`) as string]);
      if (place === undefined) continue;
      yield {
        parent: place.parent,
        detail,
        text: `${place.before}"${escapes}"${place.after}`,
        says: `has ${says} in a string`,
        issue: "surrogate",
        at: place.at,
      };
    }
  },
};
