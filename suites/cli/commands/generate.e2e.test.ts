import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json, JsonObject, Manifest, VectorFile } from "../../../schemas/index.ts";
import { cli } from "../cli.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

interface ProcessResult {
  code: number;
  out: string;
  err: string;
}

function argsFor(name: string, schema: Json): string[] {
  const file = join(folder, `${name}.schema.json`);
  writeFileSync(file, JSON.stringify(schema));
  return ["generate", "--schema", file, "--out", join(folder, name)];
}

/** Runs the command as users do, for schemas that could block a process for ever. */
async function generateGuarded(name: string, schema: Json): Promise<ProcessResult> {
  return touchstone(...argsFor(name, schema));
}

/** Runs the command in this process, which is faster. */
async function generateUnguarded(name: string, schema: Json, ...addedArgs: string[]): Promise<ProcessResult> {
  const output = { out: "", err: "" };
  for (const [stream, key] of [
    ["stdout", "out"],
    ["stderr", "err"],
  ] as const)
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      output[key] += text;
      return true;
    });
  const code = await cli([...argsFor(name, schema), "--unguarded", ...addedArgs]);
  return { code, ...output };
}

afterEach(() => vi.restoreAllMocks());

function documentOf(name: string): Manifest["documents"][number] {
  const manifest = JSON.parse(readFileSync(join(folder, name, "vectors/MANIFEST.json"), "utf8")) as Manifest;
  return manifest.documents[0] as Manifest["documents"][number];
}

const orderSchema = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string", pattern: "ORD-[0-9]{3}" },
    state: { enum: ["open", "paid"] },
    count: { type: "integer", minimum: 1, maximum: 99 },
    note: { const: "x", minLength: 3 },
  },
  if: { properties: { state: { const: "paid" } } },
  then: { required: ["count"] },
  additionalProperties: false,
};

const manyMembers = (count: number, schema: (index: number) => Json): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema(index)]));

