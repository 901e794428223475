import { describe, expect, it } from "vitest";
import { protocolNamed, type Result, type SigningKey } from "../../../../../schemas/index.ts";
import { partOf } from "../../../../../schemas/part.fixture.ts";
import { playAgent } from "../../../../running/agent/index.ts";
import { startAgent } from "../../reference/agent/agent.ts";
import { agentTwins } from "../../reference/agent/twins.ts";
import type { AgentVariant } from "../../reference/agent/variant.ts";
import { agentVariants } from "../../reference/agent/variants.ts";
import { agent as side } from "./side.ts";

const protocol = protocolNamed("ahcp");
const hmac: SigningKey = { alg: "hmac-sha256", secret: "a secret of ours" };
const keys: SigningKey[] = [hmac, { alg: "ed25519", seed: "17".repeat(32) }];

async function playWith(key: SigningKey, policy: AgentVariant["policy"] = {}, hasHooks = true): Promise<Result[]> {
  const { setting, close } = await startAgent(key, policy);
  const { hooks: _, ...settingWithoutHooks } = setting;
  try {
    return await playAgent({
      protocol,
      side,
      setting: { ...(hasHooks ? setting : settingWithoutHooks), timeScale: 0.1 },
      seed: 1,
    });
  } finally {
    await close();
  }
}

const rules = side.scenarios.flatMap((scenario) => scenario.rules);

const brokenPart = partOf(agentVariants, ({ says }) => says, 3);
const correctPart = partOf(agentTwins, ({ name }) => name, 2);

describe("an agent", () => {
  it.concurrent.each(keys)("that is correct conforms, with $alg", async (key) => {
    const results = await playWith(key);
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.map(({ rule }) => rule)).toEqual(rules);
  });

  it.concurrent.each(brokenPart.cases)(
    `that $says breaks only $rule (${brokenPart.said})`,
    async ({ rule, also = [], policy }) => {
      const results = await playWith(hmac, policy);
      const isAccused = ({ outcome }: Result): boolean => !["conforms", "skipped"].includes(outcome);
      const accusedResults = results.filter((result) => isAccused(result) && !also.includes(result.rule ?? ""));
      const isMust = protocol.rules.find(({ id }) => id === rule)?.level === "MUST";
      expect(accusedResults.map((result) => [result.rule, result.outcome])).toEqual([
        [rule, isMust ? "violates" : "warns"],
      ]);
    },
  );

  it("has a broken variant for each rule that scenarios cover, and these rules bind agents", () => {
    expect(new Set(agentVariants.map(({ rule }) => rule))).toEqual(new Set(rules));
    const agentRules = protocolNamed("ahcp").rules.filter(({ binds }) => binds.includes("agent"));
    for (const rule of rules) expect(agentRules.map(({ id }) => id)).toContain(rule);
  });

  it.concurrent("that does not report its actions is judged by its answers, and gets only warnings", async () => {
    const results = await playWith(hmac, {}, false);
    const outcomes = Object.fromEntries(results.map(({ rule, outcome }) => [rule, outcome]));
    expect(outcomes).toMatchObject({
      "AHCP-SIG-011": "conforms",
      "AHCP-DLV-010": "skipped",
      "AHCP-SIG-016": "skipped",
    });
    const [unverifiedResult] = await playWith(hmac, { verify: () => undefined }, false);
    expect(unverifiedResult).toMatchObject({ rule: "AHCP-SIG-011", outcome: "warns" });
  });

  it.concurrent.each(correctPart.cases)(
    `that is correct in another way, $name, conforms as well (${correctPart.said})`,
    async ({ policy, untestableRules = [] }) => {
      const results = await playWith(hmac, policy);
      const otherResults = results.filter(({ outcome }) => outcome !== "conforms");
      expect(otherResults.map(({ rule, outcome }) => [rule, outcome])).toEqual(
        untestableRules.map((rule) => [rule, "skipped"]),
      );
    },
  );

  it.concurrent("that accepts no state is still found to ignore the digest", async () => {
    const [stateless] = agentTwins.filter(({ name }) => name === "stateless");
    const [withoutDigestCheck] = agentVariants.filter(({ rule }) => rule === "AHCP-SIG-012");
    const results = await playWith(hmac, { ...stateless?.policy, ...withoutDigestCheck?.policy });
    expect(results.find(({ rule }) => rule === "AHCP-SIG-012")?.outcome).toBe("violates");
  });

  it.concurrent("that refuses everything does not count as conforming", async () => {
    const results = await playWith(hmac, {
      verify: () => "mismatch",
      readsOutcome: false,
      writeMessage: () => ({ type: "notify" }),
    });
    const pushResults = results.filter(({ rule = "" }) => /SIG|DLV|RSM/.test(rule));
    expect(new Set(pushResults.map(({ outcome }) => outcome))).toEqual(new Set(["skipped"]));
  });
});
