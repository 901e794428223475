import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** Hubs with one gross fault that shows in many rules, each with the rule that is its cause, and how many others follow at least. */
const faults: readonly [what: string, policy: Partial<HubPolicy>, cause: string, following: number, about: RegExp][] = [
  ["knows no key", { keyOf: () => undefined }, "AHCP-IDM-001", 6, /^(idempotency|keeping-keys|durability)/],
  [
    "ends again what has ended",
    { mayEndAgain: () => true },
    "AHCP-LIF-002",
    4,
    /^(lifecycle|cancel|expiry|outcomes-one)/,
  ],
  ["lets nothing expire", { deadline: () => undefined }, "AHCP-EXP-005", 6, /^(expiry|durability|idempotency-late)/],
  ["asks nobody who he is", { mayResolve: () => true }, "AHCP-RES-002", 2, /^(resolvers|doubtful)/],
  ["takes any answer", { checksAnswer: () => false }, "AHCP-ASK-007", 4, /^(answers|doubtful)/],
  [
    "signs nothing",
    { headers: ({ "ahcp-signature": _, ...rest }) => rest },
    "AHCP-SIG-001",
    2,
    /^(sign|del|out|doubtful)/,
  ],
  [
    "makes no Response",
    { envelope: () => undefined },
    "AHCP-GET-002",
    2,
    /^(documents|lifecycle|cancel|reading|expiry)/,
  ],
];

const { cases, said } = partOf(faults, ([what]) => what, 2);

it.concurrent.each(cases)(
  `a hub that %s is accused of one cause, and the rest is marked as following from it (${said})`,
  async (...fault) => {
    const [, policy, cause, following, about] = fault;
    const { setting, close } = await hubEnvironment({ policy, limits: { requestsPerMinute: 5000 } });
    const results: Result[] = [];
    try {
      await playScenarios({
        ...{ protocol: protocolNamed("ahcp"), seed: 1, setting: { ...setting, timeScale: 0.1 } },
        scenarios: scenarios.filter(({ name, slow }) => about.test(name) && slow !== true),
        onResult: (result) => void results.push(result),
      });
    } finally {
      await close();
    }
    const accused = results.filter(({ outcome }) => outcome === "violates" || outcome === "warns");
    expect([...new Set(accused.map(({ rule, follows }) => follows ?? rule))]).toEqual([cause]);
    const others = new Set(accused.filter(({ follows }) => follows !== undefined).map(({ rule }) => rule));
    expect(others.size).toBeGreaterThanOrEqual(following);
  },
);
