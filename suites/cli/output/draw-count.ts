import type { Report } from "../../../schemas/index.ts";

/** The outcomes that count as failures. */
const failingOutcomes: ReadonlySet<string> = new Set(["violates", "errored", "timed-out"]);

/** Explains why fewer messages were drawn than requested; empty if none are missing. */
export function explainMissingDraws(
  { runs, complete }: Pick<Report, "runs" | "complete">,
  requestedPerProtocol: number,
  maxFailures: number,
): string {
  const drawnResults = runs.flatMap(({ results }) => results).filter(({ kind }) => kind === "vector");
  const requestedCount = requestedPerProtocol * runs.length;
  if (!complete || drawnResults.length >= requestedCount) return "";
  const prefix = `${drawnResults.length} of ${requestedCount} messages were drawn:`;
  // With fewer failures, --max-failures cannot have ended the run.
  if (drawnResults.filter(({ outcome }) => failingOutcomes.has(outcome)).length >= maxFailures)
    return `${prefix} it ends at ${maxFailures} different failures (--max-failures)\n`;
  const judgedDocuments = new Set(
    drawnResults.filter(({ outcome }) => outcome !== "skipped").map(({ document }) => document),
  );
  const skippedDocuments = new Set(
    drawnResults.map(({ document }) => document).filter((document) => !judgedDocuments.has(document)),
  );
  if (skippedDocuments.size === 0) return `${prefix} there are documents without random messages\n`;
  const documentOptions = [...judgedDocuments].map((document) => `--document ${document}`).join(" or ");
  const hint = documentOptions === "" ? "" : `: ${documentOptions} draws as many of that one`;
  return `${prefix} this target does not judge ${[...skippedDocuments].join(", ")}, so few of them were${hint}\n`;
}
