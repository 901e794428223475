import { describe, expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { injectFamily } from "../testing/injected.fixture.ts";
import { families } from "./index.ts";
import { unlistedText } from "./kin.ts";

const family = families.find(({ name }) => name === "enum") as (typeof families)[number];

async function misses(values: Json[], value: Json): Promise<Map<string, unknown>> {
  const drafts = await injectFamily(family, { enum: values }, value);
  return new Map(drafts.map(({ name, data }) => [name.slice(2).join("/"), data]));
}

describe("similar words that a list does not contain", () => {
  it.each([
    [["accept", "reject"], "defer"],
    [["transient", "permanent", "requires_user", "unknown"], "internal"],
    [["success", "error", "timeout"], "cancelled"],
    [["low", "medium", "high", "critical"], "unknown-value"],
    [["high", "tide"], "unknown-value"],
    [["unknown-value"], "another-value"],
  ])("is, for %j, %s", (values, stranger) => expect(unlistedText(values)).toBe(stranger));

  it("is tried first", async () => {
    expect((await misses(["accept", "reject"], "accept")).get("unknown")).toBe("defer");
  });

  it("may be one of its texts with another sign between its words", async () => {
    const found = await misses(["plain", "with_effort", "by-hand"], "plain");
    expect([...found.values()]).toEqual(expect.arrayContaining(["with-effort", "by_hand"]));
  });

  it("may be the number after its largest", async () => {
    expect((await misses([1, 2, 3], 1)).get("past-the-largest")).toBe(4);
    expect((await misses([7], 7)).has("past-the-largest")).toBe(false);
  });
});
