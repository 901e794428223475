import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { partOf, shardOf } from "../../../../schemas/part.fixture.ts";
import { runSuite } from "../../../running/run/suite.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { targetFrom } from "../../../targets/index.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("ahcp");
const threeDaysMs = 3 * 86_400_000;
const shard = shardOf(6);
const shardOption = shard === undefined ? {} : { shard };

it("gives the same results in three successive runs against a hub that keeps its state", {
  timeout: 300_000,
}, async () => {
  const { setting, close } = await hubEnvironment({ limits: { requestsPerMinute: 100_000, inboxDepth: 100_000 } });
  const { url, credentials, hooks } = setting;
  const clock = hooks?.clock as (hookInput: { advanceMs: number }) => Promise<unknown>;
  const runs: Record<string, string>[] = [];
  // The limits are too high for scenarios about limits.
  const quickScenarios = scenarios.filter(({ name, slow }) => slow !== true && !name.startsWith("limits"));
  const { cases: playedScenarios } = partOf(quickScenarios, ({ name }) => name, 2);
  try {
    for (const seed of [7, 4_000_000_000, 1234]) {
      const target = () => targetFrom({ kind: "http", url: `${url}` }, { credential: credentials?.a });
      const {
        runs: [run],
      } = await runSuite({ protocols: "ahcp", target, seed, timeoutMs: 30_000, ...shardOption });
      const scenarioResults = await playScenarios({
        protocol,
        scenarios: playedScenarios,
        setting: { ...setting, timeScale: 0.3 },
        seed,
      });
      runs.push(
        Object.fromEntries([...(run?.results ?? []), ...scenarioResults].map(({ id, outcome }) => [id, outcome])),
      );
      await clock({ advanceMs: threeDaysMs });
    }
  } finally {
    await close();
  }
  const [first, second, third] = runs;
  expect(Object.values(first ?? {}).filter((outcome) => outcome === "conforms").length).toBeGreaterThan(
    1000 / (shard?.count ?? 1),
  );
  expect(second).toEqual(first);
  expect(third).toEqual(first);
});
