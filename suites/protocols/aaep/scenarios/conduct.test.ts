import { expect, it } from "vitest";
import { type Hook, protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("aaep");

/** Plays scenarios with a producer that has only some of its hooks. */
async function playWith(
  names: RegExp,
  {
    variant,
    choices = [],
    hooks,
    holdsExchanges = false,
  }: { variant?: string; choices?: readonly string[]; hooks?: readonly string[]; holdsExchanges?: boolean },
): Promise<readonly Result[]> {
  const options = { side: "producer", choices, ...(variant === undefined ? {} : { variant }) };
  const { setting, close } = await live.open(options);
  const givenHooks = Object.entries(setting.hooks ?? {}).filter(([name]) => hooks?.includes(name) ?? true);
  const chosenScenarios = scenarios.filter(({ name, side }) => side === "producer" && names.test(name));
  const limitedSetting = { ...setting, hooks: Object.fromEntries(givenHooks), timeScale: 0.2 };
  return playScenarios({
    protocol,
    scenarios: chosenScenarios,
    setting: limitedSetting,
    seed: 1,
    holdsExchanges,
  }).finally(close);
}

/** Plays the scenario on timestamps with a clock hook that is slow by these milliseconds. */
async function playWithSlowClock(milliseconds: number, variant?: string): Promise<readonly Result[]> {
  const { setting, close } = await live.open({ side: "producer", ...(variant === undefined ? {} : { variant }) });
  const { clock, ...otherHooks } = setting.hooks ?? {};
  const slowClock: Hook = async (request) => {
    const answer = await (clock as Hook)(request);
    return { ...answer, now: new Date(Date.parse(String(answer.now)) - milliseconds).toISOString() };
  };
  const slowSetting = { ...setting, hooks: { ...otherHooks, clock: slowClock }, timeScale: 0.2 };
  const chosenScenarios = scenarios.filter(({ name, side }) => side === "producer" && name === "moments");
  return playScenarios({
    protocol,
    scenarios: chosenScenarios,
    setting: slowSetting,
    seed: 1,
    holdsExchanges: false,
  }).finally(close);
}

const outcomesOf = (results: readonly Result[]): string[] => results.map(({ rule, outcome }) => `${rule} ${outcome}`);

const delayChoices = ["nothing late", "action-late-0-1", "action-late-1", "action-late-3"];

it.concurrent.each(delayChoices)("detects a producer that acts while it asks, with %s", async (delayChoice) => {
  const choices = delayChoice === "nothing late" ? [] : [delayChoice];
  const partyOptions = { variant: "breaks-AAEP-CONF-020", choices };
  const results = await playWith(
    /^(?:consent-awaited|reply-invalid|reply-first-wins|recorded-sessions)$/,
    partyOptions,
  );
  const outcomesOfRule = (rule: string): string[] =>
    results.filter((result) => result.rule === rule).map(({ outcome }) => outcome);
  expect(outcomesOfRule("AAEP-CONF-020")).toEqual(["violates"]);
  for (const rule of ["AAEP-RPL-008", "AAEP-RPL-015", "AAEP-CONF-022", "AAEP-CONF-027"])
    expect([rule, outcomesOfRule(rule)]).toEqual([rule, ["skipped"]]);
});

it.concurrent.each(["breaks-AAEP-RPL-009", "breaks-AAEP-RPL-013", "breaks-AAEP-RPL-020", "breaks-AAEP-CONF-031"])(
  "detects an action that is carried out three seconds later: %s",
  async (variant) => {
    const rule = variant.replace("breaks-", "");
    const results = await playWith(/^(?:reply-forged|reply-not-allowed|reply-of-other-kind|consent-cancelled)$/, {
      variant,
      choices: ["action-late-3"],
    });
    expect(results.find((result) => result.rule === rule)?.outcome).toBe("violates");
  },
);

it.concurrent.each(["breaks-AAEP-CONF-020", "breaks-AAEP-CONF-022-quietly", "breaks-AAEP-CONF-027-quietly"])(
  "skips the rules that only the effects hook can show: %s",
  async (variant) => {
    const hooks = ["start", "clock"];
    const results = await playWith(/^(?:consent-awaited|answers-followed|recorded-sessions)$/, { variant, hooks });
    const effectRules = ["AAEP-CONF-020", "AAEP-CONF-022", "AAEP-CONF-023", "AAEP-CONF-027"];
    const effectResults = results.filter(({ rule = "" }) => effectRules.includes(rule));
    expect(outcomesOf(effectResults).sort()).toEqual(effectRules.map((rule) => `${rule} skipped`));
    for (const { why } of effectResults) expect(why).toContain('the hook "effects"');
  },
);

const startAndEffects = ["start", "effects"];

it.concurrent("skips the rules on consent for a producer that does not carry out actions", async () => {
  const results = await playWith(/^(?:consent-awaited|reply-invalid|reply-after-ignored)$/, {
    choices: ["nothing-done"],
  });
  expect(outcomesOf(results)).toEqual([
    "AAEP-CONF-020 skipped",
    "AAEP-TOOL-003 skipped",
    "AAEP-RPL-008 skipped",
    "AAEP-RPL-016 skipped",
  ]);
  expect(results[0]?.why).toContain("options.action_seconds");
});

// They run one after the other, because their validators need time to compile.
it.each([
  [["headers-with-the-first-event"]],
  [["old-events-retold"]],
  [["without-handshake", "old-events-retold", "headers-with-the-first-event", "pieces"]],
])("reports no violation for a conforming producer with %s", async (choices) => {
  const results = await playWith(/^(?:consent-awaited|reply-invalid|frames|recorded-sessions|moments)$/, {
    choices,
    hooks: startAndEffects,
    holdsExchanges: true,
  });
  expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ id, why }) => [id, why])).toEqual([]);
});

