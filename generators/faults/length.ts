import { facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { lengthOf } from "../regex/code-points.ts";
import { countInWords, type Family, type FaultContext, type Proposal, replace } from "./fault.ts";

/** Longer strings are not published; the plan lists the sites that they would test. */
export const longestPublished = 20_000;

/** Above this limit, only the plain string that is too long is proposed. */
const longestVariant = 4096;

/** Strings with one character too few or too many. Characters are code points: a surrogate pair is one. */
export const length: Family = {
  name: "length",
  keywords: ["minLength", "maxLength"],
  *propose(context) {
    const { keyword, at, value, first } = context;
    if ((keyword.kind !== "minLength" && keyword.kind !== "maxLength") || typeof value !== "string") return;
    const { limit, site } = keyword;
    const bound = keyword.kind === "minLength" ? "under the minimum" : "over the maximum";
    const makeProposal = (fault: string, detail: string | undefined, text: string): Proposal => ({
      fault,
      ...(detail === undefined ? {} : { detail }),
      site,
      at,
      change: replace(at, text),
      get says() {
        return `has ${countInWords(lengthOf(text), "character")}, ${bound} of ${limit}`;
      },
      tags: ["boundary"],
    });
    if (keyword.kind === "minLength" && limit > 0) {
      const short = cutToSize(context, limit - 1);
      if (short !== undefined) yield makeProposal("too-short", undefined, short);
      // A code point of two UTF-16 units: long enough for a reader that counts units or bytes.
      if (first && limit > 1) yield makeProposal("too-short", "astral", "😀".repeat(limit - 1));
    }
    if (keyword.kind === "maxLength" && limit < longestPublished) {
      const long = stretch(context, limit + 1);
      if (long !== undefined) yield makeProposal("too-long", undefined, long);
      if (!first || limit > longestVariant) return;
      // One code point too many: twice as many UTF-16 units, or half as many visible characters.
      yield makeProposal("too-long", "astral", "😀".repeat(limit + 1));
      if (limit > 0) yield makeProposal("too-long", "combining", "e\u0301".repeat(limit).slice(0, limit + 1));
    }
  },
};

function cutToSize({ value, solve }: FaultContext, size: number): string | undefined {
  const text = [...(value as string)].slice(0, size).join("");
  if (lengthOf(text) === size) return text;
  return solveLength(solve, size, value as string);
}

function stretch({ value, solve }: FaultContext, size: number): string | undefined {
  return solveLength(solve, size, value as string) ?? padText(value as string, size);
}

/** Finds a string of this length that also matches the pattern. */
function solveLength(solve: FaultContext["solve"], size: number, hint: string): string | undefined {
  const exact = facet(kinds.string, ({ string }) => {
    string.min = size;
    string.max = size;
  });
  const solved = solve([exact], hint);
  return typeof solved === "string" ? solved : undefined;
}

/** Repeats the last character of a string up to this length. */
export function padText(text: string, size: number): string {
  const characters = [...text];
  return text + (characters.at(-1) ?? "a").repeat(Math.max(0, size - characters.length));
}
