import { describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { isOfExchanges } from "../../../running/scenarios/exchanges.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("aaep");
const knownFreedoms = new Set(freedomsOf(protocol).map(({ id }) => id));

const { cases, said: partName } = partOf(live.twins ?? [], ({ name }) => name);

describe.each(cases)(`(${partName}) the conforming $side that is $name`, ({ freedoms, side, options }) => {
  it("names only existing freedoms", () => {
    expect(freedoms.filter((freedom) => !knownFreedoms.has(freedom))).toEqual([]);
  });

  it("causes no violation or warning in any scenario", { timeout: 300_000 }, async () => {
    const { setting, close } = await live.open(options);
    try {
      const sideScenarios = ofSide(protocol, scenarios, side);
      const results = await playScenarios({ protocol, scenarios: sideScenarios, setting, seed: 7 });
      // A twin may ignore advice, about which its exchanges warn.
      const failures = results.filter(
        (result) =>
          result.outcome !== "conforms" &&
          result.outcome !== "skipped" &&
          !(result.outcome === "warns" && isOfExchanges(result)),
      );
      expect(failures.map(({ id, outcome, why }) => `${id} ${outcome}: ${why}`)).toEqual([]);
      // Skipped results prove nothing, so most results must conform.
      expect(results.filter(({ outcome }) => outcome === "conforms").length).toBeGreaterThan(results.length / 2);
    } finally {
      await close();
    }
  });
});
