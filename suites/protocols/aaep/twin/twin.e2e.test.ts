import { afterEach, describe, expect, it } from "vitest";
import type { Report, TargetConfig } from "../../../../schemas/index.ts";
import { shardOf } from "../../../../schemas/part.fixture.ts";
import { builtPathOf } from "../../../base/process/built.fixture.ts";
import { runSuite } from "../../../running/run/suite.ts";
import { twinTrials } from "../../../running/selftest/twins.ts";
import { serveTwin } from "./producer.fixture.ts";

const timeout = 900_000;
const file = (name: string): string => builtPathOf(`suites/protocols/aaep/twin/${name}.fixture.ts`);
const said = ({ counts: { violates, warns, errored } }: Report) => ({ violates, warns, errored });
const nothing = { violates: 0, warns: 0, errored: 0 };
/** In process, every vector is tried with every freedom; each transport gets a part of them, a different one for each change. */
const shard = shardOf(8);
const part = shard === undefined ? {} : { shard };
const run = (target: TargetConfig, only: readonly string[] = []): Promise<Report> =>
  runSuite({ protocols: "aaep", target, only, timeoutMs: 60_000, ...(only.length > 0 ? {} : part) });

it("is not accused, whatever freedom it uses", { timeout }, async () => {
  const trials = await twinTrials("aaep");
  expect(trials.length).toBeGreaterThan(100);
  expect(trials.flatMap(({ twin, accused }) => accused.map(({ id, why }) => `${twin}: ${id}: ${why}`))).toEqual([]);
});

describe.each(["strict", "lenient"])("a %s twin", (way) => {
  afterEach(() => {
    delete process.env.AAEP_TWIN;
  });

  it("is not accused as a module", { timeout }, async () => {
    process.env.AAEP_TWIN = way;
    const report = await run({ kind: "module", file: file("peer") });
    expect(said(report)).toMatchObject({ violates: 0, errored: 0 });
    expect(report.counts.conforms).toBeGreaterThan(4000 / (shard?.count ?? 1));
  });

  it("is not accused as a command", { timeout }, async () => {
    process.env.AAEP_TWIN = way;
    const command = `"${process.execPath}" "${file("command")}"`;
    expect(said(await run({ kind: "command", command }))).toMatchObject({ violates: 0, errored: 0 });
  });

  it("is not accused over HTTP, twice in a row", { timeout }, async () => {
    const { url, close } = await serveTwin(way === "strict");
    try {
      const first = await run({ kind: "http", url });
      expect(said(first)).toMatchObject({ violates: 0, errored: 0 });
      expect(first.counts.conforms).toBeGreaterThan(100 / (shard?.count ?? 1));
      expect((await run({ kind: "http", url })).counts).toEqual(first.counts);
    } finally {
      await close();
    }
  });
});

it("is accused if it breaks a rule", { timeout }, async () => {
  process.env.AAEP_TWIN = "lax";
  const report = await run({ kind: "module", file: file("peer") }, ["aaep/1.0/agent.session.errored"]);
  delete process.env.AAEP_TWIN;
  expect(said(report)).not.toEqual(nothing);
  const accused = report.runs.flatMap(({ results }) => results.filter(({ outcome }) => outcome === "violates"));
  expect(accused.map(({ rule }) => rule)).toContain("AAEP-LIFE-011");
});
