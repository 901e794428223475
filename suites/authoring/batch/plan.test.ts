import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { argsFor, isInShard, planItems } from "./plan.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const over = [folder];
const commandArgs = ["lint", "{}"];

beforeAll(() => {
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "b.json"), "{}");
  writeFileSync(join(folder, "inner", "a.yaml"), "type: object");
  writeFileSync(join(folder, "notes.txt"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the plan of a batch", () => {
  it("has every JSON and YAML file of a folder, in the order of paths, with each seed", () => {
    expect(planItems({ over, seeds: [], commandArgs }).map(({ path }) => path)).toEqual(["b.json", "inner/a.yaml"]);
    const seeded = planItems({ over, seeds: [1, 2], commandArgs });
    expect(seeded.map(({ path, seed }) => `${path} ${seed}`)).toEqual([
      "b.json 1",
      "b.json 2",
      "inner/a.yaml 1",
      "inner/a.yaml 2",
    ]);
    expect(planItems({ over: [], seeds: [7], commandArgs }).map(({ seed }) => seed)).toEqual([7]);
  });

  it("changes an item's key with the file's content, the command or the seed only", () => {
    const firstKey = (request: Parameters<typeof planItems>[0]): string | undefined => planItems(request)[0]?.key;
    const first = firstKey({ over, seeds: [1], commandArgs });
    expect(firstKey({ over, seeds: [1], commandArgs })).toBe(first);
    expect(firstKey({ over, seeds: [2], commandArgs })).not.toBe(first);
    expect(firstKey({ over, seeds: [1], commandArgs: ["lint", "--json", "{}"] })).not.toBe(first);
    writeFileSync(join(folder, "b.json"), "{ }");
    expect(firstKey({ over, seeds: [1], commandArgs })).not.toBe(first);
  });

  it("assigns every item to exactly one shard", () => {
    const items = planItems({ over: [], seeds: Array.from({ length: 500 }, (_, seed) => seed), commandArgs });
    const shards = [1, 2, 3].map((index) => items.filter((item) => isInShard({ index, count: 3 }, item)));
    expect(shards.flat().length).toBe(500);
    for (const shard of shards) expect(shard.length).toBeGreaterThan(100);
  });

  it("inserts an item into the arguments of the command", () => {
    const item = { key: "k", path: "inner/a.yaml", file: "s/inner/a.yaml", seed: 3 };
    expect(argsFor(item, ["compare", "old/{path}", "{}", "--out={out}/{name}", "--seed", "{seed}"], "o")).toEqual([
      "compare",
      "old/inner/a.yaml",
      "s/inner/a.yaml",
      "--out=o/a",
      "--seed",
      "3",
    ]);
  });

  it("refuses missing and repeated items", () => {
    expect(() => planItems({ over: [join(folder, "none")], seeds: [], commandArgs })).toThrow(
      "the file or folder does not exist",
    );
    expect(() => planItems({ over: [join(folder, "b.json"), join(folder, "b.json")], seeds: [], commandArgs })).toThrow(
      "twice",
    );
    mkdirSync(join(folder, "empty"));
    expect(() => planItems({ over: [join(folder, "empty")], seeds: [], commandArgs })).toThrow("no JSON or YAML files");
  });
});
