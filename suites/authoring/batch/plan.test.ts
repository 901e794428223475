import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isIn, planItems, wordsFor } from "./plan.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const over = [folder];
const words = ["lint", "{}"];

beforeAll(() => {
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "b.json"), "{}");
  writeFileSync(join(folder, "inner", "a.yaml"), "type: object");
  writeFileSync(join(folder, "notes.txt"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the plan of a batch", () => {
  it("has every JSON and YAML file of a folder, in the order of paths, with each seed", () => {
    expect(planItems({ over, seeds: [], words }).map(({ path }) => path)).toEqual(["b.json", "inner/a.yaml"]);
    const seeded = planItems({ over, seeds: [1, 2], words });
    expect(seeded.map(({ path, seed }) => `${path} ${seed}`)).toEqual([
      "b.json 1",
      "b.json 2",
      "inner/a.yaml 1",
      "inner/a.yaml 2",
    ]);
    expect(planItems({ over: [], seeds: [7], words }).map(({ seed }) => seed)).toEqual([7]);
  });

  it("has other keys for other content, commands or seeds, and the same for the same", () => {
    const key = (given: Parameters<typeof planItems>[0]): string | undefined => planItems(given)[0]?.key;
    const first = key({ over, seeds: [1], words });
    expect(key({ over, seeds: [1], words })).toBe(first);
    expect(key({ over, seeds: [2], words })).not.toBe(first);
    expect(key({ over, seeds: [1], words: ["lint", "--json", "{}"] })).not.toBe(first);
    writeFileSync(join(folder, "b.json"), "{ }");
    expect(key({ over, seeds: [1], words })).not.toBe(first);
  });

  it("splits into shards without remainder", () => {
    const items = planItems({ over: [], seeds: Array.from({ length: 500 }, (_, seed) => seed), words });
    const shards = [1, 2, 3].map((index) => items.filter((item) => isIn({ index, count: 3 }, item)));
    expect(shards.flat().length).toBe(500);
    for (const shard of shards) expect(shard.length).toBeGreaterThan(100);
  });

  it("inserts an item into the arguments of the command", () => {
    const item = { key: "k", path: "inner/a.yaml", file: "s/inner/a.yaml", seed: 3 };
    expect(wordsFor(item, ["compare", "old/{path}", "{}", "--out={out}/{name}", "--seed", "{seed}"], "o")).toEqual([
      "compare",
      "old/inner/a.yaml",
      "s/inner/a.yaml",
      "--out=o/a",
      "--seed",
      "3",
    ]);
  });

  it("refuses missing and repeated items", () => {
    expect(() => planItems({ over: [join(folder, "none")], seeds: [], words })).toThrow(
      "the file or folder does not exist",
    );
    expect(() => planItems({ over: [join(folder, "b.json"), join(folder, "b.json")], seeds: [], words })).toThrow(
      "twice",
    );
    mkdirSync(join(folder, "empty"));
    expect(() => planItems({ over: [join(folder, "empty")], seeds: [], words })).toThrow("no JSON or YAML files");
  });
});
