import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { packFrom } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "refused-"));
const folder = join(root, "api");
mkdirSync(folder);
writeFileSync(join(root, "outside.yaml"), "type: string");
symlinkSync(join(root, "outside.yaml"), join(folder, "linked.yaml"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let fileCount = 0;
async function packOf(text: string): Promise<unknown> {
  fileCount += 1;
  const file = join(folder, `api-${fileCount}.yaml`);
  writeFileSync(file, text);
  return packFrom(file, { out: join(folder, "pack") });
}

/** A document of one operation with a body of this schema. */
function documentWithBody(schema: string, otherSections = ""): string {
  return `openapi: 3.1.0
info: { title: One }
paths:
  /a:
    post:
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { "200": { description: ok } }
${otherSections}`;
}

const components = (text: string): string => `components: { schemas: ${text} }`;

describe("a document is refused, with its place and a hint, if it", () => {
  it.each([
    ["is a Swagger 2 document", 'swagger: "2.0"\npaths: {}', /1:10 \(#\/swagger\).*Swagger 2\.0[\s\S]*swagger2openapi/],
    ["has an unsupported version", "openapi: 4.0.0", /OpenAPI 4\.0\.0 is not supported/],
    ["is an AsyncAPI 2 document", "asyncapi: 2.6.0", /AsyncAPI 2\.6\.0 is not supported[\s\S]*AsyncAPI 3/],
    ["describes no interface", "type: object", /has neither "openapi" nor "asyncapi"/],
    ["is not an object", "- 1", /not an API description: expected an object/],
    ["is not valid YAML", "openapi: [", /api-\d+\.yaml:\d+:\d+/],
    ["has no operations", "openapi: 3.0.3\npaths: {}", /\(#\/paths\): the document has no operations/],
    ["has only a version", "openapi: 3.1.0", /has no operations/],
    ["has only webhooks", "openapi: 3.1.0\nwebhooks: { a: {} }", /has no operations; webhooks are not tested: a/],
    [
      "has only operations without JSON",
      "openapi: 3.1.0\npaths: { /a: { post: { responses: {} } } }",
      /no operation has a JSON body or parameters/,
    ],
    ["has an invalid path", "openapi: 3.1.0\npaths: { a: { get: {} } }", /"a" is not a path/],
    [
      "refers to nothing",
      documentWithBody('{ $ref: "#/components/schemas/No" }'),
      /6:\d+ \(#\/paths.*\$ref "#\/components\/schemas\/No" leads nowhere/,
    ],
    [
      "refers to the network",
      documentWithBody('{ $ref: "https://example.com/a.yaml" }'),
      /leads outside the project folder[\s\S]*nothing from the network/,
    ],
    ["refers to a missing file", documentWithBody('{ $ref: "no.yaml#/a" }'), /no\.yaml, and there is no such file/],
    [
      "refers outside the project folder",
      documentWithBody('{ $ref: "../outside.yaml" }'),
      /leads outside the project folder/,
    ],
    [
      "refers outside the project folder through a symbolic link",
      documentWithBody('{ $ref: "linked.yaml" }'),
      /leads outside the project folder/,
    ],
    [
      "has a schema that only refers to itself",
      documentWithBody('{ $ref: "#/components/schemas/A" }', components('{ A: { $ref: "#/components/schemas/A" } }')),
      /api-\d+\.yaml:\d+:\d+.*(leads back|loop|itself)/,
    ],
    [
      "has a body that only refers to itself",
      'openapi: 3.1.0\npaths: { /a: { post: { requestBody: { $ref: "#/paths/~1a/post/requestBody" } } } }',
      /leads back to itself/,
    ],
    [
      "has parameters that are not a list",
      "openapi: 3.1.0\npaths: { /a: { get: { parameters: {} } } }",
      /parameters is a list/,
    ],
    [
      "has a parameter without a name",
      "openapi: 3.1.0\npaths: { /a: { get: { parameters: [{ in: query }] } } }",
      /a parameter has a name/,
    ],
    [
      "has a parameter without a schema",
      "openapi: 3.1.0\npaths: { /a: { get: { parameters: [{ in: query, name: a }] } } }",
      /has no schema/,
    ],
    ...["/../a", "/a/./b", "/a/%2E%2e"].map((path): [string, string, RegExp] => [
      `has the path ${path}`,
      `openapi: 3.1.0\npaths: { "${path}": { get: {} } }`,
      /has a segment \. or \.\./,
    ]),
    ...['"a\\r\\nb"', '"a b"', '"a:"', '"ä"'].map((name): [string, string, RegExp] => [
      `has a header called ${name}`,
      `openapi: 3.1.0\npaths: { /a: { get: { parameters: [{ in: header, name: ${name}, schema: {} }] } } }`,
      /no header can have this name/,
    ]),
    [
      "has a parameter with too long a name",
      `openapi: 3.1.0\npaths: { /a: { get: { parameters: [{ in: query, name: ${"n".repeat(501)}, schema: {} }] } } }`,
      /the name has 501 characters/,
    ],
    ["has a text instead of a schema", documentWithBody("text"), /expected a schema, which is an object here/],
    ["is nested too deeply", `openapi: ${"[".repeat(600)}`, /nested more than 500 levels/],
  ])("%s", async (_, text, message) => {
    await expect(packOf(text)).rejects.toThrow(message);
    await expect(packOf(text)).rejects.toMatchObject({ kind: "usage" });
  });

  it("is too large", async () => {
    await expect(packOf(`# ${"x".repeat(25 * 1024 * 1024)}`)).rejects.toThrow(/larger than \d+ bytes/);
  });

  it("has too many operations", async () => {
    const paths = Array.from({ length: 2001 }, (_, index) => `  /p${index}: { get: {} }`).join("\n");
    await expect(packOf(`openapi: 3.1.0\npaths:\n${paths}`)).rejects.toThrow(/more than 2000 operations/);
  });
});

it("accepts schemas that refer to themselves within an instance", async () => {
  const text = documentWithBody(
    '{ $ref: "#/components/schemas/Tree" }',
    components(
      '{ Tree: { type: object, properties: { below: { type: array, items: { $ref: "#/components/schemas/Tree" } } } } }',
    ),
  );
  await expect(packOf(text)).resolves.toMatchObject({
    notes: [expect.stringMatching(/^whether bodies of other media types .* is not tested: post-a$/)],
  });
});

it("operations with names that differ only in a hyphen have separate rules", async () => {
  const operation = (id: string): string => `
      operationId: ${id}
      requestBody: { content: { application/json: { schema: { type: string } } } }
      responses: { "200": { description: ok, content: { application/json: { schema: { type: string } } } } }`;
  const text = `openapi: 3.1.0\ninfo: { title: Two }\npaths:\n  /a:\n    post:${operation("a1")}\n    put:${operation("a-1")}\n`;
  const { texts } = (await packOf(text)) as { texts: Map<string, string> };
  const rules = JSON.parse(texts.get("rules.json") ?? "").rules as { id: string }[];
  const ids = ["A1-ANSWER-001", "A1-STATUS-001", "A1-ANSWER-002", "A1-STATUS-002"];
  expect(rules.map(({ id }) => id)).toEqual(ids);
  const { documents } = JSON.parse(texts.get("profile.json") ?? "");
  const endpointRules = documents.flatMap(
    (document: { endpoint?: { described: { rule: string } } }) => document.endpoint?.described.rule ?? [],
  );
  expect(endpointRules).toEqual(["A1-ANSWER-001", "A1-ANSWER-002"]);
});

describe("an unreadable part affects only its own operation:", () => {
  const readableOperation =
    "{ operationId: right, parameters: [{ name: n, in: query, schema: { type: integer } }], responses: {} }";
  const packWithReadable = async (
    paths: string,
    otherSections = "",
  ): Promise<{ documents: { name: string }[]; calls: string[] }> => {
    const text = `openapi: 3.1.0\ninfo: { title: Two }\npaths:\n  /right: { get: ${readableOperation} }\n${paths}\n${otherSections}`;
    return (await packOf(text)) as { documents: { name: string }[]; calls: string[] };
  };
  const operationAnswering = (answer: string): string =>
    `  /b: { get: { operationId: b, parameters: [{ name: n, in: query, schema: {} }], responses: ${answer} } }`;

  it.each([
    ["a path with a query", "  /b?x=1: { get: {} }", /\/b\?x=1, .*is not a path/],
    ["a path with a fragment", "  '/b#x': { get: {} }", /\/b#x, .*is not a path/],
    [
      "a parameter without a schema",
      "  /b: { get: { operationId: b, parameters: [{ name: n, in: query }] } }",
      /b, .*no schema/,
    ],
    [
      "a parameter without a name",
      "  /b: { get: { operationId: b, parameters: [{ in: query }] } }",
      /GET \/b, .*has a name/,
    ],
  ])("%s", async (_, paths, reason) => {
    const { documents, calls } = await packWithReadable(paths);
    expect(documents.map(({ name }) => name)).toEqual(["right.parameters"]);
    expect(calls).toEqual([expect.stringMatching(reason)]);
  });

  it.each([
    [
      "a reference to a missing file",
      operationAnswering('{ default: { $ref: "no.yaml" } }'),
      /answers of b .*, since this cannot be read: .*no such file/,
    ],
    [
      "a reference outside the project folder",
      operationAnswering('{ default: { $ref: "../no.yaml" } }'),
      /answers of b .*, since this cannot be read: .*outside the project folder/,
    ],
    [
      "a reference of a member called default",
      operationAnswering(
        '{ 200: { content: { application/json: { schema: { properties: { default: { $ref: "no.yaml" } } } } } } }',
      ),
      /answers of b .*, since this cannot be read: .*no such file/,
    ],
    [
      "a reference to a part of a file",
      operationAnswering('{ default: { $ref: "api-1.yaml/x" } }'),
      /answers of b .*, since this cannot be read: .*(no such file|cannot be read)/,
    ],
    [
      "a schema that only refers to itself",
      `${operationAnswering('{ 200: { content: { application/json: { schema: { $ref: "#/x" } } } } }')}\nx: { $ref: "#/x" }`,
      /answers of b .*, since this cannot be read: .*/,
    ],
  ])("in an answer, only its checks: %s", async (_, paths, reason) => {
    const { documents, calls } = await packWithReadable(paths);
    expect(documents.map(({ name }) => name)).toEqual(["right.parameters", "b.parameters"]);
    expect(calls).toEqual([expect.stringMatching(reason)]);
  });

  it.each([
    ["an extension", "", 'x-docs: { $ref: "https://example.com/theme.yaml" }'],
    ["an example", "", 'components: { examples: { e: { value: { $ref: "https://example.com/1" } } } }'],
    [
      "an enum",
      operationAnswering('{ 200: { content: { application/json: { schema: { enum: [{ $ref: "../x" }] } } } } }'),
      "",
    ],
  ])("a reference in %s is data, and affects nothing", async (_, paths, otherSections) => {
    const { calls } = await packWithReadable(paths, otherSections);
    expect(calls).toEqual([]);
  });
});

it("follows a reference to an $anchor, to an $id, and one from a member called default", async () => {
  writeFileSync(join(folder, "setting.yaml"), "type: string");
  const schema = `{ properties: { default: { $ref: setting.yaml }, a: { $ref: "#here" }, b: { $ref: "urn:b#/properties/c" } } }`;
  const schemas = '{ A: { $anchor: here, type: integer }, B: { $id: "urn:b", properties: { c: { type: boolean } } } }';
  const { texts } = (await packOf(documentWithBody(schema, components(schemas)))) as { texts: Map<string, string> };
  const bodySchema = JSON.parse([...texts].find(([path]) => path.endsWith("post-a.schema.json"))?.[1] ?? "{}");
  expect(Object.values(bodySchema.$defs)).toEqual([{ type: "string" }, { type: "integer" }, { type: "boolean" }]);
});
