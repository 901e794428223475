import { type Json, pointer, type Result } from "../../schemas/index.ts";

/** Whether the verdict is right or wrong; `silent` without an answer, and `none` if no verdict is expected (skipped, disputed). */
export type CauseMark = "right" | "wrong" | "silent" | "none";

/** The mark of a result. The scoreboard ignores reasons and levels. */
export function markOf({ outcome, verdict }: Pick<Result, "outcome" | "verdict">): CauseMark {
  if (verdict === "disputed") return "none";
  if (outcome === "conforms" || outcome === "wrong-reason") return "right";
  if (outcome === "violates" || outcome === "warns") return "wrong";
  return outcome === "errored" || outcome === "timed-out" ? "silent" : "none";
}

export type JudgedResult = Pick<Result, "id" | "verdict" | "site" | "outcome" | "why">;

/** Counts the causes of wrong or missing verdicts, the most frequent first. `schemas` has all schemas by `$id`. */
export function causesOf(
  results: readonly JudgedResult[],
  schemas: ReadonlyMap<string, Json>,
): [cause: string, count: number][] {
  /** The invalid vectors of each format: how many were judged, and how many of them were accepted. */
  const formatCounts = new Map<string, { judged: number; accepted: number }>();
  for (const result of results) {
    const format = formatOf(result, schemas);
    if (format === undefined || result.verdict !== "invalid") continue;
    const { judged, accepted } = formatCounts.get(format) ?? { judged: 0, accepted: 0 };
    const mark = markOf(result);
    if (mark !== "none")
      formatCounts.set(format, { judged: judged + 1, accepted: accepted + (mark === "wrong" ? 1 : 0) });
  }
  const unanswered = results.filter((result) => markOf(result) === "silent");
  const counts = new Map<string, number>();
  for (const result of results) {
    const mark = markOf(result);
    if (mark === "right" || mark === "none") continue;
    const format = formatOf(result, schemas);
    const formatCount = format === undefined ? undefined : formatCounts.get(format);
    const isFormatIgnored =
      mark === "wrong" && result.verdict === "invalid" && formatCount?.judged === formatCount?.accepted;
    const verdictCause = mark === "wrong" ? causeOf(result, format) : causeText(result, unanswered);
    const cause = isFormatIgnored && format !== undefined ? `format \`${format}\` ignored` : verdictCause;
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].sort(([a, count], [b, otherCount]) => otherCount - count || (a < b ? -1 : 1));
}

const names = "members named `__proto__`, `constructor`, `toString`:";
const inheritedName = /^(named-)?(__proto__|constructor|toString|hasOwnProperty|valueOf)\b/;

function causeOf(result: JudgedResult, format: string | undefined): string {
  const { verdict } = result;
  const variant = variantOf(result);
  const keyword = keywordOf(result) ?? "schema";
  const subject = format === undefined ? `\`${keyword}\`` : `format \`${format}\``;
  if (inheritedName.test(variant)) return `${names} ${verdict === "valid" ? "refused" : "overlooked"}`;
  if (verdict === "valid") return variant === "leap-second" ? "leap seconds refused" : `${subject} too strict`;
  if (/(^|-)line-feed(-may-follow)?(-at-the-end)?$/.test(variant))
    return format === undefined ? "`$` lets a line feed through" : `${subject} lets a line feed through`;
  if (/-(full-width|arabic)-digit|digits-of-every-script/.test(variant)) return "`\\d` takes digits of other scripts";
  return `${subject} too lax`;
}

/** The cause of a missing answer: the first clause of the error, unless it affects only members with inherited names. */
function causeText(result: JudgedResult, unanswered: readonly JudgedResult[]): string {
  if (result.outcome === "timed-out") return "no end within 5 s";
  const clause = clauseOf(result);
  const affectsOnlyNames = unanswered.every(
    (other) => clauseOf(other) !== clause || inheritedName.test(variantOf(other)),
  );
  return affectsOnlyNames ? `${names} crash` : clause;
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
  const unnumbered = id.replace(/\/[0-9]+$/, "");
  return unnumbered.slice(unnumbered.lastIndexOf("/") + 1);
}

function keywordOf({ site }: JudgedResult): string | undefined {
  // A site may point into its keyword: the third member of `required`, or the first of `enum`.
  return site?.split("/").findLast((segment) => !/^\d+$/.test(segment));
}

function formatOf({ site = "" }: JudgedResult, schemas: ReadonlyMap<string, Json>): string | undefined {
  const [id = "", location = ""] = site.split("#");
  const schema = schemas.get(id);
  if (!location.endsWith("/format") || schema === undefined) return undefined;
  const format = pointer.at(location, schema);
  return typeof format === "string" ? format : undefined;
}
