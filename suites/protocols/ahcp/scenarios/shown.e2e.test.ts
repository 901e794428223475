import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";

/** Plays one scenario against a hub with this policy. Returns the first violation. */
async function findingOf(name: string, policy: Partial<HubPolicy>): Promise<Result | undefined> {
  const { setting, close } = await hubEnvironment({ policy });
  const scenarios = allScenarios.filter((scenario) => scenario.name === name);
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    return results.find(({ outcome }) => outcome === "violates");
  } finally {
    await close();
  }
}

const decisiveTexts = ({ trace = [] }: Result): string[] =>
  trace.filter((exchange) => exchange.decisive === true).map(({ text }) => text);

it("marks the hook's answer as decisive if it applies a resolution that must be refused", async () => {
  const result = (await findingOf("resolvers-unlisted", { mayResolve: () => true })) as Result;
  expect(decisiveTexts(result)).toEqual([expect.stringMatching(/^resolve\n\{"applied":true/)]);
});

it("marks the refusal at the exact deadline and a later read as decisive", async () => {
  const result = (await findingOf("expiry-instant", { grace: (act) => (act === "resolve" ? -1 : 0) })) as Result;
  expect(decisiveTexts(result)).toEqual([
    expect.stringMatching(/^resolve\n\{"id":"msg_/),
    expect.stringMatching(/^resolve\n\{"applied":false/),
    expect.stringMatching(/^GET \/v1\/messages\/msg_/),
    expect.stringMatching(/^HTTP 200\n.*"status":"expired"/),
  ]);
});

it("marks two answers with different ids as decisive if equal messages became several", async () => {
  const result = await findingOf("idempotency-race", { keyOf: () => undefined });
  const decisiveExchanges = (result?.exchanges ?? []).filter((exchange) => exchange.decisive === true);
  expect(new Set(decisiveExchanges.map(({ response }) => JSON.parse(response?.body ?? "{}").id)).size).toBe(2);
});
