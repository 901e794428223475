import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import type { KeywordOf } from "../model/model.ts";
import { compileModel } from "./compile.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const base = "https://example.com/";

const tree: JsonObject = {
  ...{ $schema, $id: `${base}tree`, $dynamicAnchor: "node" },
  properties: { children: { items: { $dynamicRef: "#node" } } },
};
const strict: JsonObject = {
  ...{ $schema, $id: `${base}strict`, $dynamicAnchor: "node" },
  ...{ $ref: "tree", unevaluatedProperties: false },
};
const either: JsonObject = { $schema, $id: `${base}either`, anyOf: [{ $ref: "tree" }, { $ref: "strict" }] };

/** The keyword as which the model of `id` has the dynamic reference of the tree. */
async function reference(id: string): Promise<KeywordOf<"ref"> | KeywordOf<"dynamicRef">> {
  const { nodes } = await compileModel([tree, strict, either], `${base}${id}`);
  const [keyword] = nodes.get(`${base}tree#/properties/children/items`)?.keywords ?? [];
  if (keyword?.kind === "ref" || keyword?.kind === "dynamicRef") return keyword;
  throw new Error(`it is ${keyword?.kind}`);
}

describe("a dynamic reference is a reference", () => {
  it("to the schema that it stands in, where nothing extends that", async () => {
    expect(await reference("tree")).toMatchObject({ kind: "ref", node: `${base}tree#` });
  });

  it("to the schema that extends the one it stands in", async () => {
    expect(await reference("strict")).toMatchObject({ kind: "ref", node: `${base}strict#` });
  });

  it("unless it leads to one schema on one way and to another on the next", async () => {
    expect(await reference("either")).toMatchObject({ kind: "dynamicRef", anchor: "node" });
  });
});
