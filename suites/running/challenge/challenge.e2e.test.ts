import { describe, expect, it } from "vitest";
import { type Answer, canonical, type Json, protocolNamed, type Report } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import { inProcess } from "../../targets/in-process.ts";
import { judge } from "../run/judge.ts";
import { runSuite } from "../run/suite.ts";
import { privateSet } from "./private-set.ts";

const ahcp = protocolNamed("ahcp");
const storedVectors = loadVectors(ahcp).files.flatMap(({ tests }) => tests);
const answers = new Map(
  storedVectors.flatMap(({ data, valid }) => (data === undefined ? [] : [[keyOf(data), valid] as const])),
);

/** Knows every stored vector by heart, and nothing else. */
const answerKey = (instance: unknown): boolean => answers.get(keyOf(instance as Json)) ?? true;

function keyOf(data: Json): string {
  try {
    return canonical(data);
  } catch {
    return JSON.stringify(data);
  }
}

const set = await privateSet(ahcp, { seed: 5, runs: 100 });
const vectors = set.files.flatMap(({ tests }) => tests);
const challenged = (judge: (instance: unknown) => boolean): Promise<Report> =>
  runSuite({ protocols: [ahcp], target: () => inProcess(judge), vectors: () => set });
const violated = ({ runs }: Report): string[] =>
  (runs[0]?.results ?? []).filter(({ outcome }) => outcome === "violates").map(({ id }) => id);

describe("a private set", () => {
  it("contains no stored message, and both valid and invalid ones of both origins", () => {
    expect(vectors.filter(({ data }) => answers.has(keyOf(data as Json))).map(({ id }) => id)).toEqual([]);
    const kinds = new Set(
      vectors.map(({ id }) => `${id.split("/")[3]} ${/challenge\/5\/([a-z]+)-\d+$/.exec(id)?.[1]}`),
    );
    expect([...kinds]).toEqual(
      expect.arrayContaining(["valid drawn", "invalid drawn", "valid varied", "invalid varied", "semantic varied"]),
    );
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
    expect(vectors.length).toBe(100);
  });

  it("is the same for the same seed, even with more vectors, and different for another seed", async () => {
    const sameSeed = await privateSet(ahcp, { seed: 5, runs: 100 });
    expect(sameSeed).toEqual(set);
    const otherSeed = await privateSet(ahcp, { seed: 6, runs: 10 });
    expect(otherSeed.digest).not.toBe(set.digest);
  });

  it("distinguishes a correct implementation from one that has memorized the answers", async () => {
    const onStored = await runSuite({
      protocols: [ahcp],
      target: () => inProcess(answerKey),
      only: ["ahcp/0.3/message"],
    });
    expect(violated(onStored)).toEqual([]);
    const lookupReport = await challenged(answerKey);
    expect(lookupReport.exitCode).toBe(1);
    expect(violated(lookupReport).length).toBeGreaterThan(20);
    expect(violated(lookupReport)).toEqual(violated(await challenged(() => true)));
  });

  it("fails no correct implementation, however strict or lenient it is", async () => {
    const snap = protocolNamed("snap");
    const { twin } = (await (await packOf(snap)).twin?.()) ?? {};
    const { files } = await privateSet(snap, { seed: 1, runs: 300 });
    const accused: string[] = [];
    for (const { document, tests } of files)
      for (const vector of tests)
        for (const isStrict of [true, false]) {
          const value = vector.data as Json;
          const why = await twin?.judge({ document, value, text: Buffer.from(JSON.stringify(value)) }, () => isStrict);
          const answer: Answer = { verdict: why === undefined ? "accepted" : "rejected", reasons: [] };
          if (judge(vector, answer).outcome === "violates") accused.push(`${vector.id}: ${why}`);
        }
    expect(twin).toBeDefined();
    expect(accused).toEqual([]);
  });

  it("fails no reference", async () => {
    const report = await runSuite({ protocols: [ahcp], target: { kind: "reference" }, vectors: () => set });
    expect(violated(report)).toEqual([]);
    expect([report.exitCode, report.counts.errored]).toEqual([0, 0]);
  });
});
