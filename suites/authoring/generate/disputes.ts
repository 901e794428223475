import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inFull, type Manifest, type VectorFile } from "../../../schemas/index.ts";

/** Describes how many vectors are disputed, and why: the assertions about which validators disagree, and the messages that implementations may accept or refuse. Empty if there are none. */
export function describeDisputes(folder: string, { files }: Manifest): string[] {
  const vectors = files
    .filter(({ kind }) => kind === "disputed")
    .flatMap(({ path }) => (JSON.parse(readFileSync(join(folder, path), "utf8")) as VectorFile).tests);
  const counts = new Map<string, number>();
  let hasDisagreement = false;
  for (const { readings = [] } of vectors) {
    const refusingReading = readings.find(({ site }) => site !== undefined);
    const acceptingValidators = readings.filter(({ verdict }) => verdict === "valid").flatMap(({ by }) => by);
    const pointer = refusingReading?.site?.replace(/^[^#]*/, "");
    const dispute =
      refusingReading === undefined
        ? `right either way: ${readings.find(({ why }) => why !== undefined)?.why ?? "readings differ"}`
        : `${clauseOf(refusingReading.by, "refuse")} at ${pointer}, ${clauseOf(acceptingValidators, "accept")}`;
    hasDisagreement ||= refusingReading !== undefined;
    counts.set(dispute, (counts.get(dispute) ?? 0) + 1);
  }
  if (!hasDisagreement) return [];
  const total = files.reduce((sum, { count }) => sum + count, 0);
  const sortedCounts = [...counts].sort(([, a], [, b]) => b - a);
  return [
    `${vectors.length} of ${total} vectors are disputed, and a wrong answer to them is not reported`,
    ...sortedCounts.map(([dispute, count]) => `  ${count}: ${dispute}`),
  ];
}

function clauseOf(readers: readonly string[], verb: string): string {
  return `${readers.map(inFull).join(" and ")} ${verb}${readers.length === 1 ? "s" : ""}`;
}
