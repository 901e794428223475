import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cli } from "../cli.ts";

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

const shopDescription = (maximum: number): string => `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
      responses: { "201": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } }
    get:
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: ${maximum} } }]
      responses: { "200": { description: ok } }
components:
  schemas:
    Order: { type: object, required: [item], properties: { item: { type: string, maxlength: 20 } } }
`;

it("checks bodies, parameters and answers of an OpenAPI document, and reports a shared schema once", async () => {
  writeFileSync(file, shopDescription(0));
  expect(await cli(["lint", file, "--unguarded"])).toBe(1);
  const lines = out.trim().split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/openapi\.yaml:13:\d+ unknown-keyword: .*`maxLength`/),
    expect.stringMatching(
      /openapi\.yaml:9:\d+ dead: #\/paths\/~1orders\/get\/parameters\/0\/schema no value fulfils it: #\/paths\/\S+\/schema\/minimum and #\/paths\/\S+\/schema\/maximum exclude/,
    ),
    "2 places to look at.",
  ]);
});

it("mentions parameters that are never sent, but no other limits of testing over HTTP", async () => {
  const text = shopDescription(9)
    .replace("maxlength", "maxLength")
    .replace("paths:\n", "security: [{ key: [] }]\npaths:\n  /logout: { post: { responses: {} } }\n")
    .replace("{ type: integer, minimum: 1, maximum: 9 }", "{ properties: { a: { type: integer } }, type: object }");
  writeFileSync(file, `${text}  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }\n`);
  expect([await cli(["lint", file, "--unguarded"]), out]).toEqual([0, "Nothing odd was found.\n"]);
  const printedErrors = vi.mocked(process.stderr.write).mock.calls.join("\n");
  expect(printedErrors).not.toMatch(/nothing is sent|credentials/);
  expect(printedErrors).toContain('get-orders is never sent the query parameter "limit": it is an object');
});

const orderDescription = (operations: string): string => `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders/{id}:
    put:
      parameters: [{ name: id, in: path, required: true, schema: { type: string, pattern: "^ORD-[0-9]+$" } }]
      requestBody:
        content:
          application/json:
            schema: { allOf: [{ $ref: "#/components/schemas/Order" }, { properties: { item: { pattern: "^..$" } } }] }
      responses: { "200": { description: ok } }
${operations}components:
  schemas:
    Order: { type: object, properties: { item: { type: string, minLength: 2 } } }
`;
const postOperation = `    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
      responses: { "200": { description: ok } }
`;

it("reports an assertion as redundant only if no operation needs it", async () => {
  writeFileSync(file, orderDescription(""));
  expect([await cli(["lint", file, "--unguarded"]), out]).toEqual([
    1,
    expect.stringMatching(/^\S+openapi\.yaml:14:\d+ redundant: \S+\/minLength what[^\n]+\n1 place to look at\.\n$/),
  ]);
  out = "";
  writeFileSync(file, orderDescription(postOperation));
  expect([await cli(["lint", file, "--unguarded"]), out]).toEqual([0, "Nothing odd was found.\n"]);
});

it("omits ignored kinds and ignored findings, and rejects an unknown kind", async () => {
  writeFileSync(file, shopDescription(0));
  const ignoreArgs = ["--ignore", "unknown-keyword", "--ignore", "dead: #/paths/~1orders/get/parameters/0/schema"];
  expect([await cli(["lint", file, "--unguarded", ...ignoreArgs]), out]).toEqual([0, "Nothing odd was found.\n"]);
  out = "";
  expect(await cli(["lint", file, "--unguarded", "--ignore", "dead: #/paths/~1orders"])).toBe(1);
  expect(out).toContain("2 places to look at.");
  expect(await cli(["lint", file, "--unguarded", "--ignore", "ded"])).toBe(2);
});

it("finds nothing in a sound schema", async () => {
  writeFileSync(file, shopDescription(9).replace("maxlength", "maxLength"));
  expect([await cli(["lint", file, "--unguarded"]), out]).toEqual([0, "Nothing odd was found.\n"]);
});

it("continues with the other named files if one cannot be read", async () => {
  const [brokenFile, validFile] = ["broken.json", "right.json"].map((name) => join(folder, name)) as [string, string];
  writeFileSync(brokenFile, "{");
  writeFileSync(validFile, JSON.stringify({ properties: { n: { maxlength: 3 } } }));
  expect(await cli(["lint", brokenFile, validFile, "--unguarded"])).toBe(2);
  expect(out).toMatch(/right\.json:1:\d+ unknown-keyword[\s\S]*1 place to look at, and 1 file cannot be read\.\n$/);
  expect(String(vi.mocked(process.stderr.write).mock.calls)).toContain("broken.json");
});

