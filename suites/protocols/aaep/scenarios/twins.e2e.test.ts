import { describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { isOfExchanges } from "../../../running/scenarios/exchanges.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("aaep");
const known = new Set(freedomsOf(protocol).map(({ id }) => id));

const { cases, said } = partOf(live.twins ?? [], ({ name }) => name);

describe.each(cases)(`(${said}) the right $side that is $name`, ({ freedoms, side, options }) => {
  it("uses existing freedoms", () => {
    expect(freedoms.filter((freedom) => !known.has(freedom))).toEqual([]);
  });

  it("no scenario accuses or warns", { timeout: 300_000 }, async () => {
    const { setting, close } = await live.open(options);
    try {
      const played = ofSide(protocol, scenarios, side);
      const results = await playScenarios({ protocol, scenarios: played, setting, seed: 7 });
      // A freedom may ignore advice, which the exchanged messages show.
      const others = results.filter(
        (result) =>
          result.outcome !== "conforms" &&
          result.outcome !== "skipped" &&
          !(result.outcome === "warns" && isOfExchanges(result)),
      );
      expect(others.map(({ id, outcome, why }) => `${id} ${outcome}: ${why}`)).toEqual([]);
      // Skipped results show nothing, so most must conform.
      expect(results.filter(({ outcome }) => outcome === "conforms").length).toBeGreaterThan(results.length / 2);
    } finally {
      await close();
    }
  });
});
