import { expect, it } from "vitest";
import { type JsonObject, protocolNamed, type ScenarioContext } from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { alterToken } from "./forgery.ts";
import { excludeOf, modestWishes, slightChange } from "./wishes.ts";

/** A context of which only the seed is used. */
function contextOf(seed: number): ScenarioContext {
  let drawn = 0;
  return { fresh: (prefix: string) => `${prefix}-${seed}-${drawn++}` } as unknown as ScenarioContext;
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed);
/** Validates requests with these capabilities by their schema, the only one compiled. */
async function validator(): Promise<(capabilities: JsonObject) => boolean> {
  const { compileAjv } = await import("../../../../../generators/index.ts");
  const id = "https://aaep-protocol.org/schemas/v1/handshake/subscription.request.schema.json";
  const holds = compileAjv(protocolNamed("aaep").schemas as JsonObject[], id, "quick");
  const request = { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "it" };
  return (capabilities) => holds({ ...request, capabilities });
}

it("draws valid requests, which omit each boundary between them", async () => {
  const isValid = await validator();
  expect(isValid({ max_events_per_second: 0 })).toBe(false);
  for (const seed of seeds) {
    const all = modestWishes(drawFor(contextOf(seed)));
    for (const wishes of all) {
      expect(isValid(wishes), JSON.stringify(wishes)).toBe(true);
      expect(wishes).toMatchObject({ supports_clarification_reply: false });
    }
    for (const boundary of ["word", "sentence", "paragraph", "completion"])
      expect(all.some(({ coalesce_boundaries: has }) => !(has as string[]).includes(boundary))).toBe(true);
    expect(isValid(slightChange(drawFor(contextOf(seed))))).toBe(true);
  }
});

it("draws filters with exact names and with wildcards, the same for the same seed", () => {
  const drawn = seeds.map((seed) => excludeOf(drawFor(contextOf(seed)), ["state", "tool"]).join(" "));
  expect(new Set(drawn).size).toBe(4);
  expect(seeds.map((seed) => excludeOf(drawFor(contextOf(seed)), ["state", "tool"]).join(" "))).toEqual(drawn);
});

it("changes a token in one place, to a different token", () => {
  for (const seed of seeds) {
    const token = alterToken("rpl_aZ9", drawFor(contextOf(seed)));
    expect(token).toMatch(/^rpl_[A-Za-z0-9]{3}$/);
    expect(token.toLowerCase()).not.toBe("rpl_az9");
  }
});
