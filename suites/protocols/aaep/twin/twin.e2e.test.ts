import { afterEach, describe, expect, it } from "vitest";
import type { Report, TargetConfig } from "../../../../schemas/index.ts";
import { shardOf } from "../../../../schemas/part.fixture.ts";
import { builtPathOf } from "../../../base/process/built.fixture.ts";
import { runSuite } from "../../../running/run/suite.ts";
import { twinTrials } from "../../../running/selftest/twins.ts";
import { serveTwin } from "./producer.fixture.ts";

const timeout = 900_000;
const fixturePath = (name: string): string => builtPathOf(`suites/protocols/aaep/twin/${name}.fixture.ts`);
const problemCounts = ({ counts: { violates, warns, errored } }: Report) => ({ violates, warns, errored });
const noProblems = { violates: 0, warns: 0, errored: 0 };
/** In this process, the twin judges every vector with every freedom. Each transport runs a part of the vectors, which depends on the change. */
const shard = shardOf(8);
const shardOptions = shard === undefined ? {} : { shard };
const runTwin = (target: TargetConfig, only: readonly string[] = []): Promise<Report> =>
  runSuite({ protocols: "aaep", target, only, timeoutMs: 60_000, ...(only.length > 0 ? {} : shardOptions) });

it("a twin causes no violation, whichever freedoms it uses", { timeout }, async () => {
  const trials = await twinTrials("aaep");
  expect(trials.length).toBeGreaterThan(100);
  expect(trials.flatMap(({ twin, accused }) => accused.map(({ id, why }) => `${twin}: ${id}: ${why}`))).toEqual([]);
});

describe.each(["strict", "lenient"])("a %s twin", (behavior) => {
  afterEach(() => {
    delete process.env.AAEP_TWIN;
  });

  it("causes no violation as a module", { timeout }, async () => {
    process.env.AAEP_TWIN = behavior;
    const report = await runTwin({ kind: "module", file: fixturePath("peer") });
    expect(problemCounts(report)).toMatchObject({ violates: 0, errored: 0 });
    expect(report.counts.conforms).toBeGreaterThan(4000 / (shard?.count ?? 1));
  });

  it("causes no violation as a command", { timeout }, async () => {
    process.env.AAEP_TWIN = behavior;
    const command = `"${process.execPath}" "${fixturePath("command")}"`;
    expect(problemCounts(await runTwin({ kind: "command", command }))).toMatchObject({ violates: 0, errored: 0 });
  });

  it("causes no violation over HTTP, in two successive runs", { timeout }, async () => {
    const { url, close } = await serveTwin(behavior === "strict");
    try {
      const firstReport = await runTwin({ kind: "http", url });
      expect(problemCounts(firstReport)).toMatchObject({ violates: 0, errored: 0 });
      expect(firstReport.counts.conforms).toBeGreaterThan(100 / (shard?.count ?? 1));
      expect((await runTwin({ kind: "http", url })).counts).toEqual(firstReport.counts);
    } finally {
      await close();
    }
  });
});

it("a twin that breaks a rule causes a violation", { timeout }, async () => {
  process.env.AAEP_TWIN = "lax";
  const report = await runTwin({ kind: "module", file: fixturePath("peer") }, ["aaep/1.0/agent.session.errored"]);
  delete process.env.AAEP_TWIN;
  expect(problemCounts(report)).not.toEqual(noProblems);
  const violations = report.runs.flatMap(({ results }) => results.filter(({ outcome }) => outcome === "violates"));
  expect(violations.map(({ rule }) => rule)).toContain("AAEP-LIFE-011");
});
