import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../schemas/index.ts";
import { packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "anchors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The written schema of a body that is `schema`, and the notes on its operation. */
async function read(schema: Json, schemas: JsonObject): Promise<{ written?: JsonObject; calls: string[] }> {
  const file = join(folder, "api.json");
  const body = (each: Json): Json => ({ content: { "application/json": { schema: each } } });
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
  expect(await read(component("Node"), { Node })).toEqual({
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
  const of = (name: string, type: string): JsonObject => ({
    $id: name,
    $ref: "list",
    $defs: { own: { $dynamicAnchor: "item", type } },
  });
  const schemas = { List, Texts: of("texts", "string"), Numbers: of("numbers", "number") };
  const { written, calls } = await read(
    { properties: { t: component("Texts"), n: component("Numbers"), l: component("List") } },
    schemas,
  );
  expect(calls).toEqual([]);
  const defs = written?.$defs as Record<string, { $ref?: string; properties?: { items: { items: { $ref: string } } } }>;
  const at = (ref: string | undefined): (typeof defs)[string] | undefined => defs[String(ref).replace("#/$defs/", "")];
  const item = (ref: string | undefined): unknown => at(at(ref)?.properties?.items.items.$ref);
  expect(item(at("Texts")?.$ref)).toEqual({ type: "string" });
  expect(item(at("Numbers")?.$ref)).toEqual({ type: "number" });
  expect(item("List")).toEqual({ not: {} });
});

it("a $dynamicRef excludes only its operation if it leads to several schemas of one resource, or nowhere", async () => {
  const named = { $dynamicAnchor: "item" };
  const { written, calls } = await read({ items: { $dynamicRef: "#item" } }, { A: named, B: named });
  expect(written).toBeUndefined();
  expect(calls.join()).toMatch(
    /nothing is sent to a, which cannot be read: .*\$dynamicRef "#item" leads to 2 schemas of one resource/,
  );
  expect((await read({ $dynamicRef: "#other" }, {})).calls.join()).toMatch(/\$dynamicRef "#other" leads nowhere/);
});

it("a pointer is relative to the enclosing schema with an $id, or else to the file", async () => {
  const A = {
    $id: "urn:a",
    properties: { own: { $ref: "#/$defs/x" }, other: component("B") },
    $defs: { x: { type: "integer" } },
  };
  const { written } = await read(component("A"), { A, B: { type: "boolean" } });
  expect(written?.$defs).toMatchObject({ x: { type: "integer" }, B: { type: "boolean" } });
});
