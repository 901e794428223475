import { describe, expect, it } from "vitest";
import { dialects, type Json, type JsonObject } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import { oracleFor } from "../oracle/oracle.ts";
import { randomFrom } from "../sample/random.ts";
import { samplerFor } from "../sample/sampler.ts";
import { compileModel } from "./compile.ts";

const names = Object.getOwnPropertyNames(Object.prototype);
const objectWithAllNames = (value: (name: string, index: number) => Json): JsonObject =>
  JSON.parse(
    `{${names.map((name, index) => `${JSON.stringify(name)}:${JSON.stringify(value(name, index))}`).join(",")}}`,
  );

// Draft-04 is read as draft-07.
describe.each(dialects.map(({ uri }) => uri).filter((uri) => !uri.includes("draft-04")))(
  "names that every object inherits, in %s",
  ($schema) => {
    const id = "https://inherited.example/a";
    const identification = { $schema, $id: id };
    const compileJudge = async (schema: JsonObject): Promise<(value: Json) => boolean> => {
      const schemas = [{ ...identification, ...schema } as JsonObject];
      const model = await compileModel(schemas, id);
      const { judge } = await oracleFor(schemas, id, "lenient");
      expect(judge(samplerFor(model).next(randomFrom(1))).verdict).toBe("valid");
      return (value) => judge(value).verdict === "valid";
    };

    it("are ignored as keywords", async () => {
      const unusualMembers = objectWithAllNames(
        (_, index) => [1, "x", { type: "string" }, [1], true, null, {}, []][index % 8] as Json,
      );
      const judge = await compileJudge({
        ...unusualMembers,
        type: "object",
        properties: { a: { ...unusualMembers, type: "string" } },
        required: ["a"],
      });
      expect([judge({ a: "b" }), judge({ a: 1 }), judge({})]).toEqual([true, false, false]);
    });

    it("are properties like any other", async () => {
      const judge = await compileJudge({
        type: "object",
        properties: objectWithAllNames(() => ({ type: "string" })),
        required: names,
      });
      expect(judge(objectWithAllNames(() => "a"))).toBe(true);
      for (const name of names)
        expect(judge(objectWithAllNames((each) => (each === name ? 1 : "a"))), name).toBe(false);
      expect(judge({})).toBe(false);
    });

    it("are ignored as formats", async () => {
      const judge = await compileJudge({
        type: "object",
        properties: objectWithAllNames((format) => ({ type: "string", format })),
      });
      expect(judge(objectWithAllNames(() => "anything"))).toBe(true);
      for (const format of names) expect(formatHolds(format, "anything")).toBe(true);
    });
  },
);
