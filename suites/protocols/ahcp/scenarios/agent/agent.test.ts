import { describe, expect, it } from "vitest";
import { protocolNamed, type Result, type SigningKey } from "../../../../../schemas/index.ts";
import { partOf } from "../../../../../schemas/part.fixture.ts";
import { playAgent } from "../../../../running/agent/index.ts";
import { startAgent } from "../../reference/agent/agent.ts";
import { agentTwins } from "../../reference/agent/twins.ts";
import type { AgentVariant } from "../../reference/agent/variant.ts";
import { agentVariants } from "../../reference/agent/variants.ts";
import { agent as agentSide } from "./side.ts";

const protocol = protocolNamed("ahcp");
const hmacKey: SigningKey = { alg: "hmac-sha256", secret: "a secret of ours" };
const keys: SigningKey[] = [hmacKey, { alg: "ed25519", seed: "17".repeat(32) }];

async function playWith(key: SigningKey, policy: AgentVariant["policy"] = {}, hasHooks = true): Promise<Result[]> {
  const { setting, close } = await startAgent(key, policy);
  const { hooks: _, ...settingWithoutHooks } = setting;
  try {
    return await playAgent({
      protocol,
      side: agentSide,
      setting: { ...(hasHooks ? setting : settingWithoutHooks), timeScale: 0.1 },
      seed: 1,
    });
  } finally {
    await close();
  }
}

const rules = agentSide.scenarios.flatMap((scenario) => scenario.rules);

const brokenPart = partOf(agentVariants, ({ says }) => says, 3);
const correctPart = partOf(agentTwins, ({ name }) => name, 2);

describe("an agent", () => {
  it.concurrent.each(keys)("conforms if it is correct ($alg)", async (key) => {
    const results = await playWith(key);
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.map(({ rule }) => rule)).toEqual(rules);
  });

  it.concurrent.each(brokenPart.cases)(
    `breaks only $rule if it $says (${brokenPart.said})`,
    async ({ rule, also = [], policy }) => {
      const results = await playWith(hmacKey, policy);
      const isAccused = ({ outcome }: Result): boolean => !["conforms", "skipped"].includes(outcome);
      const failedResults = results.filter((result) => isAccused(result) && !also.includes(result.rule ?? ""));
      const isMust = protocol.rules.find(({ id }) => id === rule)?.level === "MUST";
      expect(failedResults.map((result) => [result.rule, result.outcome])).toEqual([
        [rule, isMust ? "violates" : "warns"],
      ]);
    },
  );

  it("has a broken variant for each rule that scenarios cover, and all these rules bind agents", () => {
    expect(new Set(agentVariants.map(({ rule }) => rule))).toEqual(new Set(rules));
    const agentRules = protocolNamed("ahcp").rules.filter(({ binds }) => binds.includes("agent"));
    for (const rule of rules) expect(agentRules.map(({ id }) => id)).toContain(rule);
  });

  it.concurrent("is judged by its answers, with warnings only, if it does not report its actions", async () => {
    const results = await playWith(hmacKey, {}, false);
    const outcomes = Object.fromEntries(results.map(({ rule, outcome }) => [rule, outcome]));
    expect(outcomes).toMatchObject({
      "AHCP-SIG-011": "conforms",
      "AHCP-DLV-010": "skipped",
      "AHCP-SIG-016": "skipped",
    });
    const [unverifiedResult] = await playWith(hmacKey, { verify: () => undefined }, false);
    expect(unverifiedResult).toMatchObject({ rule: "AHCP-SIG-011", outcome: "warns" });
  });

  it.concurrent.each(correctPart.cases)(
    `conforms if it makes the permitted choices of the twin $name (${correctPart.said})`,
    async ({ policy, untestableRules = [] }) => {
      const results = await playWith(hmacKey, policy);
      const otherResults = results.filter(({ outcome }) => outcome !== "conforms");
      expect(otherResults.map(({ rule, outcome }) => [rule, outcome])).toEqual(
        untestableRules.map((rule) => [rule, "skipped"]),
      );
    },
  );

  it.concurrent("violates AHCP-SIG-012 if it ignores the digest and has no state", async () => {
    const [stateless] = agentTwins.filter(({ name }) => name === "stateless");
    const [withoutDigestCheck] = agentVariants.filter(({ rule }) => rule === "AHCP-SIG-012");
    const results = await playWith(hmacKey, { ...stateless?.policy, ...withoutDigestCheck?.policy });
    expect(results.find(({ rule }) => rule === "AHCP-SIG-012")?.outcome).toBe("violates");
  });

  it.concurrent("is skipped, not conforming, if it refuses everything", async () => {
    const results = await playWith(hmacKey, {
      verify: () => "mismatch",
      readsOutcome: false,
      writeMessage: () => ({ type: "notify" }),
    });
    const pushResults = results.filter(({ rule = "" }) => /SIG|DLV|RSM/.test(rule));
    expect(new Set(pushResults.map(({ outcome }) => outcome))).toEqual(new Set(["skipped"]));
  });
});
