import { describe, expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { injectFamily } from "../testing/injected.fixture.ts";
import { families } from "./index.ts";
import { unlistedText } from "./kin.ts";

const family = families.find(({ name }) => name === "enum") as (typeof families)[number];

async function enumMisses(values: Json[], value: Json): Promise<Map<string, unknown>> {
  const drafts = await injectFamily(family, { enum: values }, value);
  return new Map(drafts.map(({ name, data }) => [name.slice(2).join("/"), data]));
}

describe("unlistedText", () => {
  it.each([
    [["accept", "reject"], "defer"],
    [["transient", "permanent", "requires_user", "unknown"], "internal"],
    [["success", "error", "timeout"], "cancelled"],
    [["low", "medium", "high", "critical"], "unknown-value"],
    [["high", "tide"], "unknown-value"],
    [["unknown-value"], "another-value"],
  ])("for %j is %s", (values, expected) => expect(unlistedText(values)).toBe(expected));

  it("is the first near miss of an enum", async () => {
    expect((await enumMisses(["accept", "reject"], "accept")).get("unknown")).toBe("defer");
  });

  it("is followed by listed strings with a different separator", async () => {
    const nearMisses = await enumMisses(["plain", "with_effort", "by-hand"], "plain");
    expect([...nearMisses.values()]).toEqual(expect.arrayContaining(["with-effort", "by_hand"]));
  });

  it("is followed by the number after the largest one", async () => {
    expect((await enumMisses([1, 2, 3], 1)).get("past-the-largest")).toBe(4);
    expect((await enumMisses([7], 7)).has("past-the-largest")).toBe(false);
  });
});
