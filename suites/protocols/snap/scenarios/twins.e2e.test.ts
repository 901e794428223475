import { describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("snap");
const freedomIds = new Set(freedomsOf(protocol).map(({ id }) => id));

const { cases, said: partText } = partOf(live.twins ?? [], ({ name }) => name);

describe.each(cases)(`(${partText}) the correct $side that is $name`, ({ side = "agent", freedoms, options }) => {
  it("uses existing freedoms", () => {
    expect(freedoms.filter((freedom) => !freedomIds.has(freedom))).toEqual([]);
  });

  it("violates nothing in any scenario", { timeout: 600_000 }, async () => {
    const { setting, close } = await live.open({ side, ...options });
    try {
      const sideScenarios = ofSide(protocol, scenarios, side);
      const results = await playScenarios({
        protocol,
        scenarios: sideScenarios,
        setting: { ...setting, timeScale: 0.3 },
        seed: 7,
      });
      const accusations = results.filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome));
      expect(accusations.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
      expect(results.filter(({ outcome }) => outcome === "conforms").length).toBeGreaterThan(sideScenarios.length / 2);
    } finally {
      await close();
    }
  });
});
