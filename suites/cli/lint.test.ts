import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { cli } from "./cli.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const file = join(folder, "openapi.yaml");
let out = "";
beforeEach(() => {
  out = "";
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const description = (most: number): string => `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
      responses: { "201": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } }
    get:
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: ${most} } }]
      responses: { "200": { description: ok } }
components:
  schemas:
    Order: { type: object, required: [item], properties: { item: { type: string, maxlength: 20 } } }
`;

it("looks at the bodies, parameters and answers of a description, and tells of a shared schema once, where it stands", async () => {
  writeFileSync(file, description(0));
  expect(await cli(["lint", file, "--unguarded"])).toBe(1);
  const lines = out.trim().split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/openapi\.yaml:13:\d+ unknown-keyword: .*`maxLength`/),
    expect.stringMatching(/openapi\.yaml:9:\d+ dead: .*limit no value fulfils it/),
    "2 places to look at.",
  ]);
});

it("has nothing to say of one that is right", async () => {
  writeFileSync(file, description(9).replace("maxlength", "maxLength"));
  expect([await cli(["lint", file, "--unguarded"]), out]).toEqual([0, "Nothing odd was found.\n"]);
});
