import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** Hubs with a fault that breaks many rules. `cause` is the rule that it breaks first, `following` the minimum number of other rules. */
const faults: readonly [
  description: string,
  policy: Partial<HubPolicy>,
  cause: string,
  following: number,
  scenarioNames: RegExp,
][] = [
  ["ignores idempotency keys", { keyOf: () => undefined }, "AHCP-IDM-001", 6, /^(idempotency|keeping-keys|durability)/],
  ["changes ended messages", { mayEndAgain: () => true }, "AHCP-LIF-002", 4, /^(lifecycle|cancel|expiry|outcomes-one)/],
  ["never expires messages", { deadline: () => undefined }, "AHCP-EXP-005", 6, /^(expiry|durability|idempotency-late)/],
  ["lets anyone resolve", { mayResolve: () => true }, "AHCP-RES-002", 2, /^(resolvers|doubtful)/],
  ["accepts any answer", { checksAnswer: () => false }, "AHCP-ASK-007", 4, /^(answers|doubtful)/],
  [
    "signs nothing",
    { headers: ({ "ahcp-signature": _, ...rest }) => rest },
    "AHCP-SIG-001",
    2,
    /^(sign|del|out|doubtful)/,
  ],
  [
    "creates no Response",
    { envelope: () => undefined },
    "AHCP-GET-002",
    2,
    /^(documents|lifecycle|cancel|reading|expiry)/,
  ],
];

const { cases, said: partText } = partOf(faults, ([description]) => description, 2);

it.concurrent.each(cases)(
  `reports one cause for a hub that %s, and all other failures as consequences (${partText})`,
  async (...fault) => {
    const [, policy, cause, following, scenarioNames] = fault;
    const { setting, close } = await hubEnvironment({ policy, limits: { requestsPerMinute: 5000 } });
    const results: Result[] = [];
    try {
      await playScenarios({
        protocol: protocolNamed("ahcp"),
        seed: 1,
        setting: { ...setting, timeScale: 0.1 },
        scenarios: scenarios.filter(({ name, slow }) => scenarioNames.test(name) && slow !== true),
        onResult: (result) => void results.push(result),
      });
    } finally {
      await close();
    }
    const failedResults = results.filter(({ outcome }) => outcome === "violates" || outcome === "warns");
    expect([...new Set(failedResults.map(({ rule, follows }) => follows ?? rule))]).toEqual([cause]);
    const otherRules = new Set(failedResults.filter(({ follows }) => follows !== undefined).map(({ rule }) => rule));
    expect(otherRules.size).toBeGreaterThanOrEqual(following);
  },
);
