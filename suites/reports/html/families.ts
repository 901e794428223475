import type { Result } from "../../../schemas/index.ts";

/** The families of faults. A fault belongs to the first family with a pattern that matches its name. */
const faults: readonly [family: string, fault: RegExp][] = [
  ["length", /^(too-(long|short)|text-length|token-too-)/],
  ["tokens", /^token-/],
  ["time limits", /^timeout-/],
  ["presence", /^(missing(?:-default|-with)?|required|empty-value|null-dependency|too-few-members)$/],
  ["members", /member|^foreign-|^object-prototype$|^keyword-dropped$|^declared-elsewhere$/],
  ["type", /type$|^fraction$/],
  ["values", /enum$|constant$|^misspelt-kind$|^known-mistake$/],
  ["pattern", /pattern/],
  ["format", /^format/],
  ["numbers", /maximum|minimum|bound|number|multiple/],
  ["lists", /item|^one-of-many$/],
  ["branches", /branch|^condition$|^broken$|^both-copies$|^one-copy$|^reference-dropped$/],
  ["rules", /^rule$/],
  [
    "confusions",
    /^(?:names-without-case|(?:null|empty-list)-for-absent|rounded|(?:wrapped|refused|held)-(?:32|64)|single-precision|digits-of-scripts|boolean-in-text|boolean-of-number|text-of-number|point-zero|repeated-name|line-feed-at-end)$/,
  ],
];

/** Every family, in the order of a matrix: valid messages first, then faults, then results without an instance. */
export const families: readonly string[] = [
  "valid",
  "type",
  "presence",
  "members",
  "values",
  "pattern",
  "format",
  "length",
  "tokens",
  "numbers",
  "time limits",
  "lists",
  "branches",
  "rules",
  "confusions",
  "other faults",
  "JSON text",
  "scenarios",
];

/** Returns the family of a result: that of its fault, or a family for results without a fault. */
export function familyOf({ id, kind, fault, verdict }: Pick<Result, "id" | "kind" | "fault" | "verdict">): string {
  if (kind !== "vector") return "scenarios";
  if (id.split("/", 4)[3] === "raw") return "JSON text";
  if (fault === undefined) return verdict === "invalid" ? "other faults" : "valid";
  const familyName =
    familyOfFault.get(fault) ?? faults.find(([, pattern]) => pattern.test(fault))?.[0] ?? "other faults";
  familyOfFault.set(fault, familyName);
  return familyName;
}

/** The families by fault, cached because there are few faults and many results. */
const familyOfFault = new Map<string, string>();
