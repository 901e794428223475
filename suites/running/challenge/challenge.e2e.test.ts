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

/** Knows the answer to every stored vector, and accepts everything else. */
const answerKey = (instance: unknown): boolean => answers.get(keyOf(instance as Json)) ?? true;

function keyOf(data: Json): string {
  try {
    return canonical(data);
  } catch {
    return JSON.stringify(data);
  }
}

const challengeSet = await privateSet(ahcp, { seed: 5, runs: 100 });
const vectors = challengeSet.files.flatMap(({ tests }) => tests);
const runChallenge = (judge: (instance: unknown) => boolean): Promise<Report> =>
  runSuite({ protocols: [ahcp], target: () => inProcess(judge), vectors: () => challengeSet });
const violatedIds = ({ runs }: Report): string[] =>
  (runs[0]?.results ?? []).filter(({ outcome }) => outcome === "violates").map(({ id }) => id);

describe("a private set", () => {
  it("contains valid and invalid messages of both origins, and none of the stored messages", () => {
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

  it("is the same for the same seed, even with more vectors, and different for a different seed", async () => {
    const sameSeed = await privateSet(ahcp, { seed: 5, runs: 100 });
    expect(sameSeed).toEqual(challengeSet);
    const otherSeed = await privateSet(ahcp, { seed: 6, runs: 10 });
    expect(otherSeed.digest).not.toBe(challengeSet.digest);
  });

  it("distinguishes a correct implementation from one that has memorized the answers", async () => {
    const storedReport = await runSuite({
      protocols: [ahcp],
      target: () => inProcess(answerKey),
      only: ["ahcp/0.3/message"],
    });
    expect(violatedIds(storedReport)).toEqual([]);
    const lookupReport = await runChallenge(answerKey);
    expect(lookupReport.exitCode).toBe(1);
    expect(violatedIds(lookupReport).length).toBeGreaterThan(20);
    expect(violatedIds(lookupReport)).toEqual(violatedIds(await runChallenge(() => true)));
  });

  it("does not fail a correct implementation, however strict or lenient it is", async () => {
    const snap = protocolNamed("snap");
    const { twin } = (await (await packOf(snap)).twin?.()) ?? {};
    const { files } = await privateSet(snap, { seed: 1, runs: 300 });
    const falseViolations: string[] = [];
    for (const { document, tests } of files)
      for (const vector of tests)
        for (const isStrict of [true, false]) {
          const value = vector.data as Json;
          const why = await twin?.judge({ document, value, text: Buffer.from(JSON.stringify(value)) }, () => isStrict);
          const answer: Answer = { verdict: why === undefined ? "accepted" : "rejected", reasons: [] };
          if (judge(vector, answer).outcome === "violates") falseViolations.push(`${vector.id}: ${why}`);
        }
    expect(twin).toBeDefined();
    expect(falseViolations).toEqual([]);
  });

  it("does not fail the reference", async () => {
    const report = await runSuite({ protocols: [ahcp], target: { kind: "reference" }, vectors: () => challengeSet });
    expect(violatedIds(report)).toEqual([]);
    expect([report.exitCode, report.counts.errored]).toEqual([0, 0]);
  });
});
