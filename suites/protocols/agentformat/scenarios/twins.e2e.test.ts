import { describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("agentformat");
const freedomIds = new Set(freedomsOf(protocol).map(({ id }) => id));

const { cases, said: partText } = partOf(live.twins ?? [], ({ name }) => name);

describe.each(cases)(`(${partText}) the conforming runtime $name`, ({ freedoms, options }) => {
  it("uses only freedoms of the catalogue", () => {
    expect(freedoms.filter((freedom) => !freedomIds.has(freedom))).toEqual([]);
  });

  it("passes every scenario", async () => {
    const { setting, close } = await live.open(options);
    try {
      const results = await playScenarios({ protocol, scenarios, setting: { ...setting, timeScale: 0.3 }, seed: 7 });
      const accused = results.filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome));
      expect(accused.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
      expect(results.some(({ outcome }) => outcome === "conforms")).toBe(true);
    } finally {
      await close();
    }
  });
});
