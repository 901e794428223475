import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { namesAssertion, readPack, sourceIn } from "../../../schemas/index.ts";
import { writeTexts } from "./make.ts";
import { createSkeleton } from "./skeleton.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "touchstone-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeSchema(name: string, schema: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(schema, null, 1));
  return path;
}

const schemaWithRef = (reference: string): object => ({ type: "object", properties: { part: { $ref: reference } } });

it("schemas that are given together can refer to each other under any file name", async () => {
  const schemas = [
    writeSchema("one.schema.json", { $id: "https://x.example/whole.json", ...schemaWithRef("part.json") }),
    writeSchema("two.schema.json", { $id: "https://x.example/part.json", type: "string", minLength: 2 }),
  ];
  const { texts } = await createSkeleton({ schemas, refs: [], out: join(folder, "together") });
  expect([...texts.keys()]).toEqual(expect.arrayContaining(["schemas/one.schema.json", "schemas/two.schema.json"]));
});

it.each([
  ["JSONRPCError", "jsonrpc-error"],
  ["A2AError", "a2a-error"],
  ["SendMessageRequest", "send-message-request"],
  ["HTTPAuthSecurityScheme", "http-auth-security-scheme"],
  ["TaskIDs", "task-ids"],
  ["OAuth2Scheme", "oauth2-scheme"],
  ["order_line", "order-line"],
])("the document of %s is called %s", async (definitionName, name) => {
  const path = writeSchema("called.schema.json", { $defs: { [definitionName]: { type: "string" } } });
  const { texts } = await createSkeleton({
    schemas: [`${path}#/$defs/${definitionName}`],
    refs: [],
    out: join(folder, name),
  });
  writeTexts(join(folder, name), texts);
  expect(readPack(join(folder, name)).profile.documents.map((document) => document.name)).toEqual([name]);
});

it("each document is selected by the constant that distinguishes it, even through a reference", async () => {
  const path = writeSchema("methods.schema.json", {
    $defs: {
      base: { type: "object", properties: { version: { const: "2" } } },
      add: { allOf: [{ $ref: "#/$defs/base" }, { properties: { method: { const: "add" } } }] },
      drop: { $ref: "#/$defs/base", properties: { method: { enum: ["drop", "remove"] } } },
    },
  });
  const schemas = ["add", "drop"].map((name) => `${path}#/$defs/${name}`);
  const { texts } = await createSkeleton({ schemas, refs: [], out: join(folder, "methods") });
  const { documents } = JSON.parse(texts.get("profile.json") ?? "");
  expect(documents).toEqual([
    { file: "schemas/add.schema.json", when: { "/method": ["add"] } },
    { file: "schemas/drop.schema.json", when: { "/method": ["drop", "remove"] } },
  ]);
});

it("a note names each file of definitions, with their number", async () => {
  const schemas = [
    writeSchema("shared.schema.json", { $defs: { a: { type: "null" }, b: { type: "string" } } }),
    writeSchema("single.schema.json", { type: "integer" }),
  ];
  const { notes } = await createSkeleton({ schemas, refs: [], out: join(folder, "definitions") });
  expect(notes).toEqual([`${schemas[0]}: the root asserts nothing: each of its 2 definitions is a document`]);
});

it("an assertion of an embedded schema is named by its place in the user's file", async () => {
  const path = writeSchema("message.schema.json", {
    $id: "https://x.example/message.json",
    required: ["kind"],
    oneOf: [{ $ref: "#/$defs/request" }],
    $defs: { request: { $id: "request.json", required: ["id"] } },
  });
  const out = join(folder, "embedded");
  const { texts } = await createSkeleton({ schemas: [path], refs: [], out });
  writeTexts(out, texts);
  const site = "https://x.example/request.json#/required";
  const source = sourceIn(readPack(out), site);
  const line =
    readFileSync(path, "utf8")
      .split("\n")
      .findIndex((textLine) => textLine.includes("request.json")) + 2;
  expect(source).toMatchObject({ file: path, line });
  expect(namesAssertion(`${path}:${line}`, site, source)).toBe(true);
  expect(namesAssertion(`${path}#/$defs/request/required`, site, source)).toBe(true);
  // This is a different assertion.
  expect(namesAssertion(`${path}#/required`, site, source)).toBe(false);
});
