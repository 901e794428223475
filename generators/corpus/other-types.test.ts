import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { planVectors } from "./plan.ts";

const invalidDraftsOf = async (schema: JsonObject) => {
  const schemas = [document(schema)];
  return planVectors({ model: await compileModel(schemas, id), samples: [], elsewhere: new Set() }, schemas).invalid;
};
const kind = (name: string): JsonObject => ({ required: ["kind"], properties: { kind: { const: name } } });

it("replaces a message with several kinds by a value of each other type", async () => {
  const invalid = await invalidDraftsOf({ type: "object", oneOf: [kind("a"), kind("b")] });
  for (const value of [null, [], "text", 7, true] as Json[]) {
    const draft = invalid.find(({ data }) => JSON.stringify(data) === JSON.stringify(value));
    expect(draft).toMatchObject({ at: "", fault: "wrong-type", change: [{ op: "replace", path: "", value }] });
  }
});

it("does not replace the message if that breaks only the type, or if the schema does not assert the type", async () => {
  const wholeReplacements = (drafts: Awaited<ReturnType<typeof invalidDraftsOf>>) =>
    drafts.filter(({ because, at }) => because !== undefined && at === "");
  expect(wholeReplacements(await invalidDraftsOf({ type: "object", ...kind("a") }))).toEqual([]);
  expect(wholeReplacements(await invalidDraftsOf({ oneOf: [kind("a"), { ...kind("b"), type: "object" }] }))).toEqual(
    [],
  );
});
