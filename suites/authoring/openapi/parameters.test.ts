import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a pack from the description of one operation with parameters in its query. */
async function packOf(...parameters: object[]) {
  const file = join(folder, "api.json");
  const responses = { 200: { description: "ok" } };
  const list = {
    operationId: "list",
    parameters: parameters.map((parameter) => ({ in: "query", ...parameter })),
    responses,
  };
  const info = { title: "Shop", version: "1" };
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info, paths: { "/pets": { get: list } } }));
  return packFrom(file, {});
}

const filter = {
  type: "object",
  required: ["size"],
  properties: {
    size: { type: "integer" },
    from: { type: "string" },
    tags: { type: "array" },
  },
};

it("a deep object is written by its members with any explode, and no member is an empty text", async () => {
  const { texts, documents } = await packOf({ name: "filter", style: "deepObject", schema: filter });
  const { documents: profileDocuments } = JSON.parse(texts.get("profile.json") ?? "");
  expect(profileDocuments[0].endpoint.parameters).toEqual([
    {
      in: "query",
      name: "filter",
      style: "deepObject",
      explode: true,
      holds: "members",
      members: { size: ["integer"], from: ["string"] },
    },
  ]);
  expect(documents[0]?.schema).toMatchObject({
    properties: { query: { properties: { filter: { properties: { from: { minLength: 1 } } } } } },
  });
});

it("null as an alternative does not change how a list or an object is written", async () => {
  const list = { type: "array", items: { type: "integer" } };
  const { texts, documents: madeDocuments } = await packOf(
    { name: "ids", schema: { anyOf: [list, { type: "null" }] } },
    { name: "filter", style: "deepObject", schema: { oneOf: [{ type: "null" }, { allOf: [filter] }] } },
  );
  const { documents } = JSON.parse(texts.get("profile.json") ?? "");
  expect(documents[0].endpoint.parameters).toMatchObject([
    { name: "ids", holds: "items", types: ["integer"] },
    { name: "filter", holds: "members", members: { size: ["integer"], from: ["string"] } },
  ]);
  const ids = { anyOf: [{ minItems: 1 }, { type: "null" }] };
  expect(madeDocuments[0]?.schema).toMatchObject({ properties: { query: { properties: { ids } } } });
});

it("notes name exactly the parameters that are never sent, with the reason", async () => {
  const { notes } = await packOf(
    { name: "form", schema: { type: "object", properties: { a: { type: "string" } } } },
    { name: "deep", style: "deepObject", schema: { type: "object", properties: { a: { type: "array" } } } },
    { name: "right", style: "deepObject", schema: { type: "object", properties: { a: { type: "string" } } } },
    { name: "lists", schema: { type: "array", items: { type: "array" } } },
    { name: "limit", schema: { type: "integer" } },
    { name: "json", content: { "application/json": { schema: { type: "object" } } } },
  );
  expect(notes).toEqual([
    'list is never sent the query parameter "form": it is an object, which can be written only with style deepObject',
    'list is never sent the query parameter "deep": it is an object without members that can be written as text',
    'list is never sent the query parameter "lists": it is a list of lists or objects, which servers read differently',
    expect.stringMatching(/^whether an empty text, .* NaN and Infinity are refused .* since frameworks differ: list$/),
  ]);
});

it("keeps only the types of a parameter that a text can represent, since its pack may contain no others", async () => {
  const { texts } = await packOf(
    { name: "limit", schema: { type: "integer" } },
    { name: "rows", schema: { type: "array", items: { type: "object" } } },
    { name: "mixed", schema: { type: "array", items: { type: ["object", "string"] } } },
    { name: "day", schema: { type: "date" } },
  );
  const { documents } = JSON.parse(String(texts.get("profile.json")));
  const [requestDocument] = documents.filter(({ endpoint }: { endpoint?: object }) => endpoint !== undefined);
  expect(requestDocument.endpoint.parameters.map(({ types }: { types?: string[] }) => types)).toEqual([
    ["integer"],
    [],
    ["string"],
    undefined,
  ]);
});

it("a text/plain parameter is sent as text, and one that is neither plain text nor JSON is never sent", async () => {
  const text = { type: "string", pattern: "^[a-z]+$" };
  const { calls, texts } = await packOf(
    { name: "plain", content: { "text/plain; charset=utf-8": { schema: text } } },
    { name: "json", content: { "application/vnd.my_shop+json": { schema: { type: "object" } } } },
    { name: "xml", content: { "application/xml": { schema: { type: "object" } } } },
    { name: "list", content: { "text/plain": { schema: { type: "array" } } } },
  );
  const { documents } = JSON.parse(texts.get("profile.json") ?? "");
  expect(documents[0].endpoint.parameters).toMatchObject([
    { name: "plain", style: "form", types: ["string"] },
    { name: "json", style: "json" },
  ]);
  expect(calls).toEqual([
    'list is never sent it: its query parameter "xml" is application/xml, and none is made',
    'list is never sent it: its query parameter "list" is text/plain, and none is made',
  ]);
  const requiredXml = packOf({ name: "xml", required: true, content: { "application/xml": { schema: {} } } });
  await expect(requiredXml).rejects.toThrow("no operation has a JSON body or parameters");
});

it("a document that contains only a request without parameters is tested by that request", async () => {
  const { texts, calls } = await packOf();
  const { documents } = JSON.parse(texts.get("profile.json") ?? "");
  expect(documents).toMatchObject([
    { name: "list.parameters", role: "entry", endpoint: { method: "GET", path: "/pets" } },
  ]);
  expect(calls).toEqual([]);
});

it("headers that frame the message are never sent as parameters, and a note reports them", async () => {
  const schema = { type: "string" };
  const { notes, texts } = await packOf(
    { in: "header", name: "Content-Length", schema: { type: "integer" }, required: true },
    { in: "header", name: "HOST", schema },
    { in: "header", name: "Accept", schema },
    { in: "header", name: "X-A", schema },
  );
  const { documents } = JSON.parse(texts.get("profile.json") ?? "");
  expect(documents[0].endpoint.parameters.map(({ name }: { name: string }) => name)).toEqual(["X-A"]);
  expect(notes).toEqual([
    'list is never sent the header parameter "Content-Length": it frames the message, so no value can be chosen for it',
    'list is never sent the header parameter "HOST": it frames the message, so no value can be chosen for it',
  ]);
});
