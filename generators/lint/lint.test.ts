import { describe, expect, it } from "vitest";
import { besideRef, type JsonObject, protocolsNamed } from "../../schemas/index.ts";
import { compileModel, identifier } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { lint } from "./lint.ts";

const reportedNames = async (schemas: readonly JsonObject[], entry: string): Promise<string[]> => {
  const findings = lint(await compileModel(schemas, entry), schemas, { known: { unbroken: [] }, isLate: () => true });
  return findings.filter(({ kind }) => kind === "unknown-keyword").map(({ at, why }) => `${at} ${why}`);
};
const reportedNamesIn = (schema: JsonObject): Promise<string[]> => reportedNames([document(schema)], id);

describe("names that are nearly keywords", () => {
  it("are reported in order, in every subschema", async () => {
    expect(
      await reportedNamesIn({
        typ: "object",
        properties: { a: { minLenght: 3 } },
        allOf: [{ requried: [] }],
        $defs: { b: { typ: 1 } },
      }),
    ).toEqual([
      `${id}#/typ no keyword \`typ\` in 2020-12; did you mean \`type\`?`,
      `${id}#/properties/a/minLenght no keyword \`minLenght\` in 2020-12; did you mean \`minLength\`?`,
      `${id}#/allOf/0/requried no keyword \`requried\` in 2020-12; did you mean \`required\`?`,
      `${id}#/$defs/b/typ no keyword \`typ\` in 2020-12; did you mean \`type\`?`,
    ]);
  });

  it.each<[string, JsonObject]>([
    ["members and definitions", { properties: { typ: true }, $defs: { itens: {} }, dependentSchemas: { typ: {} } }],
    ["data", { enum: [{ typ: 1 }], const: { typ: 1 }, default: { typ: 1 }, examples: [{ typ: 1 }] }],
    ["annotations", { nullable: true, "x-typ": 1, $typ: 1, units: "m" }],
    ["targets of references", { properties: { a: { $ref: "#/types/a" } }, types: { a: { type: "string" } } }],
  ])("are not reported in %s", async (_, schema) => {
    expect(await reportedNamesIn(schema)).toEqual([]);
  });

  it.each(protocolsNamed("all"))("do not occur in the schemas of $name $version", async ({ schemas }) => {
    const [first] = schemas as [JsonObject];
    expect(await reportedNames(schemas, identifier(first))).toEqual([]);
  });
});

describe("a format", () => {
  const foreignFormats = async (draft: string, ...formats: string[]): Promise<string[]> => {
    const $schema = `http://json-schema.org/${draft}/schema#`;
    const allOf = formats.map((format) => ({ format }));
    const schemas = [{ $id: id, $schema, allOf }];
    const findings = lint(await compileModel(schemas, id), schemas);
    return findings.flatMap(({ kind, at, why }) =>
      kind === "foreign-format" ? [`${at.slice(id.length)} ${why}`] : [],
    );
  };
  const foreignReason = (draft: string, format: string, addedIn: string): string =>
    `no format \`${format}\` in ${draft}, only since ${addedIn}: some validators ignore it, others assert it all the same`;

  it("is reported if only a later draft than the schema's has it", async () => {
    expect(await foreignFormats("draft-07", "uuid", "date", "duration", "url", "date-time")).toEqual([
      `#/allOf/0/format ${foreignReason("draft-07", "uuid", "2019-09")}`,
      `#/allOf/2/format ${foreignReason("draft-07", "duration", "2019-09")}`,
    ]);
    expect(await foreignFormats("draft-06", "regex", "uri-template")).toEqual([
      `#/allOf/0/format ${foreignReason("draft-06", "regex", "draft-07")}`,
    ]);
  });

  it("is not reported in a draft that has it, or if no draft is named", async () => {
    expect(await locationsOf({ format: "uuid" }, "foreign-format")).toEqual([]);
    const schemas = [{ $id: id, format: "uuid" }];
    const findings = lint(await compileModel(schemas, id), schemas);
    expect(findings.filter(({ kind }) => kind === "foreign-format")).toEqual([]);
  });
});

const locationsOf = async (schema: JsonObject, kind: string): Promise<string[]> => {
  const findings = lint(await compileModel([document(schema)], id), [document(schema)]);
  return findings.filter((finding) => finding.kind === kind).map(({ at }) => at.slice(id.length));
};

const conditionalSchema = (condition: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { kind: { enum: ["a", "b"] }, size: { type: "integer" } },
  if: condition,
  then: { required: ["size"] },
  ...more,
});

