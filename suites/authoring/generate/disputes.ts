import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inFull, type Manifest, type VectorFile } from "../../../schemas/index.ts";

/** How many vectors are disputed, and why: the assertions about which validators disagree, and the messages that implementations may accept or refuse. Empty if there are none. */
export function describeDisputes(folder: string, { files }: Manifest): string[] {
  const vectors = files
    .filter(({ kind }) => kind === "disputed")
    .flatMap(({ path }) => (JSON.parse(readFileSync(join(folder, path), "utf8")) as VectorFile).tests);
  const counts = new Map<string, number>();
  let areDiffering = false;
  for (const { readings = [] } of vectors) {
    const first = readings.find(({ site }) => site !== undefined);
    const otherReaders = readings.filter(({ verdict }) => verdict === "valid").flatMap(({ by }) => by);
    const at = first?.site?.replace(/^[^#]*/, "");
    const dispute =
      first === undefined
        ? `right either way: ${readings.find(({ why }) => why !== undefined)?.why ?? "readings differ"}`
        : `${verb(first.by, "refuse")} at ${at}, ${verb(otherReaders, "accept")}`;
    areDiffering ||= first !== undefined;
    counts.set(dispute, (counts.get(dispute) ?? 0) + 1);
  }
  if (!areDiffering) return [];
  const all = files.reduce((sum, { count }) => sum + count, 0);
  const sortedCounts = [...counts].sort(([, one], [, other]) => other - one);
  return [
    `${vectors.length} of ${all} vectors are disputed, and a wrong answer to them is not reported`,
    ...sortedCounts.map(([said, count]) => `  ${count}: ${said}`),
  ];
}

function verb(readers: readonly string[], does: string): string {
  return `${readers.map(inFull).join(" and ")} ${does}${readers.length === 1 ? "s" : ""}`;
}
