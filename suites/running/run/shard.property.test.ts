import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { protocolsNamed } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { isIn } from "./shard.ts";

const shards = (count: number): { index: number; count: number }[] =>
  Array.from({ length: count }, (_, index) => ({ index: index + 1, count }));

describe("a split", () => {
  it("puts every id into exactly one shard", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 300 }), (id, count) => {
        expect(shards(count).filter((shard) => isIn(shard, { id }))).toHaveLength(1);
      }),
    );
  });

  it("keeps the rules of one scenario together, but not all scenarios", () => {
    const shardIndexOf = (id: string): number => shards(5).findIndex((shard) => isIn(shard, { id, scenario: {} }));
    const names = Array.from({ length: 40 }, (_, index) => `ahcp/0.3/scenarios/story-${index}`);
    for (const name of names) expect(shardIndexOf(`${name}/AHCP-IDM-001`)).toBe(shardIndexOf(`${name}/AHCP-LIF-012`));
    expect(new Set(names.map((name) => shardIndexOf(`${name}/AHCP-IDM-001`))).size).toBe(5);
  });

  it("distributes published vectors about evenly", () => {
    for (const protocol of protocolsNamed("all")) {
      const ids = loadVectors(protocol).files.flatMap(({ tests }) => tests.map(({ id }) => id));
      for (const count of [2, 4, 7]) {
        const expectedCount = ids.length / count;
        for (const shard of shards(count)) {
          const countOfShard = ids.filter((id) => isIn(shard, { id })).length;
          expect(Math.abs(countOfShard - expectedCount)).toBeLessThan(5 * Math.sqrt(expectedCount));
        }
      }
    }
  });
});
