import type { Report, Result } from "../../schemas/index.ts";
import { doneByTarget } from "../text/skips.ts";

/**
 * Of which documents most of what the target was asked is not judged, since its answers tell nothing: how much of them was skipped, and why.
 * Undefined where there is none, so that what conforms is the whole.
 */
export function untestedIn({ runs }: Pick<Report, "runs">): string | undefined {
  const affected = runs.flatMap(({ results }) => [...byDocument(results)].filter(([, own]) => isUntested(own)));
  if (affected.length === 0) return undefined;
  const all = affected.flatMap(([, results]) => results);
  const skipped = all.filter(({ outcome }) => outcome === "skipped");
  const [why, count] = mostFrequent(skipped.flatMap((result) => causeIn(result) ?? []));
  const [name, ...others] = new Set(affected.map(([document]) => document));
  const of = others.length === 0 ? name : `${others.length + 1} documents`;
  const part = count === skipped.length ? "" : `${count} of them `;
  return `${skipped.length} of ${all.length} vectors of ${of} were skipped, ${part}because ${why}`;
}

/** Vectors by document; what is played has its own reasons. */
function byDocument(results: readonly Result[]): Map<string, Result[]> {
  const documents = new Map<string, Result[]>();
  for (const result of results) {
    if (result.kind !== "vector") continue;
    const there = documents.get(result.document);
    if (there === undefined) documents.set(result.document, [result]);
    else there.push(result);
  }
  return documents;
}

function isUntested(results: readonly Result[]): boolean {
  const untold = results.filter((result) => causeIn(result) !== undefined).length;
  return untold > results.filter(({ outcome }) => outcome !== "skipped").length;
}

function causeIn({ outcome, why }: Result): string | undefined {
  return outcome === "skipped" && why !== undefined ? doneByTarget(why) : undefined;
}

function mostFrequent(causes: readonly string[]): [cause: string, count: number] {
  const counts = new Map<string, number>();
  for (const cause of causes) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0]);
}