it("checks every schema of a folder, and reports other and unreadable files", async () => {
  const schemas = join(folder, "schemas");
  const dialect = { $schema: "https://json-schema.org/draft/2020-12/schema" };
  const writeSchema = (name: string, value: unknown): void => {
    mkdirSync(dirname(join(schemas, name)), { recursive: true });
    writeFileSync(join(schemas, name), typeof value === "string" ? value : JSON.stringify(value));
  };
  writeSchema("a/order.json", { ...dialect, $id: "https://example.org/order", properties: { n: { maxlength: 3 } } });
  writeSchema("a/parts.json", {
    ...dialect,
    properties: { by: { $ref: "../b/size.json" }, to: { $ref: "https://example.org/order" } },
  });
  writeSchema("b/size.json", { ...dialect, $id: "https://example.net/size", type: "string", pattern: "^a" });
  writeSchema("package.json", { name: "x" });
  expect(await cli(["lint", schemas, "--unguarded"])).toBe(1);
  expect(out).toMatch(/a\/order\.json:1:\d+ unknown-keyword: #\/properties\/n\/maxlength/);
  expect(out).toMatch(/b\/size\.json:1:\d+ loose-pattern: #\/pattern/);
  expect(out).toMatch(/\n2 places to look at\.\n$/);
  const printedErrors = (): string => vi.mocked(process.stderr.write).mock.calls.join("\n");
  expect(printedErrors()).toMatch(/ignored, .*package\.json/);

  writeSchema("b/broken.json", '{"$schema": "https://json-schema.org/draft/2020-12/schema",');
  writeSchema("b/lost.json", { ...dialect, $ref: "nowhere.json" });
  out = "";
  expect(await cli(["lint", schemas, "--unguarded"])).toBe(2);
  expect(out).toMatch(/\n2 places to look at, and 2 files cannot be read\.\n$/);
  expect(printedErrors()).toMatch(/broken\.json:2?/);
  expect(printedErrors()).toContain("nowhere.json");
});

it("accepts --schema like other commands, and requires a schema", async () => {
  writeFileSync(file, shopDescription(9));
  await cli(["lint", file, "--unguarded"]);
  const expectedOutput = out;
  out = "";
  expect(await cli(["lint", "--schema", file, "--unguarded"])).toBe(1);
  expect(out).toBe(expectedOutput);
  expect(expectedOutput).toContain("unknown-keyword");
  expect(await cli(["lint"])).toBe(2);
  expect(vi.mocked(process.stderr.write).mock.calls.join("")).toContain("no schema is named");
});

it("reports a keyword with an invalid value as left-out", async () => {
  const schemaFile = join(folder, "slips.schema.json");
  writeFileSync(schemaFile, JSON.stringify({ type: "string", pattern: "^(a+$", minLength: "1" }));
  expect(await cli(["lint", schemaFile, "--unguarded"])).toBe(1);
  expect(out.match(/slips\.schema\.json:1:\d+ left-out: #\/(pattern|minLength) /g)).toHaveLength(2);
  expect(out).toContain("2 places to look at.");
  expect(await cli(["lint", schemaFile, "--unguarded", "--ignore", "left-out"])).toBe(0);
});

it("reports that no instance of the schema `false` is valid", async () => {
  const schemaFile = join(folder, "never.schema.json");
  writeFileSync(schemaFile, "false");
  expect(await cli(["lint", schemaFile, "--unguarded"])).toBe(1);
  expect(out).toContain("no instance is valid: it is `false`, or says the same (proven)");
});

describe("when the time is over", () => {
  const stderrText = (): string => vi.mocked(process.stderr.write).mock.calls.join("\n");
  /** Makes each reading of the clock `step` milliseconds later than the one before. */
  const speedUpClock = (step: number): void => {
    let time = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => {
      time += step;
      return time;
    });
  };
  const names = ["a", "b", "c", "d", "e"];

  it("does not read further operations of an OpenAPI document", async () => {
    const body = (name: string): string =>
      `{ type: object, required: [${name}], properties: { ${name}: { type: string, maxlength: 9 } } }`;
    const paths = names.map(
      (name) => `  /${name}:
    post:
      requestBody: { content: { application/json: { schema: ${body(name)} } } }
      responses: { "200": { description: ok } }
`,
    );
    const path = join(folder, "many.yaml");
    writeFileSync(path, `openapi: 3.1.0\ninfo: { title: Many, version: "1" }\npaths:\n${paths.join("")}`);
    expect(await cli(["lint", path, "--unguarded"])).toBe(1);
    expect(out.match(/unknown-keyword/g)).toHaveLength(names.length);
    out = "";
    speedUpClock(200);
    expect(await cli(["lint", path, "--unguarded", "--deadline", "1"])).toBe(1);
    expect((out.match(/unknown-keyword/g) ?? []).length).toBeLessThan(3);
    expect(stderrText()).toContain("stopped (--deadline) in 1 file");
  });

  it("does not check further definitions of a file, but always checks one", async () => {
    const path = join(folder, "many.schema.json");
    const properties = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, { minimum: index }]));
    const $defs = Object.fromEntries(
      names.map((name) => [name, { properties, type: "string", minLength: 2, maxLength: 1 }]),
    );
    writeFileSync(path, JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", $defs }));
    expect(await cli(["lint", `${path}#/$defs`, "--unguarded"])).toBe(1);
    expect(out.match(/contradiction/g)).toHaveLength(names.length);
    out = "";
    speedUpClock(30);
    expect(await cli(["lint", `${path}#/$defs`, "--unguarded", "--deadline", "1"])).toBe(1);
    expect(out.match(/contradiction/g)).toHaveLength(1);
  });
});

describe("the folder of a pack", () => {
  const pack = join(folder, "pack");
  const write = (name: string, content: object): void => {
    mkdirSync(dirname(join(pack, name)), { recursive: true });
    writeFileSync(join(pack, name), JSON.stringify(content));
  };

  it("without schema files gets a hint to lint its parent", async () => {
    write("profile.json", { extends: { pack: "../parent" }, documents: [] });
    expect(await cli(["lint", pack, "--unguarded"])).toBe(2);
    expect(vi.mocked(process.stderr.write).mock.calls.join("\n")).toMatch(
      /no schema in the folder.*\n\s+a pack that extends another has the schemas of its parent/,
    );
  });

  it("is linted without a list of its vectors and rules", async () => {
    write("order.schema.json", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" });
    write("vectors/MANIFEST.json", { vectors: 1 });
    expect([await cli(["lint", pack, "--unguarded"]), out]).toEqual([0, "Nothing odd was found.\n"]);
    expect(vi.mocked(process.stderr.write).mock.calls.join("\n")).not.toContain("MANIFEST");
  });
});