describe("a condition on members that it does not require", () => {
  const condition = { properties: { kind: { const: "a" } } };

  it("is reported if a valid instance without them meets it, with that instance", async () => {
    const schema = conditionalSchema(condition);
    const model = await compileModel([document(schema)], id);
    const [finding] = lint(model, [document(schema)]).filter(({ kind }) => kind === "vacuous-if");
    expect(finding).toMatchObject({
      at: `${id}#/if`,
      example: expect.not.objectContaining({ kind: expect.anything() }),
    });
  });

  it.each<[string, JsonObject]>([
    ["the schema around it requires them", conditionalSchema(condition, { required: ["kind"] })],
    ["another part requires them", conditionalSchema(condition, { allOf: [{ required: ["kind"] }] })],
    ["it requires them itself", conditionalSchema({ ...condition, required: ["kind"] })],
    ["it has no consequence", { ...conditionalSchema(condition), then: undefined } as unknown as JsonObject],
  ])("is not reported if %s", async (_, schema) => {
    const withoutUndefined = JSON.parse(JSON.stringify(schema)) as JsonObject;
    expect(await locationsOf(withoutUndefined, "vacuous-if")).toEqual([]);
  });
});

describe("a condition that is never met", () => {
  const kinds = async (value: string): Promise<string[]> => {
    const schemas = [document(conditionalSchema({ properties: { kind: { const: value } }, required: ["kind"] }))];
    return lint(await compileModel(schemas, id), schemas).map(({ at, kind }) => `${kind} ${at.slice(id.length)}`);
  };

  it("is reported only at the condition, without its consequences", async () => {
    expect(await kinds("c")).toEqual(["dead #/if"]);
    expect(await kinds("a")).toEqual([]);
  });
});

describe("an assertion that refuses nothing", () => {
  it.each<[string, JsonObject, string[]]>([
    ["implied beside it", { type: "string", minLength: 2, pattern: "^[a-z]{2,}$" }, ["#/minLength"]],
    ["implied by a format", { type: "string", format: "date-time", minLength: 1 }, ["#/minLength"]],
    ["a type beside a constant, which is customary", { type: "string", const: "a" }, []],
    [
      "dependencies whose only entry is a schema",
      { $schema: "http://json-schema.org/draft-07/schema#", dependencies: { card: { required: ["zip"] } } },
      [],
    ],
    [
      "dependencies of which only the names are implied",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        required: ["b"],
        dependencies: { a: ["b"], card: { required: ["zip"] } },
      },
      [],
    ],
    ["needed", { type: "string", minLength: 2, pattern: "^[a-z]+$" }, []],
    [
      "one in a condition, which decides what follows",
      conditionalSchema({ required: ["kind"], properties: { kind: { type: "string", const: "a" } } }),
      [],
    ],
  ])("is reported unless it is necessary or customary: %s", async (_, schema, sites) => {
    expect(await locationsOf(schema, "redundant")).toEqual(sites);
  });

  it("is reported only if all reported assertions can be removed together", async () => {
    const schema = {
      type: "object",
      required: ["data", "a", "b"],
      properties: { data: { type: "object" }, a: { type: "string", minLength: 2, pattern: "^..$" } },
      allOf: [{ properties: { data: { type: "object" } } }, { required: ["a", "b"] }],
    };
    expect(await locationsOf(schema, "redundant")).toEqual([
      "#/properties/a/minLength",
      "#/allOf/1/required/0",
      "#/allOf/1/required/1",
      "#/allOf/0/properties/data/type",
    ]);
    const reduced: JsonObject = {
      ...schema,
      properties: { data: { type: "object" }, a: { type: "string", pattern: "^..$" } },
    };
    expect(await locationsOf({ ...reduced, allOf: [{}] }, "redundant")).toEqual([]);
  });

  it.each<[string, JsonObject, string, string]>([
    [
      "one other implies it",
      { type: "string", maxLength: 9, minLength: 2, pattern: "^[a-z]{2,}$" },
      "#/minLength",
      "whatever it refuses, #/pattern refuses too",
    ],
    [
      "two others imply it together",
      { allOf: [{ minProperties: 2 }, { required: ["a", "b"] }], type: "object" },
      "#/allOf/0/minProperties",
      "whatever it refuses, #/allOf/1/required/0 and #/allOf/1/required/1 refuse too",
    ],
    [
      "each of two others implies it alone",
      { type: "string", minLength: 1, allOf: [{ pattern: "^a.*b$" }, { pattern: "c" }] },
      "#/minLength",
      "without it the same is refused",
    ],
  ])("is reported with the assertions that also refuse if %s", async (_, schema, at, what) => {
    const findings = lint(await compileModel([document(schema)], id), [document(schema)]);
    const finding = findings.find((lintFinding) => lintFinding.kind === "redundant" && lintFinding.at === `${id}${at}`);
    expect(finding?.why).toBe(`${what} (proven)`);
  });

  it.each<[string, JsonObject, string]>([
    ["any value fulfils a branch", { anyOf: [{ type: "string" }, {}] }, "#/anyOf"],
    ["it requires no length", { type: "string", minLength: 0 }, "#/minLength"],
  ])("is reported as refusing nothing if %s", async (_, schema, at) => {
    const findings = lint(await compileModel([document(schema)], id), [document(schema)]);
    expect(findings).toContainEqual({ at: `${id}${at}`, kind: "redundant", why: "refuses nothing (proven)" });
  });

  it("is not reported if the author did not write it, or did not write the assertion that implies it", async () => {
    const schema = { type: "string", minLength: 1, pattern: "^[^]+$" };
    const redundantWith = async (isWritten: (at: string) => boolean): Promise<string[]> =>
      lint(await compileModel([document(schema)], id), [document(schema)], { isWritten })
        .filter(({ kind }) => kind === "redundant")
        .map(({ at }) => at.slice(id.length));
    expect(await redundantWith((at) => !at.endsWith("/minLength"))).toEqual([]);
    expect(await redundantWith((at) => !at.endsWith("/pattern"))).toEqual([]);
    expect(await redundantWith(() => true)).toHaveLength(1);
  });
});

