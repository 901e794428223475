import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../schemas/index.ts";
import { packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "anchors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The schema that is written for a body with `schema`, and the notes on its operation. */
async function readBody(schema: Json, schemas: JsonObject): Promise<{ written?: JsonObject; calls: string[] }> {
  const file = join(folder, "api.json");
  const body = (bodySchema: Json): Json => ({ content: { "application/json": { schema: bodySchema } } });
  const paths = {
    "/a": { post: { operationId: "a", requestBody: body(schema), responses: {} } },
    "/b": { post: { operationId: "b", requestBody: body({}), responses: {} } },
  };
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info: { title: "T" }, paths, components: { schemas } }));
  const { texts, calls } = await packFrom(file, { out: join(folder, "pack") });
  const text = texts.get("schemas/a.schema.json");
  if (text === undefined) return { calls };
  const { $id: _, ...written } = JSON.parse(text);
  return { written, calls };
}

const component = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

it("a $dynamicRef leads to the one schema with its name, if there is no other on the path", async () => {
  const Node = {
    $dynamicAnchor: "node",
    type: "object",
    properties: { next: { $dynamicRef: "#node", minProperties: 1 } },
  };
  expect(await readBody(component("Node"), { Node })).toEqual({
    written: {
      $ref: "#/$defs/Node",
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node", minProperties: 1 } } } },
    },
    calls: [],
  });
});

it("a $dynamicRef leads to the first schema with its name on the path, which depends on the referring schema", async () => {
  const List = {
    $id: "list",
    properties: { items: { type: "array", items: { $dynamicRef: "#item" } } },
    $defs: { any: { $dynamicAnchor: "item", not: {} } },
  };
  const textList = (name: string, type: string): JsonObject => ({
    $id: name,
    $ref: "list",
    $defs: { own: { $dynamicAnchor: "item", type } },
  });
  const schemas = { List, Texts: textList("texts", "string"), Numbers: textList("numbers", "number") };
  const { written, calls } = await readBody(
    { properties: { t: component("Texts"), n: component("Numbers"), l: component("List") } },
    schemas,
  );
  expect(calls).toEqual([]);
  const defs = written?.$defs as Record<string, { $ref?: string; properties?: { items: { items: { $ref: string } } } }>;
  const definitionOf = (ref: string | undefined): (typeof defs)[string] | undefined =>
    defs[String(ref).replace("#/$defs/", "")];
  const itemOf = (ref: string | undefined): unknown => definitionOf(definitionOf(ref)?.properties?.items.items.$ref);
  expect(itemOf(definitionOf("Texts")?.$ref)).toEqual({ type: "string" });
  expect(itemOf(definitionOf("Numbers")?.$ref)).toEqual({ type: "number" });
  expect(itemOf("List")).toEqual({ not: {} });
});

it("a $dynamicRef excludes only its operation if it leads to several schemas of one resource, or nowhere", async () => {
  const anchoredSchema = { $dynamicAnchor: "item" };
  const { written, calls } = await readBody(
    { items: { $dynamicRef: "#item" } },
    { A: anchoredSchema, B: anchoredSchema },
  );
  expect(written).toBeUndefined();
  expect(calls.join()).toMatch(
    /nothing is sent to a, which cannot be read: .*\$dynamicRef "#item" leads to 2 schemas of one resource/,
  );
  expect((await readBody({ $dynamicRef: "#other" }, {})).calls.join()).toMatch(/\$dynamicRef "#other" leads nowhere/);
});

it("a pointer is relative to the enclosing schema with an $id, or else to the file", async () => {
  const A = {
    $id: "urn:a",
    properties: { own: { $ref: "#/$defs/x" }, other: component("B") },
    $defs: { x: { type: "integer" } },
  };
  const { written } = await readBody(component("A"), { A, B: { type: "boolean" } });
  expect(written?.$defs).toMatchObject({ x: { type: "integer" }, B: { type: "boolean" } });
});
