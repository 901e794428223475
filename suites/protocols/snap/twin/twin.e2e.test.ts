import { afterEach, describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed, type Report, type TargetConfig } from "../../../../schemas/index.ts";
import { shardOf } from "../../../../schemas/part.fixture.ts";
import { builtPathOf } from "../../../base/process/built.fixture.ts";
import { runSuite } from "../../../running/run/suite.ts";
import { twinTrials } from "../../../running/selftest/twins.ts";
import { type AgentOptions, serve } from "./agent.ts";
import { twin } from "./twin.ts";

const protocol = protocolNamed("snap");
afterEach(() => {
  delete process.env.TOUCHSTONE_TWIN;
});

/** Over a transport only a part of the vectors is run, a different one for each change. In process, all are run with all freedoms. */
const shard = shardOf(8);
const partOption = shard === undefined ? {} : { shard };

const run = (target: TargetConfig, only?: string[]): Promise<Report> =>
  runSuite({ protocols: "snap", target, timeoutMs: 60_000, ...(only === undefined ? partOption : { only }) });

const file = builtPathOf("suites/protocols/snap/twin/target.fixture.ts");

async function runAgainstAgent(options: Omit<AgentOptions, "secret">, only?: string[]): Promise<Report> {
  const agent = await serve({ ...options, secret: "1d".repeat(32) });
  try {
    return await run({ kind: "http", url: agent.url, identity: agent.address }, only);
  } finally {
    await agent.close();
  }
}

const accusations = ({ runs }: Report): string[] =>
  runs
    .flatMap(({ results }) => results)
    .filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome))
    .map(({ id, why }) => `${id}: ${why}`);

describe("the correct implementation of SNAP", () => {
  it("uses each freedom of judgement in the protocol's data", () => {
    const listed = freedomsOf(protocol).filter(({ shows }) => shows === "judgement");
    expect([...twin.freedoms].sort()).toEqual(listed.map(({ id }) => id).sort());
  });

  it("is never accused, regardless of the freedoms that it uses", { timeout: 600_000 }, async () => {
    const trials = await twinTrials(protocol);
    expect(trials.length).toBe(2 + 2 * twin.freedoms.length);
    expect(trials.filter((trial) => trial.accused.length > 0)).toEqual([]);
  });

  it.each(["strict", "lenient"])("is not accused as a command (%s)", { timeout: 300_000 }, async (mode) => {
    process.env.TOUCHSTONE_TWIN = mode;
    const report = await run({ kind: "command", command: `"${process.execPath}" "${file}" serve` });
    expect(accusations(report)).toEqual([]);
    expect(report.counts.conforms).toBeGreaterThan(1000 / (shard?.count ?? 1));
  });

  it.each(["strict", "lenient"])("is not accused as a module (%s)", { timeout: 300_000 }, async (mode) => {
    process.env.TOUCHSTONE_TWIN = mode;
    const report = await run({ kind: "module", file });
    expect(accusations(report)).toEqual([]);
    expect(report.counts.conforms).toBeGreaterThan(1000 / (shard?.count ?? 1));
  });

  it.each([true, false])(
    "is not accused in either of two runs over HTTP (strict: %s)",
    { timeout: 300_000 },
    async (isStrict) => {
      for (const _ of [1, 2]) expect(accusations(await runAgainstAgent({ strict: () => isStrict }))).toEqual([]);
    },
  );

  it("is accused if it does not verify signatures", async () => {
    const only = ["snap/0.1/envelope/semantic/SNAP-SIG-001"];
    const report = await runAgainstAgent(
      { strict: (freedom) => freedom !== "offered-methods", forgets: "signature" },
      only,
    );
    expect(accusations(report).length).toBeGreaterThan(5);
  });
});