it("reports assertions beside a $ref that the dialect ignores, and nothing else about them", async () => {
  const schema = { $ref: "#/$defs/a", $defs: { a: { type: "string" } } };
  const findingsWith = async (more: JsonObject): Promise<string[]> => {
    const schemas = [document({ ...schema, ...more })];
    return lint(await compileModel(schemas, id), schemas).map(({ at, kind }) => `${kind} ${at.split("/").at(-1)}`);
  };
  expect(await findingsWith({ [besideRef]: { minLength: 2 } })).toEqual(["ignored-beside-ref minLength"]);
  expect(await findingsWith({})).toEqual([]);
});

describe("a schema without a valid value", () => {
  const reportOf = async (schema: JsonObject): Promise<string[]> =>
    lint(await compileModel([document(schema)], id), [document(schema)]).map(
      ({ at, kind, why }) => `${kind} ${at.slice(id.length)} ${why}`,
    );
  const closed = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };

  it("is reported with the assertions that exclude each other, along with other findings", async () => {
    const pattern = { type: "string", pattern: "b" };
    const schema = { ...closed, properties: { a: pattern }, requried: ["a"], required: ["a", "nmae"] };
    expect(await reportOf(schema)).toEqual([
      "contradiction # no instance is valid: #/additionalProperties and #/required/1 exclude each other (proven)",
      "unknown-keyword #/requried no keyword `requried` in 2020-12; did you mean `required`?",
      "loose-pattern #/properties/a/pattern is not anchored at the beginning and the end",
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ["a type as one of the assertions", { type: "string", const: 5 }, "#/type and #/const exclude each other"],
    [
      "the first of two contradictions",
      { allOf: [closed, { required: ["b", "c"] }] },
      "#/allOf/0/additionalProperties and",
    ],
    [
      "an assertion that counts branches",
      {
        properties: { k: { enum: ["a", "b"] }, x: { type: "string" } },
        required: ["k"],
        oneOf: [{ properties: { k: { const: "c" } } }, { properties: { x: { type: "integer" } }, required: ["x"] }],
        type: "object",
      },
      "#/required/0, #/oneOf, #/properties/k/enum and #/properties/x/type exclude each other",
    ],
    ["an assertion that refuses all values", { minimum: 1, not: {} }, "#/not refuses every value"],
  ])("is reported with %s", async (_, schema, what) => {
    expect((await reportOf(schema))[0]).toContain(`no instance is valid: ${what}`);
  });

  it("is reported as dead if it is a part of a schema", async () => {
    const part = { ...closed, required: ["b"] };
    expect(await reportOf({ type: "object", properties: { e: part } })).toContain(
      "dead #/properties/e no value fulfils it: #/properties/e/additionalProperties and #/properties/e/required/0 exclude each other (proven)",
    );
  });
});

describe("a proof", () => {
  it.each<[string, JsonObject, string, boolean]>([
    ["a bound beside a format", { type: "string", format: "uri", minLength: 1 }, "redundant", true],
    [
      "a format that contradicts a pattern",
      { properties: { a: { type: "string", format: "date", pattern: "^x" } } },
      "dead",
      true,
    ],
    [
      "a bound beside another, with a format",
      { type: "string", format: "uri", minLength: 3, allOf: [{ minLength: 2 }] },
      "redundant",
      false,
    ],
  ])("states whether it depends on formats: %s", async (_, schema, kind, needsFormats) => {
    const whys = lint(await compileModel([document(schema)], id), [document(schema)])
      .filter((lintFinding) => lintFinding.kind === kind)
      .map(({ why }) => why);
    expect(whys.some((why) => why.includes("(proven)"))).toBe(!needsFormats);
    expect(whys.some((why) => why.includes("(proven where formats are asserted)"))).toBe(needsFormats);
  });
});
