import type { Report } from "../../../schemas/index.ts";

/** The outcomes that count as failures. */
const failing: ReadonlySet<string> = new Set(["violates", "errored", "timed-out"]);

/** Why fewer messages were drawn than requested; empty if none is missing. */
export function explainMissingDraws(
  { runs, complete }: Pick<Report, "runs" | "complete">,
  wanted: number,
  maxFailures: number,
): string {
  const drawn = runs.flatMap(({ results }) => results).filter(({ kind }) => kind === "vector");
  const all = wanted * runs.length;
  if (!complete || drawn.length >= all) return "";
  const found = `${drawn.length} of ${all} messages were drawn:`;
  // Fewer breaches cannot have ended the run.
  if (drawn.filter(({ outcome }) => failing.has(outcome)).length >= maxFailures)
    return `${found} it ends at ${maxFailures} different failures (--max-failures)\n`;
  const asked = new Set(drawn.filter(({ outcome }) => outcome !== "skipped").map(({ document }) => document));
  const unasked = new Set(drawn.map(({ document }) => document).filter((document) => !asked.has(document)));
  if (unasked.size === 0) return `${found} there are documents without random messages\n`;
  const others = [...asked].map((document) => `--document ${document}`).join(" or ");
  const hint = others === "" ? "" : `: ${others} draws as many of that one`;
  return `${found} this target does not judge ${[...unasked].join(", ")}, so few of them were${hint}\n`;
}
