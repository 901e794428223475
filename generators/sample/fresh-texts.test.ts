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
const made = (seed: number) => ({ at: "/id", value: `evt_${"f".repeat(24)}`, prefix: "evt_", seed, fixed: false });

async function fresher(schema: JsonObject) {
  return fresherFor(await compileModel([document(schema)], id));
}

describe("a fresh value", () => {
  it("is the requested one if the schema accepts it", async () => {
    const draw = await fresher({ ...order, properties: { id: { type: "string" } } });
    expect(draw(message, made(1))).toEqual({ value: made(1).value, places: ["/id"] });
  });

  it("is otherwise drawn from the pattern, the same for the same seed and another for another seed", async () => {
    const draw = await fresher(order);
    const values = Array.from({ length: 800 }, (_, seed) => draw(message, made(seed))?.value);
    for (const value of values) expect(value).toMatch(/^evt_[a-z0-9]{12}$/);
    expect(new Set(values).size).toBe(800);
    expect(draw(message, made(5))?.value).toBe(values[5]);
  });

  it("satisfies everything that applies in this message: conditions, formats, lengths, and the prefix", async () => {
    const draw = await fresher({
      properties: { id: { minLength: 3, maxLength: 40 }, kind: true },
      if: { required: ["kind"] },
      then: { properties: { id: { format: "uuid" } } },
      else: { properties: { id: { maxLength: 9 } } },
    });
    expect(draw({ id: "abc" }, made(1))?.value).toMatch(/^evt_.{0,5}$/su);
    const uuid = { id: "2eb8aa08-aa98-11ea-b4aa-73b441d16380", kind: 1 };
    expect(draw(uuid, { ...made(1), prefix: "" })?.value).toMatch(/^[0-9a-f-]{36}$/i);
  });

  it("leaves the faults of a message unchanged, and adds none", async () => {
    const draw = await fresher(order);
    expect(draw({ id: "evt_000000000000", note: 1 }, made(1))?.value).toMatch(/^evt_[a-z0-9]{12}$/);
    // A fault that it would repair is not the subject of the vector.
    expect(draw({ id: "wrong" }, made(1))?.value).toBe(made(1).value);
  });

  it.each<[string, Json]>([
    ["one value is all there is", { const: "evt_000000000000" }],
    ["no text begins so", { pattern: "^msg|^evt_0{12}$" }],
  ])("does not exist if %s", async (_what, its) => {
    const draw = await fresher({ properties: { id: its } });
    expect(draw(message, { ...made(1), prefix: "evt_1" })).toBe(undefined);
  });

  it("is not drawn if no other text is possible", async () => {
    expect((await fresher(order))(message, { ...made(1), fixed: true })).toBe(undefined);
  });

  it.each<[string, Json, string[]]>([
    ["a rule that it breaks by two equal texts", { id: "a", after: ["b", "a"] }, ["/id", "/after/1"]],
    ["a rule that it keeps by two equal texts", { id: "a", root: "a" }, ["/id", "/root"]],
    ["no rule at all", { id: "a", note: "a" }, ["/id"]],
  ])("is put at every place of a message that takes part in %s", async (_what, sent, places) => {
    const draw = fresherFor(await compileModel([document({})], id), (each) => {
      const { id: own, after = [], root = own } = each as { id: string; after?: string[]; root?: string };
      return [...(after.includes(own) ? ["SELF-001"] : []), ...(root === own ? [] : ["ROOT-001"])];
    });
    expect(draw(sent, made(1))).toEqual({ value: made(1).value, places });
  });

  it("does not exist if a rule derives another member from the old one", async () => {
    const draw = fresherFor(await compileModel([document({})], id), (each) => {
      const { id: own, length } = each as { id: string; length: number };
      return own.length === length ? [] : ["LEN-001"];
    });
    expect(draw({ id: "abc", length: 3 }, { ...made(1), fixed: true })).toBe(undefined);
  });
});
