import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { VersionComparison } from "../../authoring/compare/index.ts";
import { readAs } from "../../base/format/file-text.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

function writeSchema(name: string, schema: unknown): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, typeof schema === "string" ? schema : JSON.stringify(schema));
  return path;
}

const orderSchema = (members: object) => ({
  $id: "https://example.org/order",
  type: "object",
  required: ["item"],
  properties: { item: { type: "string", minLength: 1 }, count: { type: "integer", minimum: 1 } },
  ...members,
});
const oldSchema = writeSchema("old.schema.json", orderSchema({}));

describe("compare", () => {
  it("reports a breaking change with a message and its place, and writes reports and vectors", async () => {
    const newSchema = writeSchema(
      "new.schema.json",
      JSON.stringify(orderSchema({ required: ["item", "count"] }), null, 2),
    );
    const [report, jsonFile, out] = ["changes.md", "changes.json", "vectors"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const result = await touchstone(
      "compare",
      oldSchema,
      newSchema,
      "--report",
      "terminal",
      "--report",
      `markdown=${report}`,
      "--report",
      `json=${jsonFile}`,
      "--out",
      out,
    );
    expect(result.code).toBe(1);
    expect(result.out.split("\n")[0]).toBe("Breaking: producers in 1 of 1 document.");
    expect(result.out).toMatch(/breaks producers: now refused: "count" is required\n +message +\{"item":"[^"]+"\}/);
    expect(result.out).toMatch(/new\.schema\.json:\d+:\d+ #\/required\/1/);
    expect(readFileSync(report, "utf8")).toMatch(/^## Breaking[\s\S]*\*\*breaks producers\*\*/);
    const { documents, exitCode } = await readAs<VersionComparison>("compare", jsonFile);
    expect([exitCode, documents[0]?.state, documents[0]?.open]).toEqual([1, "differs", {}]);
    const [difference] = documents[0]?.differences ?? [];
    expect(difference).toMatchObject({ change: "refused", breaks: "producers", old: { line: 1 } });
    const { tests } = JSON.parse(readFileSync(join(out, "new/refused.json"), "utf8"));
    expect(tests).toMatchObject([{ valid: false, data: difference?.message }]);
  });

  it("reports a change to a shared definition once, with all documents that use it", async () => {
    const writeVersion = (name: string, maxLength: number): string => {
      const writeDocument = (document: string) =>
        writeSchema(`${name}/${document}.schema.json`, {
          $id: `https://example.org/${name}/${document}`,
          type: "object",
          properties: { [document]: { $ref: "shared.schema.json#/$defs/name" } },
        });
      writeSchema(`${name}/shared.schema.json`, {
        $id: `https://example.org/${name}/shared.schema.json`,
        type: "null",
        $defs: { name: { type: "string", maxLength } },
      });
      for (const document of ["letter", "parcel"]) writeDocument(document);
      return join(folder, name);
    };
    const report = join(folder, "shared.md");
    const { out } = await touchstone(
      "compare",
      writeVersion("shared-old", 9),
      writeVersion("shared-new", 8),
      "--report",
      "terminal",
      "--report",
      `markdown=${report}`,
    );
    expect(out).toMatch(/^Breaking: producers in 2 of 3 documents\./);
    expect(out.match(/breaks producers: now refused/g)).toHaveLength(1);
    expect(out).toMatch(
      /^letter: breaks producers: now refused at \/letter: maxLength 8[\s\S]*^ {2}in {7}parcel as well$/m,
    );
    const text = readFileSync(report, "utf8");
    expect(text.match(/^- \*\*breaks/gm)).toHaveLength(1);
    expect(text).toMatch(/^ {2}- in `parcel` as well$/m);
  });

  it("compares only for the side in --for, and fails according to --fail-on", async () => {
    const widerSchema = writeSchema("wider.schema.json", orderSchema({ required: [] }));
    const consumersRun = await touchstone("compare", oldSchema, widerSchema, "--for", "consumers");
    expect([consumersRun.code, consumersRun.out]).toEqual([1, expect.stringMatching(/^Breaking: consumers/)]);
    const producersRun = await touchstone("compare", oldSchema, widerSchema, "--for", "producers");
    expect([producersRun.code, producersRun.out]).toEqual([
      0,
      expect.stringMatching(/^Compatible for producers: .*proven/),
    ]);
    expect((await touchstone("compare", oldSchema, widerSchema, "--for", "producers", "--fail-on", "any")).code).toBe(
      1,
    );
    expect((await touchstone("compare", oldSchema, widerSchema, "--fail-on", "none")).code).toBe(0);
  });

  it("proves that an equivalent schema is the same", async () => {
    const { properties, ...others } = orderSchema({});
    const equivalentSchema = writeSchema("same.schema.json", {
      ...others,
      properties: { count: { $ref: "#/$defs/count" }, item: properties.item },
      $defs: { count: { type: "integer", exclusiveMinimum: 0 } },
    });
    const { code, out } = await touchstone("compare", oldSchema, equivalentSchema);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Compatible: 1 document, .* accept the same messages \(proven\)/),
    ]);
  });

  it("pairs the schemas of folders by name, and lists added and removed ones", async () => {
    writeSchema("v1/a.schema.json", { type: "string" });
    writeSchema("v1/b.schema.json", { type: "string" });
    writeSchema("v2/a.schema.json", { type: "string" });
    writeSchema("v2/c.schema.json", { type: "string" });
    const { code, out } = await touchstone("compare", join(folder, "v1"), join(folder, "v2"));
    expect(code).toBe(1);
    expect(out).toMatch(/^Breaking: producers in 1 of 3 documents, consumers in 1 of 3 documents\./);
    expect(out).toMatch(/b: removed: breaks producers\n {2}c: added: breaks consumers/);
  });

  it("compares two protocols, and two parts of a schema", async () => {
    const { code, out } = await touchstone("compare", "snap", "snap@0.1");
    expect([code, out]).toEqual([0, expect.stringMatching(/^Compatible: \d+ documents/)]);
    const parts = writeSchema("parts.json", { $defs: { a: { type: "string" }, b: { type: "string", maxLength: 3 } } });
    const partRun = await touchstone("compare", `${parts}#/$defs/a`, `${parts}#/$defs/b`, "--for", "producers");
    expect([partRun.code, partRun.out]).toEqual([1, expect.stringContaining("maxLength 3")]);
  });

  it("compares the bodies, parameters and answers of two OpenAPI documents, and leaves no files behind", async () => {
    const apiDescription = (limit: object, body: object, answer: object, path: string): string =>
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        paths: {
          [path]: {
            post: {
              operationId: "order",
              parameters: [{ name: "limit", in: "query", schema: { type: "integer", ...limit } }],
              requestBody: { required: true, content: { "application/json": { schema: orderSchema(body) } } },
              responses: {
                201: { description: "made", content: { "application/json": { schema: orderSchema(answer) } } },
              },
            },
          },
        },
      });
    const firstApi = writeSchema("api1/api.json", apiDescription({ maximum: 9 }, {}, {}, "/orders"));
    const secondApi = writeSchema(
      "api2/api.json",
      apiDescription({ maximum: 5 }, { required: [] }, { required: [] }, "/orders"),
    );
    const { code, out, err } = await touchstone("compare", firstApi, secondApi);
    expect([code, err.replace(/^took .*\n/m, "")]).toEqual([1, ""]);
    expect(out).toMatch(/^Breaking: producers in 1 of 4 documents, consumers in 2 of 4 documents\./);
    expect(out).toMatch(
      /order\.parameters: breaks producers: now refused at \/query\/limit: maximum 5 \(was maximum 9\)/,
    );
    expect(out).toMatch(/order\.response-201: breaks consumers: now accepted: was refused by "item" is required/);
    expect(out).toMatch(/new +\S*api2\/api\.json:\d+:\d+ #\/properties\/query/);
    const movedApi = await touchstone(
      "compare",
      firstApi,
      writeSchema("api3/api.json", apiDescription({ maximum: 9 }, {}, {}, "/buy")),
    );
    expect(movedApi.out).toMatch(/order: removed: breaks producers\n {2}order-2: added/);
    expect(readdirSync(join(folder, "api1"))).toEqual(["api.json"]);
  });

  it("treats a schema with a property openapi as a schema, not as an OpenAPI document", async () => {
    const metaSchema = (pattern: string): string =>
      JSON.stringify({ type: "object", properties: { openapi: { type: "string", pattern } } }, null, 2);
    const firstVersion = writeSchema("meta1.json", metaSchema("^3\\.1\\.[0-9]$"));
    const { code, out } = await touchstone(
      "compare",
      firstVersion,
      writeSchema("meta2.json", metaSchema("^3\\.[12]\\.[0-9]$")),
      "--for",
      "producers",
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/^Compatible for producers/)]);
  });

  it("reports undecided differences, and fails because of them", async () => {
    const [oldPattern, newPattern] = [
      writeSchema("u1.json", { pattern: "^(a*)b\\1$" }),
      writeSchema("u2.json", { pattern: "^(a*)b(\\1)$" }),
    ];
    const { code, out } = await touchstone("compare", oldPattern, newPattern);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^Undecided: 1 of 1 document\. Nothing is known to break\./),
    ]);
    expect(out).toMatch(/refuses more is not known: gave up on a string/);
  });

  it.each<[string, string[], RegExp]>([
    ["a missing file", [oldSchema, join(folder, "none.json")], /does not exist/],
    ["a misspelt file name", [`${oldSchema}n`, oldSchema], /did you mean ".*\/old\.schema\.json"/],
    ["an invalid schema", [oldSchema, writeSchema("bad.json", '{ "type": ')], /bad\.json:1:11: found the end/],
    ["a reference that leads nowhere", [oldSchema, writeSchema("lost.json", { $ref: "#/$defs/x" })], /leads nowhere/],
    ["an unknown protocol", [oldSchema, "nap"], /unknown protocol "nap"/],
    ["an unknown report format", [oldSchema, oldSchema, "--report", "html=x"], /unknown report format "html"/],
    [
      "two reports in one place",
      [oldSchema, oldSchema, "--report", "json", "--report", "markdown"],
      /cannot share standard output/,
    ],
  ])("exits with 2 for %s", async (_what, args, message) => {
    const { code, err } = await touchstone("compare", ...args);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
