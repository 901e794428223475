import { describe, expect, it } from "vitest";
import { type Hook, type JsonObject, protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const scenariosNamed = (names: RegExp) => scenarios.filter(({ name }) => names.test(name));

async function playWith(
  names: RegExp,
  hook: (workingHook: Hook) => Hook,
  policy: Partial<HubPolicy> = {},
): Promise<Result[]> {
  const { setting, close } = await hubEnvironment({ policy });
  try {
    const hooks = { ...setting.hooks, resolve: hook(setting.hooks?.resolve as Hook) };
    const options = { protocol: protocolNamed("ahcp"), scenarios: scenariosNamed(names), seed: 1 };
    return await playScenarios({ ...options, setting: { ...setting, hooks } });
  } finally {
    await close();
  }
}

const judgedScenarios = /^(answers-(select|ignored|not)|resolvers-(unlisted|listed|refused)|lifecycle-(words|first))/;

describe("a hook resolve that never works", () => {
  const wrongHooks: [description: string, hook: (workingHook: Hook) => Hook, why: RegExp][] = [
    [
      "does not exist",
      () => () => ({ applied: false, status: 404, code: "not_found" }),
      /404 not_found; check its URL/,
    ],
    [
      "does not pass on the actor",
      (workingHook) => (input) => {
        const { actor: _, ...members } = input;
        return workingHook({ ...members, actor: "human:nobody" });
      },
      /403 not_authorized; check its credentials, and that its body names the actor/,
    ],
    ["reaches a different server", () => () => ({ applied: true }), /the ask is still open/],
  ];
  it.each(wrongHooks)("leads to errors, not violations, if it %s", async (_, hook, why) => {
    const results = await playWith(judgedScenarios, hook);
    expect(results.length).toBeGreaterThan(5);
    expect(results.filter(({ outcome, stage }) => outcome !== "errored" || stage !== "hook")).toEqual([]);
    expect(results[0]?.why).toMatch(why);
  });
});

it("reports a violation if the hook refuses only one resolution", async () => {
  const refuseDismissal =
    (workingHook: Hook): Hook =>
    (input: JsonObject) =>
      input.resolution === "dismissed" ? { applied: false, status: 409 } : workingHook(input);
  const results = await playWith(/^answers-task-endings/, refuseDismissal);
  expect(results).toMatchObject([{ rule: "AHCP-TSK-005", outcome: "violates" }]);
});

it("conforms to AHCP-TSK-004 if a task expires without a value, regardless of its default", async () => {
  const policy: Partial<HubPolicy> = { envelope: (input) => ({ ...input, defaulted: true }) };
  const results = await playWith(/^answers-task-default/, (workingHook) => workingHook, policy);
  expect(results).toMatchObject([
    { rule: "AHCP-TSK-004", outcome: "conforms" },
    // `defaulted` is wrong in a task anyway, which the checks of the exchanged messages report.
    { id: "ahcp/0.3/scenarios/exchanges/AHCP-RSP-006", outcome: "violates" },
    { id: "ahcp/0.3/scenarios/exchanges/AHCP-RSP-012", outcome: "warns" },
  ]);
});
