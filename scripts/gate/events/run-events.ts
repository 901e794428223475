import { renameSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { excusedBugs, otherMistake } from "../gate-world.ts";
import type { GateEvent } from "../life.ts";
import { quietOptions } from "../quiet-options.ts";

/** Events in which the run changes: shards, cut reports and new vector sets. */
export const runEvents: readonly GateEvent[] = [
  {
    name: "a run of a part, `--update-baseline`",
    act: (world) => world.touchstone(...quietOptions, "--only", "**/valid/**", "--update-baseline"),
  },
  {
    name: "four shards, merged, and `baseline check`",
    async act(world) {
      const parts = await runShards(world, 4);
      const mergeRun = await world.touchstone("report", "merge", ...parts, "--report", "json=whole.json");
      if (mergeRun.code !== 1) throw new Error(`a whole with known failures, and no baseline: ${mergeRun.code}`);
      return world.touchstone("baseline", "check", "known.json", "whole.json");
    },
  },
  {
    name: "a shard is lost",
    async act(world) {
      return world.touchstone(
        "report",
        "merge",
        ...(await runShards(world, 2)).slice(1),
        "--report",
        "json=whole.json",
      );
    },
  },
  {
    name: "a shard is there twice",
    async act(world) {
      const [first = "", second = ""] = await runShards(world, 2);
      return world.touchstone("report", "merge", first, second, first, "--report", "json=whole.json");
    },
  },
  {
    name: "shards of two configurations",
    async act(world) {
      const [first = ""] = await runShards(world, 2);
      renameSync(join(world.folder, first), join(world.folder, "first.jsonl"));
      const [, second = ""] = await runShards(world, 2, { vectors: world.sets.next });
      return world.touchstone("report", "merge", "first.jsonl", second, "--report", "json=whole.json");
    },
  },
  {
    name: "a report is cut off, and `baseline check`",
    async act(world) {
      await world.touchstone(...quietOptions, "--report", "jsonl=cut.jsonl");
      const reportFile = join(world.folder, "cut.jsonl");
      truncateSync(reportFile, Math.floor(statSync(reportFile).size / 2));
      return world.touchstone("baseline", "check", "known.json", "cut.jsonl");
    },
  },
  {
    name: "a new set of vectors",
    act(world) {
      world.configure({ vectors: world.sets.next });
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a new set of vectors, and `baseline update --for-new-set`",
    async act(world) {
      world.configure({ vectors: world.sets.next });
      await world.touchstone(...quietOptions, "--report", "json=next.json");
      const updateOptions = ["--for-new-set", "--reason", "with the new set"];
      return world.touchstone("baseline", "update", "known.json", "next.json", ...updateOptions);
    },
  },
  {
    name: "a new set of vectors and a regression",
    act(world) {
      world.configure({ vectors: world.sets.next });
      world.hub.broken = new Set([...excusedBugs, otherMistake]);
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a new set of vectors and a regression, and `baseline update --for-new-set`",
    async act(world) {
      world.configure({ vectors: world.sets.next });
      world.hub.broken = new Set([...excusedBugs, otherMistake]);
      await world.touchstone(...quietOptions, "--report", "json=next.json");
      const updateOptions = ["--for-new-set", "--reason", "with the new set"];
      return world.touchstone("baseline", "update", "known.json", "next.json", ...updateOptions);
    },
  },
];

async function runShards(
  world: Parameters<GateEvent["act"]>[0],
  count: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const parts: string[] = [];
  world.configure({ baseline: undefined, seed: 1000 + Math.floor(Math.random() * 1e6), ...more });
  for (let index = 1; index <= count; index += 1) {
    parts.push(`part-${index}.jsonl`);
    await world.touchstone(...quietOptions, "--shard", `${index}/${count}`, "--report", `jsonl=part-${index}.jsonl`);
  }
  return parts;
}
