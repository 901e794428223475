import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { packValues } from "./packing.ts";

const code = { type: "string", pattern: "^[a-z]{2,4}$" };
const schema: JsonObject = {
  type: "object",
  properties: {
    a: code,
    b: code,
    n: { type: "integer" },
    small: { type: "integer", maximum: 9 },
    word: { enum: ["x", "y", "z"] },
  },
};
const fullInstance = { a: "mm", b: "nn", n: 1, small: 1, word: "x" };

const draft = (data: Json, at = "", tags: string[] = []): Draft => ({
  data,
  at,
  name: [at],
  says: "",
  tags,
  features: [],
  uniqueFeatures: [],
});

const pack = async (drafts: Draft[], options: Partial<Subject> = {}) => {
  const model = await compileModel([document(schema)], id);
  const packed = packValues({ model, samples: [], elsewhere: new Set(), ...options }, drafts);
  for (const { data } of packed) expect(isValid(model, data)).toBe(true);
  return packed;
};

describe("packValues", () => {
  it("uses only strings that have the format according to every validator", async () => {
    const dated = { type: "object", properties: { a: { format: "date-time" }, b: { format: "uri" } } } as JsonObject;
    const model = await compileModel([document(dated)], id);
    const packed = packValues({ model, samples: [], elsewhere: new Set() }, [
      draft({ a: "2026-01-15T09:30:00Z", b: "a:b" }),
    ]);
    const text = JSON.stringify(packed.map(({ data }) => data));
    expect(text).toContain('"a":"2026-01-15t09:30:00z","b":"https://');
    expect(text).toContain('"b":"HTTPS://EXAMPLE.ORG/"');
    expect(text).not.toContain(":60Z");
  });

  it("uses the empty string if only the length of a string is restricted", async () => {
    const texts = { a: { type: "string", maxLength: 9 }, b: { type: "string" }, c: { type: "string", minLength: 1 } };
    const model = await compileModel([document({ type: "object", properties: texts } as JsonObject)], id);
    const [packed] = packValues({ model, samples: [], elsewhere: new Set() }, [draft({ a: "x", b: "y", c: "z" })]);
    expect(packed?.data).toEqual({ a: "", b: "", c: "z" });
  });

  it("uses a string of the maximum length that is longer in other encodings", async () => {
    const texts = { a: { type: "string", maxLength: 6 }, b: { type: "string", minLength: 1, maxLength: 5 } };
    const model = await compileModel([document({ type: "object", properties: texts } as JsonObject)], id);
    const packed = packValues({ model, samples: [], elsewhere: new Set() }, [draft({ a: "x", b: "y" })]);
    expect(packed.map(({ data }) => data)).toContainEqual(expect.objectContaining({ b: "é\n&ßa" }));
  });

  it("does not use a string that some readers may refuse, even if another instance contains it", async () => {
    const sites = { type: "object", properties: { a: { format: "uri" }, b: code } } as JsonObject;
    const model = await compileModel([document(sites)], id);
    const [first, second] = [draft({ a: "urn:a:b", b: "mm" }), draft({ a: "https://", b: "mm" }, "/a")];
    const packed = packValues({ model, samples: [], elsewhere: new Set() }, [first, second]);
    expect(packed.length).toBeGreaterThan(0);
    expect(packed.filter(({ data }) => JSON.stringify(data).includes('"https://"'))).toEqual([]);
  });

  it("combines the extremes of all patterns and the largest integers in one instance", async () => {
    const [first] = await pack([draft(fullInstance)]);
    expect(first?.data).toEqual({ ...fullInstance, a: "az", b: "az", n: 2 ** 53 - 1 });
    expect(first?.packed).toBe(true);
  });

  it("combines values of instances that differ at one place, so that each value occurs with two different neighbours", async () => {
    const [y, z, b] = [draft({ word: "y" }, "/word"), draft({ word: "z", a: "qq" }, "/word"), draft({ b: "zz" }, "/b")];
    const packed = await pack([draft(fullInstance), y, z, b]);
    expect(packed.map(({ data }) => data)).toEqual([
      { ...fullInstance, a: "az", b: "az", n: 2 ** 53 - 1, word: "y" },
      { ...fullInstance, b: "zz", word: "z" },
      { ...fullInstance, a: "az", b: "az", n: 2 ** 53 - 1, word: "z" },
      { ...fullInstance, b: "zz", word: "y" },
    ]);
  });

  it("leaves out values that break a rule, alone or with the others", async () => {
    const breaches = (data: Json) => (isObject(data) && data.a === data.b ? ["SAME"] : []);
    const [first] = await pack([draft(fullInstance)], { breaches });
    expect(first?.data).toEqual({ ...fullInstance, a: "az", n: 2 ** 53 - 1 });
  });

  it("ignores instances that break a rule, and does not pack a single value", async () => {
    expect(await pack([draft(fullInstance)], { breaches: () => ["ANY"] })).toEqual([]);
    expect(await pack([draft({ a: "mm" })])).toEqual([]);
  });

  it("uses an instance made to kill a mutant for one value, but never as the base", async () => {
    const packed = await pack([draft({ ...fullInstance, extra: 1 }, "/a", ["forcing"]), draft(fullInstance)]);
    for (const { data } of packed) expect(data).not.toHaveProperty("extra");
  });
});