describe("generate", () => {
  it("makes vectors with every fault of a user's schema, and reports its oddities", async () => {
    const { code, out } = await generateGuarded("order", orderSchema);
    expect(code).toBe(0);
    const { forcing } = documentOf("order");
    expect(forcing.mutants).toBeGreaterThan(40);
    expect(forcing.twice + forcing.once + forcing.equivalent).toBe(forcing.mutants);
    const { tests } = JSON.parse(
      readFileSync(join(folder, "order/vectors/order/1/order/invalid.json"), "utf8"),
    ) as VectorFile;
    const faults = tests.map(({ fault, at }) => `${at} ${fault}`);
    expect(faults).toEqual(
      expect.arrayContaining([
        "/id missing",
        "/count above-maximum",
        "/count missing",
        "/unexpected_member unknown-member",
      ]),
    );
    expect(out).toMatch(/dead: .*#\/properties\/note no value fulfils it/);
    expect(out).toMatch(/vacuous-if: .*#\/if is also met without state/);
    expect(out).toMatch(/loose-pattern: .*#\/properties\/id\/pattern/);
  });

  it("reports members that look like misspelt keywords", async () => {
    const { out } = await generateUnguarded("slips", { type: "object", typ: "object", minLenght: 3 });
    expect(out).toMatch(
      /2 places in the schema to look at:\n {2}unknown-keyword: .*slips\.schema\.json:1:\d+ #\/typ no/,
    );
    expect(out).toContain("no keyword `minLenght` in 2020-12; did you mean `minLength`?");
  });

  it.each<[string, Json, RegExp]>([
    ["nothing", { typ: "object" }, /asserts nothing.*\n {2}did you mean "type" for "typ"\?/],
    ["no assertion on its members", { properties: { a: {} } }, /has no assertion that a message could violate/],
  ])("rejects a schema that asserts %s", async (name, schema, message) => {
    const { code, err } = await generateUnguarded(name.replaceAll(" ", "-"), schema);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  it.each<[string, JsonObject]>([
    ["draft-06", { $schema: "http://json-schema.org/draft-06/schema#", exclusiveMinimum: 3 }],
    ["a-negated-condition", { type: "object", if: { not: { required: ["a"] } }, then: { required: ["b"] } }],
    [
      "generic-names",
      { items: { $ref: "#/$defs/Map<string,List[int]>" }, $defs: { "Map<string,List[int]>": { type: "null" } } },
    ],
    ["letters-beyond-ascii", { properties: { 日本: { $ref: "#/$defs/日本" } }, $defs: { 日本: { type: "null" } } }],
    ["an-id-with-a-space", { $id: "http://x.test/a b", type: "null" }],
    ["a-vocabulary", { $vocabulary: { "https://x.test/v": true }, type: "null" }],
    ["a-format-that-few-know", { type: "string", format: "url", minLength: 1 }],
  ])("makes a violating vector for each assertion of a schema with %s", async (name, schema) => {
    expect(await generateUnguarded(name, schema)).toMatchObject({ code: 0, err: expect.not.stringContaining("error") });
    const { sites, broken } = documentOf(name);
    expect(sites).toBeGreaterThan(0);
    expect(broken).toBe(sites);
  });

  it("reports an invalid sample with its file and fault, and writes nothing", async () => {
    const sample = join(folder, "wrong-sample.json");
    writeFileSync(sample, JSON.stringify({ code: 7 }));
    const schema = { type: "object", required: ["code"], properties: { code: { type: "string" } } };
    const { code, err } = await generateUnguarded("sampled", schema, "--sample", sample);
    expect(code).toBe(2);
    expect(err).toMatch(/wrong-sample\.json: sample 1 of sampled is not valid under its schema: \/code must be string/);
    expect(existsSync(join(folder, "sampled"))).toBe(false);
  });

  it("writes the name of the pack into its profile", async () => {
    await generateUnguarded("named", { type: "null" });
    expect(JSON.parse(readFileSync(join(folder, "named", "profile.json"), "utf8"))).toMatchObject({
      protocol: "named",
    });
  });

  it("makes each definition a document if the schema has only definitions, and uses samples for them", async () => {
    const sample = join(folder, "sample.json");
    writeFileSync(sample, JSON.stringify({ code: "code-of-mine" }));
    const definitions = {
      Order: { type: "object", required: ["code"], properties: { code: { type: "string", minLength: 4 } } },
      Any: {},
      "Line<T>": { type: "array", items: { $ref: "#/definitions/Order" } },
    };
    const { code, err } = await generateUnguarded(
      "shop",
      { title: "Shop", definitions },
      "--sample",
      `order=${sample}`,
    );
    expect([code, err]).toEqual([0, expect.stringMatching(/each of its 2 definitions is a document/)]);
    const manifest = JSON.parse(readFileSync(join(folder, "shop/vectors/MANIFEST.json"), "utf8")) as Manifest;
    expect(manifest.documents.map(({ document, sites }) => [document, sites])).toEqual([
      ["order", 4],
      ["line-t", 5],
    ]);
    expect(readFileSync(join(folder, "shop/vectors/shop/1/order/invalid.json"), "utf8")).toContain("code-of-mine");
    vi.restoreAllMocks();
    const result = await generateUnguarded("shop2", { title: "Shop", definitions }, "--sample", sample);
    expect([result.code, result.err]).toEqual([2, expect.stringMatching(/does not name its document/)]);
  });

  it("makes a document of each part that a JSON pointer names, and ignores the root", async () => {
    const file = join(folder, "parts.schema.json");
    const definitions = { Order: { type: "object", required: ["code"] }, Line: { type: "array", minItems: 1 } };
    writeFileSync(file, JSON.stringify({ type: "object", definitions }));
    const parts = ["Order", "Line"].flatMap((name) => ["--schema", `${file}#/definitions/${name}`]);
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(await cli(["generate", ...parts, "--out", join(folder, "parts"), "--unguarded"])).toBe(0);
    const { documents } = JSON.parse(readFileSync(join(folder, "parts/vectors/MANIFEST.json"), "utf8")) as Manifest;
    expect(documents.map(({ sites, broken }) => [sites, broken])).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });

  it("disputes messages that depend on a keyword beside a $ref before 2019-09", async () => {
    const { code } = await generateUnguarded("beside", {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      required: ["a"],
      properties: { a: { $ref: "#/definitions/a", maxLength: 2 } },
      definitions: { a: { type: "string" } },
    });
    expect(code).toBe(0);
    const read = (fileName: string): VectorFile["tests"] =>
      (JSON.parse(readFileSync(join(folder, `beside/vectors/beside/1/beside/${fileName}.json`), "utf8")) as VectorFile)
        .tests;
    const isLong = ({ data }: { data?: Json }): boolean => [...String((data as JsonObject)?.a)].length > 2;
    expect(read("valid").filter(isLong)).toEqual([]);
    expect(read("disputed").some(isLong)).toBe(true);
  });

  it("does the least possible work with --least, and reports that the result is incomplete", async () => {
    const { code, out } = await generateUnguarded("least", orderSchema, "--least");
    expect([code, out]).toEqual([0, expect.stringMatching(/Incomplete/)]);
    expect(documentOf("least").broken).toBeGreaterThan(5);
  });

  it("rejects a schema without valid values, and writes nothing", async () => {
    const { code, err } = await generateUnguarded("never", {
      type: "object",
      required: ["a"],
      properties: { a: false },
    });
    expect(code).toBe(2);
    expect(err).toContain(`${join(folder, "never.schema.json")}: no valid instance of the schema was found`);
    expect(existsSync(join(folder, "never"))).toBe(false);
  });

  it("reads draft-04, and reports keywords that it does not have", async () => {
    const { code, err } = await generateUnguarded("old", {
      $schema: "http://json-schema.org/draft-04/schema#",
      properties: { n: { type: "number", minimum: 0, exclusiveMinimum: true }, k: { const: 1 } },
    });
    expect(code).toBe(0);
    expect(err).toMatch(/#\/properties\/k: draft-04 knows no const/);
    expect(documentOf("old").forcing.keywords).toHaveProperty("exclusiveMinimum");
    expect(documentOf("old").forcing.keywords).not.toHaveProperty("const");
  });

  it("escapes control characters of a schema in its output", async () => {
    const { out } = await generateUnguarded("painted", { properties: { "\u001b[31m": { const: "x", minLength: 3 } } });
    expect(out).toMatch(/dead: .*\\u001b\[31m/);
    vi.restoreAllMocks();
    const { err } = await generateUnguarded("misnamed", { $ref: "#/\u001b[2J" });
    expect(err).toMatch(/\\u001b\[2J/);
    expect(out + err).not.toMatch(/\u001b/);
  });

  it("rejects a folder with other content, and an invalid name", async () => {
    writeFileSync(join(folder, "kept.txt"), "mine");
    const { code, err } = await generateUnguarded("order", orderSchema, "--out", folder);
    expect([code, err]).toEqual([2, expect.stringMatching(/contains something other than a pack/)]);
    vi.restoreAllMocks();
    expect(await generateUnguarded("order", orderSchema, "--name", "../up")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/not a valid name/),
    });
  });
});

describe("generate, from a hostile schema", () => {
  it.each([
    ["^(a+)+$", {}],
    ["(x+x+)+y", { maxLength: 300 }],
    [`^${"(".repeat(20)}a${"+)".repeat(20)}$`, {}],
  ])(
    "finishes for the pattern %s, and makes no string that takes exponential time to match",
    async (pattern, keywords) => {
      const name = `explosive-${pattern.length}`;
      const schema = { type: "object", required: ["a"], properties: { a: { type: "string", pattern, ...keywords } } };
      const { code } = await generateGuarded(name, schema);
      expect(code).toBe(0);
      const { broken, sites } = documentOf(name);
      expect(broken).toBeGreaterThanOrEqual(sites - 1);
      const { tests } = JSON.parse(
        readFileSync(join(folder, `${name}/vectors/${name}/1/${name}/invalid.json`), "utf8"),
      ) as VectorFile;
      const startedAt = performance.now();
      for (const { data } of tests) new RegExp(pattern, "u").test(String((data as JsonObject)?.a));
      expect(performance.now() - startedAt).toBeLessThan(5000);
    },
  );

  it.each([
    ["many members", { properties: manyMembers(60, (minimum) => ({ type: "integer", minimum })) }],
    ["a long enumeration", { enum: Array.from({ length: 80 }, (_, index) => `member ${index}`) }],
    [
      "wide bounds",
      {
        type: "object",
        properties: { a: { type: "number", maximum: 1e308, multipleOf: 1e-300 }, b: { maxLength: 1e9 } },
      },
    ],
  ])("finishes for a schema with %s", async (name, schema) => {
    const { code, out } = await generateUnguarded(name.replaceAll(" ", "-"), schema);
    expect([code, out]).toEqual([0, expect.stringMatching(/assertions are isolated/)]);
  });

  it.each([
    ["minItems", { type: "array", minItems: 1e9 }],
    ["minLength", { type: "string", minLength: 1e7 }],
    ["minProperties", { type: "object", minProperties: 1e6 }],
    ["endless", { type: "object", required: ["a"], properties: { a: { $ref: "#" } } }],
    ["circle", { $ref: "#" }],
  ])("rejects a schema without reachable valid values, and reports why: %s", async (name, schema) => {
    const { code, err } = await generateUnguarded(name.toLowerCase(), schema);
    expect([code, err]).toEqual([2, expect.stringMatching(/no valid instance|leads back to itself/)]);
  });

  it("rejects a schema that takes exponential time to evaluate", async () => {
    const $defs: JsonObject = { a30: { type: "integer" } };
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/a${level + 1}` };
      $defs[`a${level}`] = { allOf: [next, next] };
    }
    const { code, err } = await generateUnguarded("doubled", { $ref: "#/$defs/a0", $defs });
    expect([code, err]).toEqual([2, expect.stringMatching(/more than any validator can finish/)]);
  });

  it("writes the finished part at the deadline, and reports that the result is incomplete", async () => {
    const part = { type: "object", properties: manyMembers(8, (minLength) => ({ type: "string", minLength })) };
    // The deadline passes at the sixtieth reading of the clock, before the last part. So the finished parts do not depend on the machine.
    let clockReads = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (++clockReads < 60 ? 0 : 80_000));
    const schema = { type: "object", properties: manyMembers(12, () => part) };
    const { code, out } = await generateUnguarded("late", schema, "--deadline", "100");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/Incomplete: stopped after \d+ s \(--deadline\) before all assertions were worked on\./),
    ]);
    const { unbroken, broken, forcing } = documentOf("late");
    expect(broken).toBeGreaterThan(10);
    expect(unbroken.filter(({ why }) => /not worked on: of \d+ places/.test(why)).length).toBeGreaterThan(10);
    expect(forcing.partial).toBeUndefined();
  });
});
