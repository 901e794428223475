import { afterEach, describe, expect, it } from "vitest";
import { type Answer, protocolNamed, type TargetConfig, type Twin } from "../../../schemas/index.ts";
import { shardOf } from "../../../schemas/part.fixture.ts";
import { builtPathOf } from "../../base/process/built.fixture.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { judge } from "../run/judge.ts";
import { runSuite } from "../run/suite.ts";
import { twinTrials } from "./twins.ts";

/** The facts for running a twin as each kind of target. */
export interface TwinTargets {
  /** The source file `suites/…/target.fixture.ts`, which is built: a module, or a command if run with `serve`. */
  file: string;
  serve(): Promise<{ url: string; close(): void }>;
  /** The minimum number of vectors that must be judged: in total, and over HTTP. */
  least: { asked: number; sent: number };
}

const timeout = 600_000;

/** The part of the vectors that other kinds of target run, which changes with each revision. In process, every vector is combined with every freedom. */
const shard = shardOf(8);
const shardNote = shard === undefined ? "" : ` (shard ${shard.index} of ${shard.count})`;

/** Defines the tests of a protocol's twin: no vector may fail it, whatever its freedoms and the kind of target. */
export function describeTwin(protocol: string, twin: Twin, { file, serve, least }: TwinTargets): void {
  const expectNoFailure = async (target: TargetConfig, minJudged: number): Promise<void> => {
    const shards = shard === undefined ? {} : { shard };
    const { runs, counts } = await runSuite({ protocols: protocol, target, timeoutMs: 60_000, ...shards });
    const failures = runs.flatMap(({ failure, results }) => [
      ...(failure === undefined ? [] : [JSON.stringify(failure)]),
      ...results
        .filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome))
        .map(({ id, outcome, why }) => `${outcome} ${id}: ${why}`),
    ]);
    expect(failures).toEqual([]);
    expect(counts.conforms).toBeGreaterThan((0.8 * minJudged) / (shard?.count ?? 1));
  };

  describe("a correct implementation", () => {
    it("passes with each freedom used either way", { timeout }, async () => {
      const trials = await twinTrials(protocol);
      expect(trials).toHaveLength(2 + 2 * twin.freedoms.length);
      const accusations = trials.flatMap(({ twin: name, accused }) =>
        accused.map(({ id, why }) => `${name}: ${id}: ${why}`),
      );
      expect(accusations).toEqual([]);
    });

    describe.each(["strict", "lenient"])(`that is %s${shardNote}`, (strictness) => {
      afterEach(() => {
        delete process.env.TOUCHSTONE_TWIN;
      });

      it("passes as a module", { timeout }, async () => {
        process.env.TOUCHSTONE_TWIN = strictness;
        await expectNoFailure({ kind: "module", file: builtPathOf(file) }, least.asked);
      });

      it("passes as a command", { timeout }, async () => {
        process.env.TOUCHSTONE_TWIN = strictness;
        const command = `node "${builtPathOf(file)}" serve`;
        await expectNoFailure({ kind: "command", command }, least.asked);
      });

      it("passes over HTTP", { timeout }, async () => {
        process.env.TOUCHSTONE_TWIN = strictness;
        const { url, close } = await serve();
        await expectNoFailure({ kind: "http", url }, least.sent).finally(close);
      });
    });
  });
}

/** Returns the ids of the vectors that fail an implementation that is strict in every freedom, or lenient in every freedom. */
export async function findAccusations(protocol: string, judged: Twin["judge"], strict: boolean): Promise<string[]> {
  const ids: string[] = [];
  for (const { document, tests } of loadVectors(protocolNamed(protocol)).files)
    for (const vector of tests.filter(({ data }) => data !== undefined)) {
      const { data = null } = vector;
      const question = { document, value: data, text: Buffer.from(JSON.stringify(data)) };
      const why = await judged(question, () => strict);
      const answer: Answer = { verdict: why === undefined ? "accepted" : "rejected", reasons: [] };
      if (judge(vector, answer).outcome === "violates") ids.push(vector.id);
    }
  return ids;
}
