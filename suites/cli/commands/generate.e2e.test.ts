import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json, JsonObject, Manifest, VectorFile } from "../../../schemas/index.ts";
import { cli } from "../cli.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

interface Ended {
  code: number;
  out: string;
  err: string;
}

function wordsFor(name: string, schema: Json): string[] {
  const file = join(folder, `${name}.schema.json`);
  writeFileSync(file, JSON.stringify(schema));
  return ["generate", "--schema", file, "--out", join(folder, name)];
}

/** Runs in a separate process, as users do, since a schema may occupy a process for ever. */
async function generateApart(name: string, schema: Json): Promise<Ended> {
  return touchstone(...wordsFor(name, schema));
}

/** Runs in this process, which is faster. */
async function generate(name: string, schema: Json, ...moreArgs: string[]): Promise<Ended> {
  const output = { out: "", err: "" };
  for (const [stream, key] of [
    ["stdout", "out"],
    ["stderr", "err"],
  ] as const)
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      output[key] += text;
      return true;
    });
  const code = await cli([...wordsFor(name, schema), "--unguarded", ...moreArgs]);
  return { code, ...output };
}

afterEach(() => vi.restoreAllMocks());

function documentOf(name: string): Manifest["documents"][number] {
  const manifest = JSON.parse(readFileSync(join(folder, name, "vectors/MANIFEST.json"), "utf8")) as Manifest;
  return manifest.documents[0] as Manifest["documents"][number];
}

const order = {
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

const members = (count: number, schema: (index: number) => Json): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema(index)]));

