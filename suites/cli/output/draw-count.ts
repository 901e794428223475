import type { Report } from "../../../schemas/index.ts";

/** The outcomes that count as failures. */
const failing: ReadonlySet<string> = new Set(["violates", "errored", "timed-out"]);

/** Why fewer messages were drawn than requested; empty if none is missing. */
export function explainMissingDraws(
  { runs, complete }: Pick<Report, "runs" | "complete">,
  wantedCount: number,
  maxFailures: number,
): string {
  const drawnResults = runs.flatMap(({ results }) => results).filter(({ kind }) => kind === "vector");
  const all = wantedCount * runs.length;
  if (!complete || drawnResults.length >= all) return "";
  const drawnText = `${drawnResults.length} of ${all} messages were drawn:`;
  // Fewer breaches cannot have ended the run.
  if (drawnResults.filter(({ outcome }) => failing.has(outcome)).length >= maxFailures)
    return `${drawnText} it ends at ${maxFailures} different failures (--max-failures)\n`;
  const askedDocuments = new Set(
    drawnResults.filter(({ outcome }) => outcome !== "skipped").map(({ document }) => document),
  );
  const unaskedDocuments = new Set(
    drawnResults.map(({ document }) => document).filter((document) => !askedDocuments.has(document)),
  );
  if (unaskedDocuments.size === 0) return `${drawnText} there are documents without random messages\n`;
  const otherDocuments = [...askedDocuments].map((document) => `--document ${document}`).join(" or ");
  const hint = otherDocuments === "" ? "" : `: ${otherDocuments} draws as many of that one`;
  return `${drawnText} this target does not judge ${[...unaskedDocuments].join(", ")}, so few of them were${hint}\n`;
}
