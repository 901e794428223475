import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { plan } from "./plan.ts";

const planned = async (schema: JsonObject) => {
  const all = [document(schema)];
  return plan({ model: await compileModel(all, id), samples: [], elsewhere: new Set() }, all).invalid;
};
const kind = (name: string): JsonObject => ({ required: ["kind"], properties: { kind: { const: name } } });

it("puts each other type in place of a message that is one of several kinds", async () => {
  const invalid = await planned({ type: "object", oneOf: [kind("a"), kind("b")] });
  for (const value of [null, [], "text", 7, true] as Json[]) {
    const draft = invalid.find(({ data }) => JSON.stringify(data) === JSON.stringify(value));
    expect(draft).toMatchObject({ at: "", fault: "wrong-type", change: [{ op: "replace", path: "", value }] });
  }
});

it("leaves out drafts that only break the type, and assertions that do not concern the type", async () => {
  const called = (drafts: Awaited<ReturnType<typeof planned>>) =>
    drafts.filter(({ because, at }) => because !== undefined && at === "");
  expect(called(await planned({ type: "object", ...kind("a") }))).toEqual([]);
  expect(called(await planned({ oneOf: [kind("a"), { ...kind("b"), type: "object" }] }))).toEqual([]);
});
