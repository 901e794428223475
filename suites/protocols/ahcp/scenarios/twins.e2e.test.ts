import { describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed } from "../../../../schemas/index.ts";
import { partOf, shardOf } from "../../../../schemas/part.fixture.ts";
import { runSuite } from "../../../running/run/suite.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import { targetFrom } from "../../../targets/index.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("ahcp");
const freedomIds = new Set(freedomsOf(protocol).map(({ id }) => id));

const shard = shardOf(8);
const shardOption = shard === undefined ? {} : { shard };
const { cases, said: partText } = partOf(live.twins ?? [], ({ name }) => name);

describe.each(cases)(`(${partText}) the correct hub that is $name`, ({ freedoms, options }) => {
  it("uses existing freedoms", () => {
    expect(freedoms.filter((freedom) => !freedomIds.has(freedom))).toEqual([]);
  });

  it("violates nothing in any scenario", { timeout: 600_000 }, async () => {
    const { setting, close } = await live.open(options);
    try {
      const results = await playScenarios({ protocol, scenarios, setting: { ...setting, timeScale: 0.3 }, seed: 7 });
      const failures = results.filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome));
      expect(failures.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
    } finally {
      await close();
    }
  });

  it("passes all vectors with the credential of agent `a`", { timeout: 600_000 }, async () => {
    const { setting, close } = await live.open(options);
    try {
      const target = () => targetFrom({ kind: "http", url: `${setting.url}` }, { credential: setting.credentials?.a });
      const { counts, exitCode } = await runSuite({ protocols: "ahcp", target, timeoutMs: 30_000, ...shardOption });
      expect([exitCode, counts.violates, counts.errored, counts["timed-out"]]).toEqual([0, 0, 0, 0]);
    } finally {
      await close();
    }
  });
});
