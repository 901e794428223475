import { describe, expect, it } from "vitest";
import { protocolNamed, type Result, type ScenarioContext } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { mailReaders } from "../scenarios/agent/mail.ts";
import { mailSenders } from "../scenarios/agent/mail-sending.ts";
import { askFor, directiveFor } from "../scenarios/agent/mail-steps.ts";
import type { MailSuiteHub } from "../scenarios/agent/suite-hub.ts";
import { ownScenarios, stricterScenarios } from "../scenarios/all.ts";
import { mailLimits } from "../scenarios/mail-limits.ts";
import { unoffered } from "../scenarios/unoffered.ts";
import { mailAgents } from "./agent/variants.ts";
import { postVariants } from "./hub/post-variants.ts";
import { ownVariants } from "./hub/variants.ts";
import { live } from "./live.ts";

/**
 * Plays the scenarios about a rule, or by default all scenarios that AHCP does not have. AHCP scenarios that MA2H makes stricter
 * are included if a rule is given.
 */
async function play(rule?: string, variant?: string): Promise<Result[]> {
  const { setting, close } = await live.open(variant === undefined ? {} : { variant });
  const scenarios =
    rule === undefined
      ? ownScenarios
      : [...ownScenarios, ...stricterScenarios].filter(({ rules }) => rules.includes(rule));
  return playScenarios({
    protocol: protocolNamed("ma2h"),
    scenarios,
    setting: { ...setting, timeScale: 0.3 },
    seed: 1,
  }).finally(close);
}

const isMailLimit = ({ name }: { name: string }): boolean => mailLimits.some((limit) => limit.name === name);

const brokenHubs = [...ownVariants, ...postVariants];
const { cases, said } = partOf(brokenHubs, variantNameOf, 8);

const mailScenarios = [...mailReaders, ...mailSenders];

describe("the scenarios of agents with a mailbox", () => {
  /** Plays the agent scenarios about a rule, or by default all of them. */
  async function playAgent(variant?: string, rule?: string): Promise<Result[]> {
    const { setting, close } = await live.open({ side: "agent", ...(variant === undefined ? {} : { variant }) });
    const scenarios = rule === undefined ? mailScenarios : mailScenarios.filter(({ rules }) => rules.includes(rule));
    return playScenarios({
      protocol: protocolNamed("ma2h"),
      scenarios,
      setting: { ...setting, timeScale: 0.5 },
      seed: 1,
    }).finally(close);
  }

  const part = partOf(mailAgents, variantNameOf, 5);

  it("pass a correct agent", async () => {
    const results = await playAgent();
    expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ id }) => id)).toEqual([]);
  });

  it("cover only rules that some broken agent breaks", () => {
    const brokenRules = new Set(mailAgents.map(({ rule }) => rule));
    expect(mailScenarios.flatMap(({ rules }) => rules).filter((rule) => !brokenRules.has(rule))).toEqual([]);
  });

  it("put valid entries into the mailbox", async () => {
    const { validate } = await import("../../../packs/validate/validate.ts");
    let idCount = 0;
    const context = { fresh: (prefix: string) => `${prefix}-${++idCount}` } as ScenarioContext;
    const hub = { agent: "touchstone-agent" } as MailSuiteHub;
    expect(await validate(protocolNamed("ma2h"), "directive", directiveFor(context, hub))).toEqual([]);
    expect(await validate(protocolNamed("ma2h"), "message-entry", askFor(context, hub))).toEqual([]);
  });

  it.each(part.cases)("detect that an agent $says ($rule)", async (variant) => {
    const results = await playAgent(variantNameOf(variant), variant.rule);
    const outcomes = results.filter(({ rule }) => rule === variant.rule).map(({ outcome }) => outcome);
    expect(outcomes.some((outcome) => outcome === "violates" || outcome === "warns")).toBe(true);
  });
});

describe(`the scenarios of rules that AHCP does not have (${said})`, () => {
  it("pass a correct hub, and skip none of its features", async () => {
    const skippedPaths = [...unoffered, ...mailLimits].map(({ name }) => `/scenarios/${name}/`);
    const results = (await play()).filter(({ id }) => !skippedPaths.some((path) => id.includes(path)));
    expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ id }) => id)).toEqual([]);
  });

  it("pass a hub that enforces its limits on mail", async () => {
    const { setting, close } = await live.open({
      limits: { addressedPerMinute: 40, requestsPerMinute: 60, inboxDepth: 20 },
    });
    const protocol = protocolNamed("ma2h");
    const results = await playScenarios({
      protocol,
      scenarios: ownScenarios.filter(isMailLimit),
      setting,
      seed: 1,
    }).finally(close);
    expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual([
      ["MA2H-LIM-008", "conforms"],
      ["MA2H-LIM-007", "conforms"],
    ]);
  });

  it("cover only rules that some broken hub breaks", () => {
    const brokenRules = new Set(brokenHubs.map(({ rule }) => rule));
    expect(ownScenarios.flatMap(({ rules }) => rules).filter((rule) => !brokenRules.has(rule))).toEqual([]);
  });

  it.each(cases)("detect that a hub $says ($rule)", async (variant) => {
    const results = await play(variant.rule, variantNameOf(variant));
    const outcomes = results.filter(({ rule }) => rule === variant.rule).map(({ outcome }) => outcome);
    expect(outcomes.some((outcome) => outcome === "violates" || outcome === "warns")).toBe(true);
  });
});
