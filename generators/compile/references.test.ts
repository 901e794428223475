import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import type { KeywordOf } from "../model/model.ts";
import { compileModel } from "./compile.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const base = "https://example.com/";

const tree: JsonObject = {
  $schema,
  $id: `${base}tree`,
  $dynamicAnchor: "node",
  properties: { children: { items: { $dynamicRef: "#node" } } },
};
const strict: JsonObject = {
  $schema,
  $id: `${base}strict`,
  $dynamicAnchor: "node",
  $ref: "tree",
  unevaluatedProperties: false,
};
const either: JsonObject = { $schema, $id: `${base}either`, anyOf: [{ $ref: "tree" }, { $ref: "strict" }] };

/** Returns the keyword for the `$dynamicRef` of the tree in the model of `id`. */
async function compileReference(id: string): Promise<KeywordOf<"ref"> | KeywordOf<"dynamicRef">> {
  const { nodes } = await compileModel([tree, strict, either], `${base}${id}`);
  const [keyword] = nodes.get(`${base}tree#/properties/children/items`)?.keywords ?? [];
  if (keyword?.kind === "ref" || keyword?.kind === "dynamicRef") return keyword;
  throw new Error(`expected ref or dynamicRef, got ${keyword?.kind}`);
}

describe("the model of a dynamic reference", () => {
  it("refers to the schema that contains it, unless a schema extends that one", async () => {
    expect(await compileReference("tree")).toMatchObject({ kind: "ref", node: `${base}tree#` });
  });

  it("refers to the schema that extends the one that contains it", async () => {
    expect(await compileReference("strict")).toMatchObject({ kind: "ref", node: `${base}strict#` });
  });

  it("stays dynamic if different evaluation paths lead to different schemas", async () => {
    expect(await compileReference("either")).toMatchObject({ kind: "dynamicRef", anchor: "node" });
  });
});