describe("generate", () => {
  it("makes the same parts for a foreign schema as for ours, and names its oddities", async () => {
    const { code, out } = await generateApart("order", order);
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

  it("names members that look like misspelt keywords", async () => {
    const { out } = await generate("slips", { type: "object", typ: "object", minLenght: 3 });
    expect(out).toMatch(
      /2 places in the schema to look at:\n {2}unknown-keyword: .*slips\.schema\.json:1:\d+ #\/typ no/,
    );
    expect(out).toContain("no keyword `minLenght` in 2020-12; did you mean `minLength`?");
  });

  it.each<[string, Json, RegExp]>([
    ["nothing", { typ: "object" }, /asserts nothing.*\n {2}did you mean "type" for "typ"\?/],
    ["no assertion on its members", { properties: { a: {} } }, /has no assertion that a message could violate/],
  ])("refuses a schema that asserts %s", async (name, schema, why) => {
    const { code, err } = await generate(name.replaceAll(" ", "-"), schema);
    expect([code, err]).toEqual([2, expect.stringMatching(why)]);
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
  ])("reads a schema with %s, and breaks every assertion", async (name, schema) => {
    expect(await generate(name, schema)).toMatchObject({ code: 0, err: expect.not.stringContaining("error") });
    const { sites, broken } = documentOf(name);
    expect(sites).toBeGreaterThan(0);
    expect(broken).toBe(sites);
  });

  it("names file and fault of an invalid sample, and leaves no files behind", async () => {
    const sample = join(folder, "wrong-sample.json");
    writeFileSync(sample, JSON.stringify({ code: 7 }));
    const schema = { type: "object", required: ["code"], properties: { code: { type: "string" } } };
    const { code, err } = await generate("sampled", schema, "--sample", sample);
    expect(code).toBe(2);
    expect(err).toMatch(/wrong-sample\.json: sample 1 of sampled is not valid under its schema: \/code must be string/);
    expect(existsSync(join(folder, "sampled"))).toBe(false);
  });

  it("names the pack in its profile, so that its folder may have another name", async () => {
    await generate("named", { type: "null" });
    expect(JSON.parse(readFileSync(join(folder, "named", "profile.json"), "utf8"))).toMatchObject({
      protocol: "named",
    });
  });

  it("makes each definition a document if there are only definitions, with a user's sample", async () => {
    const sample = join(folder, "sample.json");
    writeFileSync(sample, JSON.stringify({ code: "code-of-mine" }));
    const definitions = {
      Order: { type: "object", required: ["code"], properties: { code: { type: "string", minLength: 4 } } },
      Any: {},
      "Line<T>": { type: "array", items: { $ref: "#/definitions/Order" } },
    };
    const { code, err } = await generate("shop", { title: "Shop", definitions }, "--sample", `order=${sample}`);
    expect([code, err]).toEqual([0, expect.stringMatching(/each of its 2 definitions is a document/)]);
    const manifest = JSON.parse(readFileSync(join(folder, "shop/vectors/MANIFEST.json"), "utf8")) as Manifest;
    expect(manifest.documents.map(({ document, sites }) => [document, sites])).toEqual([
      ["order", 4],
      ["line-t", 5],
    ]);
    expect(readFileSync(join(folder, "shop/vectors/shop/1/order/invalid.json"), "utf8")).toContain("code-of-mine");
    vi.restoreAllMocks();
    const result = await generate("shop2", { title: "Shop", definitions }, "--sample", sample);
    expect([result.code, result.err]).toEqual([2, expect.stringMatching(/does not name its document/)]);
  });

  it("accepts parts of a file by their pointers, each as a document, although the root has assertions too", async () => {
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

  it("does not make a vector that depends on a keyword beside a $ref before 2019-09", async () => {
    const { code } = await generate("beside", {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      required: ["a"],
      properties: { a: { $ref: "#/definitions/a", maxLength: 2 } },
      definitions: { a: { type: "string" } },
    });
    expect(code).toBe(0);
    const read = (kind: string): VectorFile["tests"] =>
      (JSON.parse(readFileSync(join(folder, `beside/vectors/beside/1/beside/${kind}.json`), "utf8")) as VectorFile)
        .tests;
    const isLong = ({ data }: { data?: Json }): boolean => [...String((data as JsonObject)?.a)].length > 2;
    expect(read("valid").filter(isLong)).toEqual([]);
    expect(read("disputed").some(isLong)).toBe(true);
  });

  it("does the least work with --least, and says that the result is incomplete", async () => {
    const { code, out } = await generate("least", order, "--least");
    expect([code, out]).toEqual([0, expect.stringMatching(/Incomplete/)]);
    expect(documentOf("least").broken).toBeGreaterThan(5);
  });

  it("reports that no value is valid, and writes nothing", async () => {
    const { code, err } = await generate("never", { type: "object", required: ["a"], properties: { a: false } });
    expect(code).toBe(2);
    expect(err).toContain(`${join(folder, "never.schema.json")}: no valid instance of the schema was found`);
    expect(existsSync(join(folder, "never"))).toBe(false);
  });

  it("reads draft-04, and says which keywords have no effect there", async () => {
    const { code, err } = await generate("old", {
      $schema: "http://json-schema.org/draft-04/schema#",
      properties: { n: { type: "number", minimum: 0, exclusiveMinimum: true }, k: { const: 1 } },
    });
    expect(code).toBe(0);
    expect(err).toMatch(/#\/properties\/k: draft-04 knows no const/);
    expect(documentOf("old").forcing.keywords).toHaveProperty("exclusiveMinimum");
    expect(documentOf("old").forcing.keywords).not.toHaveProperty("const");
  });

  it("shows control characters of a schema without an effect on the terminal", async () => {
    const { out } = await generate("painted", { properties: { "\u001b[31m": { const: "x", minLength: 3 } } });
    expect(out).toMatch(/dead: .*\\u001b\[31m/);
    vi.restoreAllMocks();
    const { err } = await generate("misnamed", { $ref: "#/\u001b[2J" });
    expect(err).toMatch(/\\u001b\[2J/);
    expect(out + err).not.toMatch(/\u001b/);
  });

  it("refuses a folder with other content, and an unknown name", async () => {
    writeFileSync(join(folder, "kept.txt"), "mine");
    const { code, err } = await generate("order", order, "--out", folder);
    expect([code, err]).toEqual([2, expect.stringMatching(/contains something other than a pack/)]);
    vi.restoreAllMocks();
    expect(await generate("order", order, "--name", "../up")).toMatchObject({
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
  ])("ends on the pattern %s, and matches no text for which it might never end", async (pattern, moreArgs) => {
    const name = `explosive-${pattern.length}`;
    const schema = { type: "object", required: ["a"], properties: { a: { type: "string", pattern, ...moreArgs } } };
    const { code } = await generateApart(name, schema);
    expect(code).toBe(0);
    const { broken, sites } = documentOf(name);
    expect(broken).toBeGreaterThanOrEqual(sites - 1);
    const { tests } = JSON.parse(
      readFileSync(join(folder, `${name}/vectors/${name}/1/${name}/invalid.json`), "utf8"),
    ) as VectorFile;
    const startedAt = performance.now();
    for (const { data } of tests) new RegExp(pattern, "u").test(String((data as JsonObject)?.a));
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  it.each([
    ["many members", { properties: members(60, (minimum) => ({ type: "integer", minimum })) }],
    ["a long enumeration", { enum: Array.from({ length: 80 }, (_, index) => `member ${index}`) }],
    [
      "wide bounds",
      {
        type: "object",
        properties: { a: { type: "number", maximum: 1e308, multipleOf: 1e-300 }, b: { maxLength: 1e9 } },
      },
    ],
  ])("ends on %s, with the work so far", async (name, schema) => {
    const { code, out } = await generate(name.replaceAll(" ", "-"), schema);
    expect([code, out]).toEqual([0, expect.stringMatching(/assertions are isolated/)]);
  });

  it.each([
    ["minItems", { type: "array", minItems: 1e9 }],
    ["minLength", { type: "string", minLength: 1e7 }],
    ["minProperties", { type: "object", minProperties: 1e6 }],
    ["endless", { type: "object", required: ["a"], properties: { a: { $ref: "#" } } }],
    ["circle", { $ref: "#" }],
  ])("gives the reason why it can make nothing from %s", async (name, schema) => {
    const { code, err } = await generate(name.toLowerCase(), schema);
    expect([code, err]).toEqual([2, expect.stringMatching(/no valid instance|leads back to itself/)]);
  });

  it("refuses a schema with endless evaluation", async () => {
    const $defs: JsonObject = { a30: { type: "integer" } };
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/a${level + 1}` };
      $defs[`a${level}`] = { allOf: [next, next] };
    }
    const { code, err } = await generate("doubled", { $ref: "#/$defs/a0", $defs });
    expect([code, err]).toEqual([2, expect.stringMatching(/more than any validator can finish/)]);
  });

  it("writes the finished part when the time is over, and reports that", async () => {
    const part = { type: "object", properties: members(8, (minLength) => ({ type: "string", minLength })) };
    // The time is over after this many readings of the clock, that is, before the last part; the finished parts do not depend on the machine.
    let looks = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (++looks < 60 ? 0 : 80_000));
    const schema = { type: "object", properties: members(12, () => part) };
    const { code, out } = await generate("late", schema, "--deadline", "100");
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
