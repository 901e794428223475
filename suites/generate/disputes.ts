import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest, VectorFile } from "../../schemas/index.ts";

/** How many vectors are disputed, and over which assertions of the schema. */
export function disputesIn(folder: string, { files }: Manifest): string[] {
  const vectors = files
    .filter(({ kind }) => kind === "disputed")
    .flatMap(({ path }) => (JSON.parse(readFileSync(join(folder, path), "utf8")) as VectorFile).tests);
  const counts = new Map<string, number>();
  for (const { readings = [] } of vectors) {
    const first = readings.find(({ site }) => site !== undefined);
    const others = readings.filter(({ verdict }) => verdict === "valid").flatMap(({ by }) => by);
    if (first?.site === undefined) continue;
    const at = first.site.slice(first.site.indexOf("#"));
    const said = `${first.by.join(" and ")} refuses at ${at}, ${others.join(" and ")} accepts`;
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  const all = files.reduce((sum, { count }) => sum + count, 0);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  if (sorted.length === 0) return [];
  return [
    `${vectors.length} of ${all} vectors are disputed: validators differ, and a wrong answer to them is not reported`,
    ...sorted.map(([said, count]) => `  ${count}: ${said}`),
  ];
}
