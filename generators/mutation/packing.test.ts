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
const whole = { a: "mm", b: "nn", n: 1, small: 1, word: "x" };

const draft = (data: Json, at = "", tags: string[] = []): Draft => ({
  ...{ data, at, name: [at], says: "", tags, features: [], uniqueFeatures: [] },
});

const packs = async (drafts: Draft[], more: Partial<Subject> = {}) => {
  const model = await compileModel([document(schema)], id);
  const made = packValues({ model, samples: [], elsewhere: new Set(), ...more }, drafts);
  for (const { data } of made) expect(isValid(model, data)).toBe(true);
  return made;
};

describe("packed", () => {
  it("has the texts that are of a format as all say", async () => {
    const dated = { type: "object", properties: { a: { format: "date-time" }, b: { format: "uri" } } } as JsonObject;
    const model = await compileModel([document(dated)], id);
    const made = packValues({ model, samples: [], elsewhere: new Set() }, [
      draft({ a: "2026-01-15T09:30:00Z", b: "a:b" }),
    ]);
    const all = JSON.stringify(made.map(({ data }) => data));
    expect(all).toContain('"a":"2026-01-15t09:30:00z","b":"https://');
    expect(all).toContain('"b":"HTTPS://EXAMPLE.ORG/"');
    expect(all).not.toContain(":60Z");
  });

  it("contains the empty text if only the length of a text is restricted", async () => {
    const texts = { a: { type: "string", maxLength: 9 }, b: { type: "string" }, c: { type: "string", minLength: 1 } };
    const model = await compileModel([document({ type: "object", properties: texts } as JsonObject)], id);
    const [made] = packValues({ model, samples: [], elsewhere: new Set() }, [draft({ a: "x", b: "y", c: "z" })]);
    expect(made?.data).toEqual({ a: "", b: "", c: "z" });
  });

  it("has a text of the greatest length that is longer in other forms", async () => {
    const texts = { a: { type: "string", maxLength: 6 }, b: { type: "string", minLength: 1, maxLength: 5 } };
    const model = await compileModel([document({ type: "object", properties: texts } as JsonObject)], id);
    const made = packValues({ model, samples: [], elsewhere: new Set() }, [draft({ a: "x", b: "y" })]);
    expect(made.map(({ data }) => data)).toContainEqual(expect.objectContaining({ b: "é\n&ßa" }));
  });

  it("contains no text that some readers may refuse, even if another instance has it", async () => {
    const sites = { type: "object", properties: { a: { format: "uri" }, b: code } } as JsonObject;
    const model = await compileModel([document(sites)], id);
    const [one, other] = [draft({ a: "urn:a:b", b: "mm" }), draft({ a: "https://", b: "mm" }, "/a")];
    const made = packValues({ model, samples: [], elsewhere: new Set() }, [one, other]);
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter(({ data }) => JSON.stringify(data).includes('"https://"'))).toEqual([]);
  });

  it("has the ends of all patterns and the largest integers in one instance", async () => {
    const [first] = await packs([draft(whole)]);
    expect(first?.data).toEqual({ ...whole, a: "az", b: "az", n: 2 ** 53 - 1 });
    expect(first?.packed).toBe(true);
  });

  it("combines the values of instances that differ at one place, one of each place at a time, each with two others", async () => {
    const [y, z, b] = [draft({ word: "y" }, "/word"), draft({ word: "z", a: "qq" }, "/word"), draft({ b: "zz" }, "/b")];
    const made = await packs([draft(whole), y, z, b]);
    expect(made.map(({ data }) => data)).toEqual([
      { ...whole, a: "az", b: "az", n: 2 ** 53 - 1, word: "y" },
      { ...whole, b: "zz", word: "z" },
      { ...whole, a: "az", b: "az", n: 2 ** 53 - 1, word: "z" },
      { ...whole, b: "zz", word: "y" },
    ]);
  });

  it("leaves out values that break a rule, alone or with the others", async () => {
    const breaches = (data: Json) => (isObject(data) && data.a === data.b ? ["SAME"] : []);
    const [first] = await packs([draft(whole)], { breaches });
    expect(first?.data).toEqual({ ...whole, a: "az", n: 2 ** 53 - 1 });
  });

  it("uses no instance that breaks a rule itself, and no single value", async () => {
    expect(await packs([draft(whole)], { breaches: () => ["ANY"] })).toEqual([]);
    expect(await packs([draft({ a: "mm" })])).toEqual([]);
  });

  it("uses an instance made to kill a mutant for one value, but never as the base", async () => {
    const made = await packs([draft({ ...whole, extra: 1 }, "/a", ["forcing"]), draft(whole)]);
    for (const { data } of made) expect(data).not.toHaveProperty("extra");
  });
});
