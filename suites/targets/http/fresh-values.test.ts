import { describe, expect, it } from "vitest";
import type { Freshness, Json } from "../../../schemas/index.ts";
import { refreshValues } from "./fresh-values.ts";

const now = Date.parse("2030-02-03T04:05:06.789Z");
const occasion = { keep: [], seed: 7, now };
const entries: Freshness[] = [
  { at: "/id", make: "uuid" },
  { at: "/event", make: "token", prefix: "evt_" },
  { at: "/at", make: "date-time" },
  { at: "/task/deadline", make: "date-time", offset: 3600 },
  { at: "/seconds", make: "unix-time", offset: -10 },
];
const message = { id: "old", event: "evt_old", at: "2020", task: { deadline: "2021", title: "t" }, seconds: 1 };

describe("refreshValues", () => {
  it("makes each kind of member, and does not change the instance", () => {
    const before = structuredClone(message);
    expect(refreshValues(message, entries, occasion)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      event: expect.stringMatching(/^evt_[A-Za-z0-9]{24}$/),
      at: "2030-02-03T04:05:06Z",
      task: { deadline: "2030-02-03T05:05:06Z", title: "t" },
      seconds: Math.floor(now / 1000) - 10,
    });
    expect(message).toEqual(before);
  });

  it("draws the same values from the same seed, and different ones from a different seed or for a different member", () => {
    const drawValues = (seed: number) =>
      refreshValues({ id: "", other: "" }, [entries[0], { at: "/other", make: "uuid" }] as Freshness[], {
        ...occasion,
        seed,
      });
    expect(drawValues(1)).toEqual(drawValues(1));
    const seenValues = [1, 2, 3].flatMap((seed) => Object.values(drawValues(seed) as Record<string, Json>));
    expect(new Set(seenValues).size).toBe(6);
  });

  it.each([["/id"], ["/id/part"]])("keeps the subject of the vector: %s", (keptPlace) => {
    expect(refreshValues(message, entries, { ...occasion, keep: [keptPlace] })).toMatchObject({
      id: "old",
      at: "2030-02-03T04:05:06Z",
    });
  });

  it("keeps values within a kept member", () => {
    expect(refreshValues(message, entries, { ...occasion, keep: ["/task"] })).toMatchObject({ task: message.task });
  });

  it("does not add an absent member, or change a value of a different type", () => {
    expect(refreshValues({}, entries, occasion)).toEqual({});
    expect(refreshValues({ id: null, at: 5, seconds: "1", task: [] }, entries, occasion)).toEqual({
      id: null,
      at: 5,
      seconds: "1",
      task: [],
    });
    for (const value of [null, "text", 3, [1]]) expect(refreshValues(value, entries, occasion)).toEqual(value);
  });

  it("reads and sets own members only", () => {
    const tricky = JSON.parse('{"__proto__":{"id":"old"}}');
    expect(refreshValues(tricky, [{ at: "/toString", make: "uuid" }], occasion)).toEqual(tricky);
    const refreshed = refreshValues(
      tricky,
      [
        { at: "/__proto__", make: "uuid" },
        { at: "/__proto__/id", make: "uuid" },
      ],
      occasion,
    );
    expect(JSON.stringify(refreshed)).toMatch(/^\{"__proto__":\{"id":"[0-9a-f-]{36}"\}\}$/);
  });
});
