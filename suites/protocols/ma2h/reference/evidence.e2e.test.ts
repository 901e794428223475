import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { own, scenarios } from "../scenarios/all.ts";
import { live } from "./live.ts";

/** Broken hubs without a hook, and scenarios that do not see the mistake then. */
const hidden: [variant: string, scenario: string, hook: string, outcome: string, why: RegExp][] = [
  ["INB-005", "mailbox-delivering", "clock", "skipped", /^no hook moves the clock past the time of hiding$/],
  ["INB-016", "bouncing-receipts", "clock", "skipped", /^no hook moves the clock past the time of hiding$/],
  ["PRS-007-restart", "presence-split", "restart", "skipped", /^no hook restarts the hub$/],
];

it.concurrent.each(hidden)("do not say that a hub conforms that breaks %s, in %s without %s", async (...given) => {
  const [variant, scenario, hook, outcome, why] = given;
  const { setting, close } = await live.open({ variant: `breaks-MA2H-${variant}` });
  const { [hook]: _, ...hooks } = setting.hooks ?? {};
  const results = await playScenarios({
    protocol: protocolNamed("ma2h"),
    scenarios: own.filter(({ name }) => name === scenario),
    setting: { ...setting, hooks, timeScale: 0.3 },
    seed: 1,
  }).finally(close);
  const found = results.find(({ rule }) => rule === `MA2H-${variant.slice(0, 7)}`);
  expect(found).toMatchObject({ outcome, why: expect.stringMatching(why) });
});

it.concurrent("do not say that a hub conforms that registers after a stop and answers slowly", async () => {
  const { setting, close } = await live.open({ variant: "breaks-MA2H-HST-004", choices: ["slow-answers"] });
  const [result] = await playScenarios({
    protocol: protocolNamed("ma2h"),
    scenarios: own.filter(({ name }) => name === "operator-stop-races"),
    setting: { ...setting, timeScale: 0.3 },
    seed: 1,
  }).finally(close);
  expect(["violates", "skipped"]).toContain(result?.outcome);
});

it.concurrent("skip what they cannot see of a right hub, and judge a session by mail that another may have claimed", async () => {
  const { setting, close } = await live.open();
  const { clock: _, "entry-key": __, ...hooks } = setting.hooks ?? {};
  const results = await playScenarios({
    protocol: protocolNamed("ma2h"),
    scenarios: own.filter(({ name }) =>
      ["webhooks-push", "directives-refused", "mailbox-selecting", "streams-entries"].includes(name),
    ),
    setting: { ...setting, hooks, timeScale: 0.3 },
    seed: 1,
  }).finally(close);
  const outcomes = results.map(({ rule, outcome }) => `${rule} ${outcome}`);
  expect(outcomes).toContain("MA2H-INB-020 skipped");
  expect(outcomes).toContain("MA2H-DIR-005 skipped");
  expect(outcomes).toContain("MA2H-STR-004 skipped");
  expect(outcomes.filter((each) => each.startsWith("MA2H-INB-01") && !each.endsWith("conforms"))).toEqual([]);
});

it.concurrent("find an agent that registers again after a stop, also with scaled waits", async () => {
  const { setting, close } = await live.open({ side: "agent", variant: "breaks-MA2H-CNS-014", timeScale: 0.3 });
  const [result] = await playScenarios({
    protocol: protocolNamed("ma2h"),
    scenarios: scenarios.filter(({ name }) => name === "agent-mail-stopped"),
    setting: { ...setting, timeScale: 0.3 },
    seed: 1,
  }).finally(close);
  // On a busy machine it may register too late.
  expect(["violates", "skipped"]).toContain(result?.outcome);
});

it.concurrent("say nothing of an agent that does not see a stop", async () => {
  const { setting, close } = await live.open({ side: "agent" });
  const { attend, ...hooks } = setting.hooks ?? {};
  const attendOnce: typeof attend = async ({ hub }) => {
    await fetch(`${hub}/v1/sessions`, { method: "POST", body: "{}" });
    await fetch(`${hub}/v1/inbox`);
    return {};
  };
  const [result] = await playScenarios({
    protocol: protocolNamed("ma2h"),
    scenarios: scenarios.filter(({ name }) => name === "agent-mail-stopped"),
    setting: { ...setting, hooks: { ...hooks, attend: attendOnce }, timeScale: 0.1 },
    seed: 1,
  }).finally(close);
  expect(result).toMatchObject({ outcome: "skipped", why: expect.stringContaining("does not drain after") });
});

it.concurrent("leave no request behind when a run ends at a finding", async () => {
  const { setting, close } = await live.open();
  const end = new AbortController();
  await playScenarios({
    protocol: protocolNamed("ma2h"),
    scenarios: own.filter(({ name }) => name === "mailbox-waiting"),
    setting: { ...setting, timeScale: 0.3 },
    seed: 1,
    signal: end.signal,
    onFound: () => void setTimeout(() => end.abort(new Error("enough")), 20),
  }).finally(close);
  // A rejected request that nothing awaits would end the process, and fails this test.
  await new Promise((done) => setTimeout(done, 50));
});
