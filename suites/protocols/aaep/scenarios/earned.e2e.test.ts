import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { type HookSet, playCell } from "../../../running/selftest/cell.ts";
import { playParty } from "../../../running/selftest/party.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("aaep");

// Combinations of legal choices that need care: questions overtake delayed events, and the suite's sessions use up a rate.
it.concurrent.each([
  ["recorded-sessions", ["action-late-3", "rate-of-its-own"]],
  ["recorded-sessions", ["without-handshake", "rate-of-its-own"]],
  ["timeout-begins", ["without-handshake", "events-unnumbered", "rate-of-its-own"]],
  ["resumed", ["without-handshake", "texts-tailored"]],
  ["chunks-joined", ["headers-with-the-first-event", "events-twice"]],
])("%s reports no violation for a conforming producer with %j", { timeout: 60_000 }, async (name, choices) => {
  const namedScenarios = scenarios.filter((scenario) => scenario.name === name);
  const { accused } = await playParty(
    { protocol, scenarios: namedScenarios, live },
    { index: 0, side: "producer", choices },
    1,
    0,
  );
  expect(accused).toEqual([]);
});

it.concurrent.each<[string, HookSet, string[]]>([
  ["breaks-AAEP-BP-003", "all", ["rate-of-its-own"]],
  ["breaks-AAEP-HS-022", "all", ["rate-of-its-own"]],
  ["breaks-AAEP-BP-001-doubled", "all", ["headers-with-the-first-event"]],
  ["breaks-AAEP-CONF-020-later", { without: "clock" }, []],
  ["breaks-AAEP-ENV-001-halves", "all", ["texts-tailored"]],
  ["breaks-AAEP-SEC-001", "all", ["optional-members-left-out"]],
])("%s is detected with the hooks %j and the choices %j", { timeout: 60_000 }, async (name, hooks, choices) => {
  const variant = live.variants?.find((liveVariant) => liveVariant.name === name);
  if (variant === undefined) throw new Error(`unknown variant ${name}`);
  const { outcome, why } = await playCell({ protocol, scenarios, live }, { variant, hooks, choices }, 1);
  expect(["violates", "warns"], why).toContain(outcome);
});