it("reports no violation for a producer that first sends questions to subscribers that cannot answer", async () => {
  const choices = ["old-questions-retold"];
  const results = await playWith(/^(?:consent-awaited|nobody-to-answer)$/, {
    choices,
    hooks: startAndEffects,
    holdsExchanges: true,
  });
  expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ id, why }) => [id, why])).toEqual([]);
});

it.concurrent.each([
  [["waits-aloud", "asks-before-it-waits"]],
  [["lines-that-end-in-cr", "manifest-elsewhere", "old-events-retold"]],
])("does not mistake an event after a question for its end, with %s", async (choices) => {
  const names =
    /^(?:timeout-|clarification-(?:awaited|expired)|answers-followed|consent-(?:awaited|dropped)|manifest-)/;
  const results = await playWith(names, { choices });
  expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ id, why }) => [id, why])).toEqual([]);
});

it.concurrent("detects a producer that waits forever, although it reports that it waits", async () => {
  const partyOptions = { variant: "breaks-AAEP-TMO-001", choices: ["waits-aloud", "asks-before-it-waits"] };
  const results = await playWith(/^timeout-rejects$/, partyOptions);
  expect(outcomesOf(results)).toEqual(["AAEP-TMO-001 violates", "AAEP-TMO-003 skipped"]);
});

it("skips timestamps of a clock that may be wrong", async () => {
  const earlyVariant = "breaks-AAEP-ENV-016-back";
  expect(outcomesOf(await playWith(/^moments$/, { variant: earlyVariant }))).toEqual(["AAEP-ENV-016 violates"]);
  expect(outcomesOf(await playWithSlowClock(30_000, earlyVariant))).toEqual(["AAEP-ENV-016 skipped"]);
  expect(outcomesOf(await playWithSlowClock(30_000))).toEqual(["AAEP-ENV-016 conforms"]);
});

it("detects that a cancelled session is not closed, because its question no longer counts", async () => {
  const partyOptions = { variant: "breaks-AAEP-LIFE-003-cancelled-silently" };
  expect(outcomesOf(await playWith(/^consent-cancelled$/, partyOptions))).toContain("AAEP-LIFE-003 violates");
});

it("does not mistake a waiting state after the question for the effect of an answer", async () => {
  const choices = ["everybody-asked", "asks-before-it-waits", "pieces", "events-twice"];
  const results = await playWith(/^reply-forwarded$/, { variant: "breaks-AAEP-RPL-023", choices });
  expect(outcomesOf(results)).toContain("AAEP-RPL-023 warns");
});

it("detects a stranger that takes over a stream, even if its headers arrive only with the first event", async () => {
  const choices = ["headers-with-the-first-event"];
  const results = await playWith(/^subscription-of-another$/, { variant: "breaks-AAEP-SEC-003-reading", choices });
  expect(outcomesOf(results)).toEqual(["AAEP-SEC-003 violates"]);
});

it.concurrent.each([
  ["breaks-AAEP-CONF-014", ["AAEP-CONF-023 skipped", "AAEP-CONF-026 conforms"]],
  ["breaks-AAEP-CLAR-003", ["AAEP-CONF-023 conforms", "AAEP-CONF-026 conforms"]],
])("does not require an event after a question that does not allow an answer: %s", async (variant, outcomes) => {
  expect(outcomesOf(await playWith(/^answers-followed$/, { variant }))).toEqual(outcomes);
});

it.concurrent.each(["AAEP-ENV-015", "AAEP-ENV-016"])(
  "attributes a wrong order of events to a wrong timestamp: %s",
  async (rule) => {
    const results = await playWith(/^(?:moments|recorded-events|recorded-sessions)$/, { variant: `breaks-${rule}` });
    expect(results.find((result) => result.rule === "AAEP-ENV-017")?.follows).toBe(rule);
  },
);
