import { type Json, pointer, type Result } from "../../schemas/index.ts";

/** Its verdict is right, it has none, or it is not about any (skipped, disputed). */
export type CauseMark = "right" | "wrong" | "silent" | "none";

/** The part of a result about a validator: the scoreboard ignores reasons and levels. */
export function markOf({ outcome, verdict }: Pick<Result, "outcome" | "verdict">): CauseMark {
  if (verdict === "disputed") return "none";
  if (outcome === "conforms" || outcome === "wrong-reason") return "right";
  if (outcome === "violates" || outcome === "warns") return "wrong";
  return outcome === "errored" || outcome === "timed-out" ? "silent" : "none";
}

export type JudgedResult = Pick<Result, "id" | "verdict" | "site" | "outcome" | "why">;

/** Why verdicts are wrong or missing, and how often, the most frequent first. `schemas` are all schemas by `$id`. */
export function causesOf(
  results: readonly JudgedResult[],
  schemas: ReadonlyMap<string, Json>,
): [cause: string, count: number][] {
  const asked = new Map<string, { of: number; accepted: number }>();
  for (const result of results) {
    const format = formatOf(result, schemas);
    if (format === undefined || result.verdict !== "invalid") continue;
    const { of, accepted } = asked.get(format) ?? { of: 0, accepted: 0 };
    const mark = markOf(result);
    if (mark !== "none") asked.set(format, { of: of + 1, accepted: accepted + (mark === "wrong" ? 1 : 0) });
  }
  const silent = results.filter((result) => markOf(result) === "silent");
  const counts = new Map<string, number>();
  for (const result of results) {
    const mark = markOf(result);
    if (mark === "right" || mark === "none") continue;
    const format = formatOf(result, schemas);
    const whole = format === undefined ? undefined : asked.get(format);
    const cause =
      mark === "wrong" && result.verdict === "invalid" && whole?.of === whole?.accepted && format !== undefined
        ? `format \`${format}\` ignored`
        : mark === "wrong"
          ? causeOf(result, format)
          : causeText(result, silent);
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
}

const names = "members named `__proto__`, `constructor`, `toString`:";
const inheritedName = /^(named-)?(__proto__|constructor|toString|hasOwnProperty|valueOf)\b/;

function causeOf(result: JudgedResult, format: string | undefined): string {
  const { verdict } = result;
  const variant = variantOf(result);
  const isAbout = keywordOf(result) ?? "schema";
  const about = format === undefined ? `\`${isAbout}\`` : `format \`${format}\``;
  if (inheritedName.test(variant)) return `${names} ${verdict === "valid" ? "refused" : "overlooked"}`;
  if (verdict === "valid") return variant === "leap-second" ? "leap seconds refused" : `${about} too strict`;
  if (/(^|-)line-feed(-may-follow)?(-at-the-end)?$/.test(variant))
    return format === undefined ? "`$` lets a line feed through" : `${about} lets a line feed through`;
  if (/-(full-width|arabic)-digit|digits-of-every-script/.test(variant)) return "`\\d` takes digits of other scripts";
  return `${about} too lax`;
}

/** Why there is no answer: the first clause of the error, unless it concerns only members of a certain name. */
function causeText(result: JudgedResult, silent: readonly JudgedResult[]): string {
  if (result.outcome === "timed-out") return "no end within 5 s";
  const clause = clauseOf(result);
  const isOfNames = silent.every((other) => clauseOf(other) !== clause || inheritedName.test(variantOf(other)));
  return isOfNames ? `${names} crash` : clause;
}

/** The first clause of an error, without its variable parts. */
function clauseOf({ why = "" }: JudgedResult): string {
  const text = why
    .replaceAll("\\n", "\n")
    .replace(/^the module threw \w+: /, "")
    .replace(/^it exited .*?printed last: [\s\S]*?(\w+(Error|Exception|Resolution)\b)[\s\S]*$/, "ends with $1");
  const [first = ""] = text.split(/[:("\n]/);
  return first.trim().slice(0, 60).replaceAll("|", "\\|");
}

function variantOf({ id }: JudgedResult): string {
  // Vectors that show the same mistake are numbered.
  const named = id.replace(/\/[0-9]+$/, "");
  return named.slice(named.lastIndexOf("/") + 1);
}

function keywordOf({ site }: JudgedResult): string | undefined {
  // A site may lead into its keyword: the third member of `required`, or the first of `enum`.
  return site?.split("/").findLast((segment) => !/^\d+$/.test(segment));
}

function formatOf({ site = "" }: JudgedResult, schemas: ReadonlyMap<string, Json>): string | undefined {
  const [id = "", place = ""] = site.split("#");
  const schema = schemas.get(id);
  if (!place.endsWith("/format") || schema === undefined) return undefined;
  const format = pointer.at(place, schema);
  return typeof format === "string" ? format : undefined;
}
