import { expect, it } from "vitest";
import { freedomsOf, protocolNamed, type Result } from "../../../../../../schemas/index.ts";
import { runSuite } from "../../../../../running/run/suite.ts";
import { playScenarios } from "../../../../../running/scenarios/index.ts";
import { scenarios } from "../../../scenarios/index.ts";
import { live } from "../../live.ts";
import { startHub } from "../start.ts";
import { hubTwins } from "../twins.ts";
import { hubChoices } from "./index.ts";

const protocol = protocolNamed("ahcp");

/** Runs the scenarios with matching names against a hub that makes these choices. */
async function playWith(choices: readonly string[], names: RegExp, hooks?: readonly string[]): Promise<Result[]> {
  const { setting, close } = await live.open({ choices, limits: { requestsPerMinute: 5000 } });
  const { hooks: allHooks = {} } = setting;
  const hooksInUse =
    hooks === undefined
      ? allHooks
      : Object.fromEntries(Object.entries(allHooks).filter(([name]) => hooks.includes(name)));
  try {
    return await playScenarios({
      protocol,
      seed: 5,
      setting: { ...setting, hooks: hooksInUse, timeScale: 0.05 },
      scenarios: scenarios.filter(({ name }) => names.test(name)),
    });
  } finally {
    await close();
  }
}

const summarize = (results: readonly Result[]): string[] => results.map(({ rule, outcome }) => `${rule} ${outcome}`);

it("has unique names, existing freedoms, and every choice that a twin makes", () => {
  const names = hubChoices.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const freedomIds = new Set(freedomsOf(protocol).map(({ id }) => id));
  expect(hubChoices.flatMap(({ freedoms }) => freedoms).filter((id) => !freedomIds.has(id))).toEqual([]);
  expect(hubTwins.flatMap(({ choices }) => choices).filter((name) => !names.includes(name))).toEqual([]);
});

it("refuses to start a hub with an unknown choice or with two choices of one factor", async () => {
  await expect(startHub({ choices: ["bussy"] })).rejects.toThrow('unknown choice "bussy"\n  did you mean "busy"?');
  const exclusiveChoices = ["pushes-12-s-later", "pushes-70-s-later"];
  await expect(startHub({ choices: exclusiveChoices })).rejects.toThrow(
    /"pushes-12-s-later" and "pushes-70-s-later" exclude each other/,
  );
});

it("reports no failure for a hub that is sometimes busy", async () => {
  const results = await playWith(["busy"], /^(envelope-good|versions-unknown-members|access-|idempotency-race)/);
  expect(results.length).toBeGreaterThan(5);
  expect(summarize(results).filter((result) => !result.endsWith("conforms"))).toEqual([]);
});

it.each(["busy", "busy-until-a-date"])("gives the same vector results for a hub that is %s", async (choice) => {
  const outcomesWith = async (choices: readonly string[]): Promise<string[]> => {
    const { url, close } = await startHub({ choices });
    try {
      const only = ["AHCP-ENV-007", "AHCP-ENV-003", "AHCP-ASK-001"];
      const { runs } = await runSuite({ protocols: "ahcp", target: { kind: "http", url }, only, seed: 1 });
      return runs.flatMap(({ results }) => results.map(({ id, outcome }) => `${id} ${outcome}`));
    } finally {
      await close();
    }
  };
  const usualOutcomes = await outcomesWith([]);
  expect(usualOutcomes.length).toBeGreaterThan(100);
  expect(await outcomesWith([choice])).toEqual(usualOutcomes);
});

it("moves the clock to see pushes that start 70 s after the outcome", async () => {
  const results = await playWith(["pushes-70-s-later"], /^(delivery-push|outcomes-cancelled|outcomes-unasked)$/);
  expect(summarize(results)).toEqual(["AHCP-DLV-001 conforms", "AHCP-CBK-007 conforms", "AHCP-CAN-008 conforms"]);
});

it("skips AHCP-SIG-008 if the hub signs by a moved clock and pauses in real time", async () => {
  const results = await playWith(["signs-by-the-clock-once"], /^signatures-attempts$/);
  const signatureResult = results.find(({ rule }) => rule === "AHCP-SIG-008");
  expect(signatureResult?.outcome).toBe("skipped");
});

it("loses no answer when the hub closes idle connections", async () => {
  const results = await playWith(["closes-idle-connections"], /^(reading-again|lifecycle-first|versions-other-major)$/);
  expect(summarize(results).filter((result) => !result.endsWith("conforms"))).toEqual([]);
});

/** Freedoms that no choice of the hub covers: the document twin covers them, or the reference can only behave in one way. */
const freedomsWithoutChoice = [
  "credential-before-body",
  "media-type",
  "status-of-bad-defaults",
  "status-of-limits",
  "limits-before-schema",
  "rate-limits",
  "form-of-addresses",
  "names-of-key-headers",
  "compared-as-json",
];

it("has a choice for each freedom of conduct, except for the listed ones", () => {
  const usedFreedoms = new Set(hubChoices.flatMap(({ freedoms }) => freedoms));
  const conduct = freedomsOf(protocol).filter(({ shows }) => shows === "conduct");
  expect(conduct.filter(({ id }) => !usedFreedoms.has(id)).map(({ id }) => id)).toEqual(freedomsWithoutChoice);
});

/** The results that scenarios may have for a hub with one choice. */
const choiceOutcomes: [choice: string, names: RegExp, outcomes: RegExp][] = [
  ["gives-outcome-to-late", /^(expiry-too-late|lifecycle-first)$/, / conforms$/],
  ["ignoring-declines", /^answers-ignored$/, / conforms$/],
  ["permissions-403", /^answers-not-/, / conforms$/],
  ["submitter-of-empty-lists", /^resolvers-empty$/, / warns$/],
  ["closed-discovery", /^discovery-document$/, /CAP-001 warns$| conforms$/],
  ["strangers-403", /^access-reading$/, /AUT-004 warns$| conforms$/],
  ["deleted-410-for-all", /^reading-deleted$/, /GET-006 warns$| conforms$/],
  ["late-cancels-200", /^expiry-cancel$/, / warns$/],
  ["cancels-without-body", /^cancel-open$/, / warns$/],
  ["drops-surplus-values", /^answers-task-endings|^doubtful-task-value/, / conforms$| skipped$/],
];

it.each(choiceOutcomes)("reports no failure for a hub with the choice %s", async (choice, names, outcomes) => {
  const results = await playWith([choice], names);
  expect(summarize(results).filter((result) => !outcomes.test(result))).toEqual([]);
});

it("reports which choices could have changed the hub's answers so far", async () => {
  const { setting, meets, close } = await live.open({});
  const names = ["busy", "pads-signatures", "closed-discovery", "bare-discovery", "late-cancels-200"];
  const metChoices = (): string[] => names.filter((name) => meets?.(name) === true);
  try {
    expect(metChoices()).toEqual(["busy"]);
    await fetch(`${setting.url}/.well-known/ahcp`);
    expect(metChoices()).toEqual(["busy", "closed-discovery", "bare-discovery"]);
  } finally {
    await close();
  }
  const otherHub = await live.open({});
  const pushScenarios = scenarios.filter(({ name }) => name === "delivery-push");
  await playScenarios({ protocol, seed: 5, setting: otherHub.setting, scenarios: pushScenarios }).finally(
    otherHub.close,
  );
  expect(pushScenarios).toHaveLength(1);
  expect(otherHub.meets?.("pads-signatures")).toBe(true);
});
