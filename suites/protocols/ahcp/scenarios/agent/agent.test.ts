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

async function played(key: SigningKey, policy: AgentVariant["policy"] = {}, hooks = true): Promise<Result[]> {
  const { setting, close } = await startAgent(key, policy);
  const { hooks: _, ...bare } = setting;
  try {
    return await playAgent({ protocol, side, setting: { ...(hooks ? setting : bare), timeScale: 0.1 }, seed: 1 });
  } finally {
    await close();
  }
}

const rules = side.scenarios.flatMap((scenario) => scenario.rules);

const broken = partOf(agentVariants, ({ says }) => says, 3);
const right = partOf(agentTwins, ({ name }) => name, 2);

describe("an agent", () => {
  it.concurrent.each(keys)("that is right conforms, with $alg", async (key) => {
    const results = await played(key);
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.map(({ rule }) => rule)).toEqual(rules);
  });

  it.concurrent.each(broken.cases)(
    `that $says breaks $rule alone (${broken.said})`,
    async ({ rule, also = [], policy }) => {
      const results = await played(hmac, policy);
      const isAccused = ({ outcome }: Result): boolean => !["conforms", "skipped"].includes(outcome);
      const accused = results.filter((result) => isAccused(result) && !also.includes(result.rule ?? ""));
      const isMust = protocol.rules.find(({ id }) => id === rule)?.level === "MUST";
      expect(accused.map((result) => [result.rule, result.outcome])).toEqual([[rule, isMust ? "violates" : "warns"]]);
    },
  );

  it("breaks each rule that scenarios cover; all are rules of the protocol", () => {
    expect(new Set(agentVariants.map(({ rule }) => rule))).toEqual(new Set(rules));
    const known = protocolNamed("ahcp").rules.filter(({ binds }) => binds.includes("agent"));
    for (const rule of rules) expect(known.map(({ id }) => id)).toContain(rule);
  });

  it.concurrent("without a report of its actions, is judged by its answers and only suspected", async () => {
    const right = await played(hmac, {}, false);
    const outcomes = Object.fromEntries(right.map(({ rule, outcome }) => [rule, outcome]));
    expect(outcomes).toMatchObject({
      "AHCP-SIG-011": "conforms",
      "AHCP-DLV-010": "skipped",
      "AHCP-SIG-016": "skipped",
    });
    const [unverified] = await played(hmac, { verify: () => undefined }, false);
    expect(unverified).toMatchObject({ rule: "AHCP-SIG-011", outcome: "warns" });
  });

  it.concurrent.each(right.cases)(
    `that is right in another way, $name, conforms as well (${right.said})`,
    async ({ policy, untestableRules = [] }) => {
      const results = await played(hmac, policy);
      const others = results.filter(({ outcome }) => outcome !== "conforms");
      expect(others.map(({ rule, outcome }) => [rule, outcome])).toEqual(
        untestableRules.map((rule) => [rule, "skipped"]),
      );
    },
  );

  it.concurrent("that accepts no state is found to ignore the digest of the rest", async () => {
    const [stateless] = agentTwins.filter(({ name }) => name === "stateless");
    const [unchecked] = agentVariants.filter(({ rule }) => rule === "AHCP-SIG-012");
    const results = await played(hmac, { ...stateless?.policy, ...unchecked?.policy });
    expect(results.find(({ rule }) => rule === "AHCP-SIG-012")?.outcome).toBe("violates");
  });

  it.concurrent("that accepts nothing does not conform by refusing", async () => {
    const results = await played(hmac, {
      verify: () => "mismatch",
      readsOutcome: false,
      writeMessage: () => ({ type: "notify" }),
    });
    const pushed = results.filter(({ rule = "" }) => /SIG|DLV|RSM/.test(rule));
    expect(new Set(pushed.map(({ outcome }) => outcome))).toEqual(new Set(["skipped"]));
  });
});
