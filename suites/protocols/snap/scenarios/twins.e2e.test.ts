import { describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("snap");
const known = new Set(freedomsOf(protocol).map(({ id }) => id));

const { cases, said } = partOf(live.twins ?? [], ({ name }) => name);

describe.each(cases)(`(${said}) the right $side that is $name`, ({ side = "agent", freedoms, options }) => {
  it("uses existing freedoms", () => {
    expect(freedoms.filter((freedom) => !known.has(freedom))).toEqual([]);
  });

  it("no scenario accuses", { timeout: 600_000 }, async () => {
    const { setting, close } = await live.open({ side, ...options });
    try {
      const own = ofSide(protocol, scenarios, side);
      const results = await playScenarios({
        protocol,
        scenarios: own,
        setting: { ...setting, timeScale: 0.3 },
        seed: 7,
      });
      const accused = results.filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome));
      expect(accused.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
      expect(results.filter(({ outcome }) => outcome === "conforms").length).toBeGreaterThan(own.length / 2);
    } finally {
      await close();
    }
  });
});
