import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { fresherFor } from "./fresh-texts.ts";

const order = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "string", pattern: "^evt_[a-z0-9]{12}$" }, note: { type: "string" } },
};
const message = { id: "evt_000000000000" };
const requestFor = (seed: number) => ({
  at: "/id",
  value: `evt_${"f".repeat(24)}`,
  prefix: "evt_",
  seed,
  fixed: false,
});

async function fresher(schema: JsonObject) {
  return fresherFor(await compileModel([document(schema)], id));
}

describe("a fresh value", () => {
  it("is the requested one if the schema accepts it", async () => {
    const draw = await fresher({ ...order, properties: { id: { type: "string" } } });
    expect(draw(message, requestFor(1))).toEqual({ value: requestFor(1).value, places: ["/id"] });
  });

  it("is otherwise drawn from the pattern, the same for the same seed and a different one for a different seed", async () => {
    const draw = await fresher(order);
    const values = Array.from({ length: 800 }, (_, seed) => draw(message, requestFor(seed))?.value);
    for (const value of values) expect(value).toMatch(/^evt_[a-z0-9]{12}$/);
    expect(new Set(values).size).toBe(800);
    expect(draw(message, requestFor(5))?.value).toBe(values[5]);
  });

  it("satisfies everything that applies in this message: conditions, formats, lengths, and the prefix", async () => {
    const findFresh = await fresher({
      properties: { id: { minLength: 3, maxLength: 40 }, kind: true },
      if: { required: ["kind"] },
      then: { properties: { id: { format: "uuid" } } },
      else: { properties: { id: { maxLength: 9 } } },
    });
    expect(findFresh({ id: "abc" }, requestFor(1))?.value).toMatch(/^evt_.{0,5}$/su);
    const uuid = { id: "2eb8aa08-aa98-11ea-b4aa-73b441d16380", kind: 1 };
    expect(findFresh(uuid, { ...requestFor(1), prefix: "" })?.value).toMatch(/^[0-9a-f-]{36}$/i);
  });

  it("neither repairs nor adds faults of a message", async () => {
    const draw = await fresher(order);
    expect(draw({ id: "evt_000000000000", note: 1 }, requestFor(1))?.value).toMatch(/^evt_[a-z0-9]{12}$/);
    // The requested value is used, because it is as faulty as the old one.
    expect(draw({ id: "wrong" }, requestFor(1))?.value).toBe(requestFor(1).value);
  });

  it.each<[string, Json]>([
    ["only one value is valid", { const: "evt_000000000000" }],
    ["no valid string has the prefix", { pattern: "^msg|^evt_0{12}$" }],
  ])("is not found if %s", async (_what, idSchema) => {
    const draw = await fresher({ properties: { id: idSchema } });
    expect(draw(message, { ...requestFor(1), prefix: "evt_1" })).toBe(undefined);
  });

  it("is not drawn if only the requested value is allowed", async () => {
    expect((await fresher(order))(message, { ...requestFor(1), fixed: true })).toBe(undefined);
  });

  it.each<[string, Json, string[]]>([
    ["both strings that a broken rule compares", { id: "a", after: ["b", "a"] }, ["/id", "/after/1"]],
    ["both strings that a satisfied rule compares", { id: "a", root: "a" }, ["/id", "/root"]],
    ["only the requested string if no rule compares it", { id: "a", note: "a" }, ["/id"]],
  ])("replaces %s", async (_what, sentMessage, places) => {
    const draw = fresherFor(await compileModel([document({})], id), (event) => {
      const { id: eventId, after = [], root = eventId } = event as { id: string; after?: string[]; root?: string };
      return [...(after.includes(eventId) ? ["SELF-001"] : []), ...(root === eventId ? [] : ["ROOT-001"])];
    });
    expect(draw(sentMessage, requestFor(1))).toEqual({ value: requestFor(1).value, places });
  });

  it("is not found if a rule derives another member from the old one", async () => {
    const draw = fresherFor(await compileModel([document({})], id), (event) => {
      const { id: eventId, length } = event as { id: string; length: number };
      return eventId.length === length ? [] : ["LEN-001"];
    });
    expect(draw({ id: "abc", length: 3 }, { ...requestFor(1), fixed: true })).toBe(undefined);
  });
});
