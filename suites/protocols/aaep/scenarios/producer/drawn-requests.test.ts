import { expect, it } from "vitest";
import { type JsonObject, protocolNamed, type ScenarioContext } from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { drawExclusions, drawModestCapabilities, drawSlightChange } from "./drawn-requests.ts";
import { alterToken } from "./forgery.ts";

/** Makes a context that only provides a seed. */
function contextOf(seed: number): ScenarioContext {
  let count = 0;
  return { fresh: (prefix: string) => `${prefix}-${seed}-${count++}` } as unknown as ScenarioContext;
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

/** Compiles only the schema of requests, to validate requests with some capabilities. */
async function compileRequestSchema(): Promise<(capabilities: JsonObject) => boolean> {
  const { compileAjv } = await import("../../../../../generators/index.ts");
  const id = "https://aaep-protocol.org/schemas/v1/handshake/subscription.request.schema.json";
  const isValidRequest = compileAjv(protocolNamed("aaep").schemas as JsonObject[], id, "quick");
  const request = { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "it" };
  return (capabilities) => isValidRequest({ ...request, capabilities });
}

it("draws valid requests, and omits each boundary from at least one of them", async () => {
  const isValid = await compileRequestSchema();
  expect(isValid({ max_events_per_second: 0 })).toBe(false);
  for (const seed of seeds) {
    const allCapabilities = drawModestCapabilities(drawFor(contextOf(seed)));
    for (const capabilities of allCapabilities) {
      expect(isValid(capabilities), JSON.stringify(capabilities)).toBe(true);
      expect(capabilities).toMatchObject({ supports_clarification_reply: false });
    }
    for (const boundary of ["word", "sentence", "paragraph", "completion"])
      expect(
        allCapabilities.some(
          ({ coalesce_boundaries: drawnBoundaries }) => !(drawnBoundaries as string[]).includes(boundary),
        ),
      ).toBe(true);
    expect(isValid(drawSlightChange(drawFor(contextOf(seed))))).toBe(true);
  }
});

it("draws filters with exact names and with wildcards, the same for the same seed", () => {
  const filters = seeds.map((seed) => drawExclusions(drawFor(contextOf(seed)), ["state", "tool"]).join(" "));
  expect(new Set(filters).size).toBe(4);
  expect(seeds.map((seed) => drawExclusions(drawFor(contextOf(seed)), ["state", "tool"]).join(" "))).toEqual(filters);
});

it("changes one character of a token to a different one", () => {
  for (const seed of seeds) {
    const token = alterToken("rpl_aZ9", drawFor(contextOf(seed)));
    expect(token).toMatch(/^rpl_[A-Za-z0-9]{3}$/);
    expect(token.toLowerCase()).not.toBe("rpl_az9");
  }
});
