import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeVectors } from "../generate/make.ts";
import { packFrom } from "./index.ts";
import { findByAddress, projectOf } from "./server-addresses.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "located-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

mkdirSync(join(folder, "project/.git"), { recursive: true });
const address = "https://shop.test/v1/schemas/cart.json";
write("project/common/schemas.yaml", "item: { type: string, minLength: 3 }\n");
write(
  "project/schemas/cart.json",
  JSON.stringify({ $id: address, type: "object", properties: { n: { $ref: "types/n.json" } } }),
);
write("project/schemas/types/n.json", '{ "type": "integer" }');
write("project/schemas/other.json", '{ "$id": "https://shop.test/v2/schemas/other.json" }');
write("outside.yaml", "type: string\n");

async function readBody(schema: string) {
  const body = (bodySchema: string): string =>
    `requestBody: { content: { application/json: { schema: ${bodySchema} } } }, responses: {}`;
  const paths = `  /a: { post: { operationId: a, ${body(schema)} } }\n  /b: { post: { operationId: b, ${body("{}")} } }\n`;
  const file = write("project/services/api.yaml", `openapi: 3.1.0\ninfo: { title: T }\npaths:\n${paths}`);
  const { texts, calls } = await packFrom(file, { out: join(folder, "pack") });
  const { $id: _, ...schemas } = JSON.parse(texts.get("schemas/a.schema.json") ?? "{}");
  return { schemas, calls: calls.join() };
}

it("a reference may lead outside the folder of its document, within the repository", async () => {
  const { schemas, calls } = await readBody('{ $ref: "../common/schemas.yaml#/item" }');
  expect(calls).toBe("");
  expect(schemas).toMatchObject({ $defs: { item: { type: "string", minLength: 3 } } });
});

it("a reference to an address leads to the file of the repository that has it as its $id", async () => {
  const { schemas, calls } = await readBody(`{ $ref: "${address}" }`);
  expect(calls).toBe("");
  expect(schemas).toMatchObject({
    $defs: { cart: { properties: { n: { $ref: "#/$defs/n" } } }, n: { type: "integer" } },
  });
  expect((await readBody(`{ $ref: "${address}#/properties/n" }`)).calls).toBe("");
});

it.each([
  ["../../outside.yaml", "outside the repository"],
  ["https://shop.test/v1/schemas/other.json", "the place of a file with another $id"],
  ["https://shop.test/v1/schemas/none.json", "the place of no file"],
  ["file:///etc/hostname", "the address of a local file"],
])("a reference to %s, which is %s, is not followed and excludes only its operation", async (ref) => {
  expect((await readBody(`{ $ref: "${ref}" }`)).calls).toMatch(
    /nothing is sent to a, which cannot be read: .*leads outside the project folder/,
  );
});

it("a project is the repository, or else the folder of the document", () => {
  expect(projectOf(join(folder, "project/services/api.yaml"))).toBe(join(folder, "project"));
  expect(projectOf(join(folder, "outside.yaml"))).toBe(folder);
  expect(
    findByAddress("https://shop.test/../outside.yaml", join(folder, "project/a.yaml"), join(folder, "project")),
  ).toBeUndefined();
});

it("a pack has vectors of its first operation even if no time is left", async () => {
  const content = "content: { application/json: { schema: { type: object, required: [n] } } }";
  const post = (name: string): string =>
    `  /${name}: { post: { operationId: ${name}, requestBody: { ${content} }, responses: { "200": { description: ok, ${content} } } } }`;
  const paths = ["a", "b", "c"].map(post).join("\n");
  const out = join(folder, "late");
  const { texts } = await packFrom(write("none.yaml", `openapi: 3.1.0\ninfo: { title: T }\npaths:\n${paths}\n`), {
    out,
  });
  for (const [path, text] of texts) write(join("late", path), text);
  const { manifest } = await makeVectors(out, { milliseconds: -1 });
  expect(manifest.count).toBeGreaterThan(0);
});

it("operations are left out and named if there is no time to read them, except the first one", async () => {
  const post = (name: string): string =>
    `  /${name}: { post: { operationId: ${name}, requestBody: { content: { application/json: { schema: {} } } }, responses: {} } }`;
  const file = write(
    "late.yaml",
    `openapi: 3.1.0\ninfo: { title: T }\npaths:\n${[..."abcdefgh"].map(post).join("\n")}\n`,
  );
  const { calls, documents, operations } = await packFrom(file, { out: join(folder, "pack"), isOver: () => true });
  expect(documents.filter(({ isSent }) => isSent).map(({ name }) => name)).toEqual(["a"]);
  expect(calls.join()).toMatch(/7 of 8 operations are left out, .*: b, c, d, e, f, and 2 more; name some with --only/);
  expect(operations).toEqual({ chosen: 1, all: 8, late: 7 });
});
