import { expect, it } from "vitest";
import { type Hook, type JsonObject, protocolNamed, type Result } from "../../../../../schemas/index.ts";
import { playScenarios } from "../../../../running/scenarios/run.ts";
import { live } from "../../reference/live.ts";
import { scenarios } from "../index.ts";

const protocol = protocolNamed("agent-conventions");

interface PartyOptions {
  variant?: string;
  choices?: readonly string[];
  hasClock?: boolean;
  side?: string;
}

async function playWith(name: string, { hasClock = true, side = "agent", ...party }: PartyOptions): Promise<Result[]> {
  const { setting, close } = await live.open({ side, ...party });
  const { clock, ...hooks } = setting.hooks ?? {};
  const changedSetting = {
    ...setting,
    timeScale: 0.02,
    hooks: hasClock && clock !== undefined ? { ...hooks, clock } : hooks,
  };
  const playedScenarios = scenarios.filter((scenario) => scenario.name === name);
  return playScenarios({ protocol, scenarios: playedScenarios, setting: changedSetting, seed: 1 }).finally(close);
}

it.concurrent.each([
  ["CONV-RECV-001", "", "agent-refuses-invalid", "agent"],
  ["CONV-RECV-002", "-broadcast", "agent-own-messages", "agent"],
  ["CONV-CONF-002", "-silent", "agent-yields-orchestrator-arbitration", "agent"],
  ["CONV-CUE-004", "", "agent-goes", "agent"],
  ["CONV-CUE-007", "", "hub-follows", "hub"],
])(
  "reports a missing message as a violation of %s%s only if the party has a clock",
  async (rule, variantSuffix, name, side) => {
    const playVariant = async (hasClock: boolean): Promise<Result | undefined> =>
      (await playWith(name, { variant: `breaks-${rule}${variantSuffix}`, hasClock, side })).find(
        (result) => result.rule === rule,
      );
    const cause = { kind: "needs-setting", needs: ["clock"] };
    const [withClock, withoutClock] = await Promise.all([playVariant(true), playVariant(false)]);
    expect(withClock).toMatchObject({ outcome: "violates" });
    expect(withoutClock).toMatchObject({ outcome: "skipped", cause });
  },
);

it.concurrent("does not judge the messages of an agent if some have not arrived yet", async () => {
  const party = { variant: "breaks-CONV-SEND-001-agents", choices: ["says-after-12000ms"], hasClock: false };
  const results = await playWith("agent-recorded-messages", party);
  expect(results.filter(({ outcome }) => outcome === "conforms" || outcome === "violates")).toEqual([]);
});

it.concurrent.each(["agent-goes", "agent-tries-again", "agent-waits"])(
  "allows times in whole seconds in %s",
  async (name) => {
    const results = await playWith(name, { choices: ["whole-seconds"] });
    expect(results.map(({ outcome }) => outcome)).toEqual(["conforms"]);
  },
);

it.concurrent("detects attempts without a pause even with times in whole seconds", async () => {
  const [result] = await playWith("agent-tries-again", {
    variant: "breaks-CONV-JID-003-hurried",
    choices: ["whole-seconds"],
  });
  expect(result).toMatchObject({ rule: "CONV-JID-003", outcome: "warns" });
});

it.concurrent("handles a hub that sends thousands of messages besides those of its cues", async () => {
  const { setting, close } = await live.open({ side: "hub" });
  const outbox = setting.hooks?.outbox as Hook;
  let count = 0;
  const talkativeOutbox: Hook = async (changedSetting) => {
    const { messages } = await outbox(changedSetting);
    const extraCount = count > 2500 ? 0 : 500;
    const extraMessages = Array.from({ length: extraCount }, () => ({
      message_id: `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
      timestamp: new Date().toISOString(),
      sender: "hub-main",
      recipient: "monitor",
      message_type: "status.idle",
      status: "idle",
    }));
    return { messages: [...(messages as JsonObject[]), ...extraMessages] };
  };
  const playedScenarios = scenarios.filter(({ name }) => name === "hub-follows");
  const changedSetting = { ...setting, timeScale: 0.02, hooks: { ...setting.hooks, outbox: talkativeOutbox } };
  const results = await playScenarios({
    protocol,
    scenarios: playedScenarios,
    setting: changedSetting,
    seed: 1,
  }).finally(close);
  expect(count).toBeGreaterThan(2500);
  expect(results.map(({ outcome }) => outcome)).toEqual(["conforms"]);
});
