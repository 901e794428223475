import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { folderWith } from "./folder.fixture.ts";
import type { Json, JsonObject } from "./json.ts";
import { loadSchemas } from "./load.ts";
import type { LoadedSchemas } from "./loaded-schemas.ts";

const draft04 = "http://json-schema.org/draft-04/schema#";
const draft07 = "http://json-schema.org/draft-07/schema#";

const load = (schema: Json): Promise<LoadedSchemas> =>
  loadSchemas({ schema: join(folderWith({ "a.json": schema }), "a.json"), lenient: true, upgrade: true });

function verdicts({ entry, schemas }: LoadedSchemas, instances: readonly Json[]): boolean[] {
  const isNew = /2020|2019|^undefined/.test(String(schemas[0]?.$schema));
  const ajv = isNew ? new Ajv2020({ strict: false }) : new Ajv({ strict: false });
  for (const schema of schemas) ajv.addSchema(schema);
  return instances.map((instance) => ajv.validate(entry, instance) as boolean);
}

describe("a user's schema", () => {
  it.each<[string, JsonObject, Json[], Json[], RegExp | undefined]>([
    ["with an empty list of names", { $schema: draft04, required: [], type: "object" }, [{}], [1], undefined],
    ["with a repeated name", { $schema: draft07, required: ["a", "a"] }, [{ a: 1 }], [{}], undefined],
    [
      "with annotations that are null",
      { $schema: draft07, description: null, title: 1, type: "null" },
      [null],
      [1],
      undefined,
    ],
    ["with the type any", { $schema: draft04, type: "any", enum: [1] }, [1], [2], undefined],
    [
      "without $schema, of an older draft",
      { items: [{ type: "string" }], additionalItems: false },
      [["a"]],
      [[1], ["a", 1]],
      /^no \$schema|: no \$schema: read as draft-07$/,
    ],
    [
      "without $schema, with an id of draft-04",
      { id: "http://x.test/a", definitions: { b: { id: "#b", type: "string" } }, properties: { b: { $ref: "#b" } } },
      [{ b: "" }],
      [{ b: 1 }],
      /read as draft-04$/,
    ],
    [
      "of an unknown dialect",
      { $schema: "https://x.test/meta", type: "string" },
      ["a"],
      [1],
      /the dialect "https:\/\/x\.test\/meta" is not known: read as 2020-12$/,
    ],
    [
      "with an exclusive bound as in draft-04",
      { $schema: draft07, minimum: 1, exclusiveMinimum: true },
      [2],
      [1],
      /of draft-04, and read as there$/,
    ],
    [
      "with a pattern of plain JavaScript",
      { $schema: draft07, pattern: "^[\\w-.]\\-$" },
      ["--", "a-"],
      ["+-", "a"],
      /a\.json:1:\d+ \(#\/pattern\): .* is illegal with the flag u, and read without it, as \^/,
    ],
    [
      "with a name in patternProperties of plain JavaScript",
      { patternProperties: { "^x\\-": { type: "string" } } },
      [{ "x-": "" }],
      [{ "x-": 1 }],
      /illegal with the flag u/,
    ],
    [
      "with a pattern of Python",
      { pattern: "\\A[a-z]\\Z" },
      ["b"],
      ["AbZ", "bb"],
      /\\A\[a-z\]\\Z is not of ECMA-262, and read as \^\[a-z\]\$$/,
    ],
    [
      "with a pattern that has a flag",
      { pattern: "(?i)^a$" },
      ["A", "a"],
      ["b"],
      /is not of ECMA-262, and read as \^\[aA\]\$$/,
    ],
    [
      "with an invalid pattern",
      { pattern: "(?>a)", minLength: 1 },
      ["b"],
      [""],
      /is not a regular expression .*left out$/,
    ],
    [
      "with a keyword that has no effect",
      { minLength: "1", type: "string" },
      [""],
      [1],
      /"1" is not a value that "\w+" can have: it asserts nothing, and is left out$/,
    ],
    [
      "with a keyword without effect in a schema of items",
      { $schema: draft07, items: { type: "string", minLength: 2, required: true } },
      [["ab"]],
      [["a"]],
      /: true is not a value that "required" can have/,
    ],
    [
      "with a bound of the wrong type in the schema of a dependency",
      { $schema: draft07, dependencies: { a: { required: ["b"], minProperties: "2" } } },
      [{ a: 1, b: 1 }],
      [{ a: 1 }],
      /: "2" is not a value that "minProperties" can have/,
    ],
    [
      "of draft-04 with an unreadable keyword in additionalProperties",
      { $schema: draft04, additionalProperties: { type: "integer", minimum: 3, maxLength: "9" } },
      [{ a: 3 }],
      [{ a: 2 }],
      /: "9" is not a value that "maxLength" can have/,
    ],
    [
      "of an older draft with an empty enum",
      { $schema: draft07, properties: { e: { enum: [] } } },
      [{}],
      [{ e: 1 }],
      /: nothing is a member of an empty list/,
    ],
    [
      "with a property that is not a schema",
      { properties: { a: "text", b: { type: "null" } } },
      [{ a: 1 }],
      [{ b: 1 }],
      /left out$/,
    ],
    [
      "with an $id that has a fragment",
      {
        $schema: draft07,
        $id: "http://x.test/a#b",
        items: { $ref: "#c" },
        definitions: { c: { $id: "http://x.test/a#c", type: "null" } },
      },
      [[null]],
      [[1]],
      /is read without its fragment$/,
    ],
    [
      "with nullable and no type",
      { minimum: 3, nullable: true },
      [3, null],
      [2],
      /without a type says nothing, and is left out$/,
    ],
    [
      "with nullable: false beside null",
      { type: ["integer", "null"], nullable: false },
      [3, null],
      ["a"],
      /nullable.*beside the type null says nothing, and is left out$/,
    ],
    [
      "with nullable that is not a boolean",
      { type: "integer", nullable: "no" },
      [3],
      [null],
      /"no" says nothing, and is left out$/,
    ],
    ["with an $id that is not a URI", { $id: "http://[", type: "null" }, [null], [1], /is not a URI, and is left out$/],
    [
      "with a repeated $id",
      { $defs: { a: { $id: "urn:a", type: "null" }, b: { $id: "urn:a" } }, $ref: "urn:a" },
      [null],
      [1],
      /names two schemas; the first keeps it$/,
    ],
    [
      "with references that are meant from the root, despite an id in between",
      {
        $schema: draft04,
        properties: { a: { id: "/properties/a", type: "object", properties: { b: { $ref: "#/definitions/b" } } } },
        definitions: { b: { type: "null" } },
      },
      [{ a: { b: null } }],
      [{ a: { b: 1 } }],
      /has no exact target, and is read as #\/definitions\/b$/,
    ],
    [
      "that refers to a definition by its bare name",
      { $schema: draft07, items: { $ref: "Pet" }, definitions: { Pet: { type: "null" } } },
      [[null]],
      [[1]],
      /read as #\/definitions\/Pet$/,
    ],
    [
      "with references in unknown keywords",
      { $schema: draft07, type: "null", example: { $ref: "http://x.test/elsewhere" } },
      [null],
      [1],
      undefined,
    ],
    [
      "with references through a schema that has an id",
      {
        $schema: draft07,
        items: { $ref: "#/definitions/a/definitions/b" },
        definitions: { a: { $id: "http://x.test/a", definitions: { b: { type: "null" } } } },
      },
      [[null]],
      [[1]],
      undefined,
    ],
    [
      "with assertions beside a reference, which are set aside",
      { $schema: draft07, items: { $ref: "#/definitions/b", const: 1 }, definitions: { b: { type: "null" } } },
      [[null]],
      [[1]],
      /beside \$ref const counts for nothing in draft-07; validators differ/,
    ],
    ["that is its own vocabulary", { $vocabulary: { "https://x.test/v": true }, type: "null" }, [null], [1], undefined],
    [
      "with an $id that has a space",
      { $id: "http://x.test/a b", items: { $ref: "a b#/$defs/c" }, $defs: { c: { type: "null" } } },
      [[null]],
      [[1]],
      undefined,
    ],
  ])("%s is read", async (_, schema, valid, invalid, note) => {
    const loaded = await load(schema);
    expect(verdicts(loaded, [...valid, ...invalid])).toEqual([...valid.map(() => true), ...invalid.map(() => false)]);
    const notes = loaded.notes.filter((line) => !line.startsWith("draft-04 is read as"));
    if (note === undefined) expect(notes).toEqual([]);
    else expect(notes).toContainEqual(expect.stringMatching(note));
  });

  it.each(["Box<string>", "List[int]", "List`1", "日本", "a b", "{x}|^", "100%", "a%20b", "__proto__"])(
    "may call a definition %s",
    async (name) => {
      const text = `{"items":{"$ref":${JSON.stringify(`#/$defs/${name.replaceAll("%", "%25")}`)}},"$defs":{${JSON.stringify(name)}:{"type":"null"}}}`;
      const loaded = await loadSchemas({ schema: join(folderWith({ "a.json": text }), "a.json"), lenient: true });
      const { $ref } = (loaded.schemas[0] as { items: JsonObject }).items;
      expect($ref).toMatch(/^[!-~]*$/);
      expect($ref).not.toMatch(/[<>[\]`{}|^"]/);
      expect(verdicts(loaded, [[null], [1]])).toEqual([true, false]);
    },
  );

  it("loses a recursive anchor below the root of a resource", async () => {
    const loaded = await load({
      $schema: "https://json-schema.org/draft/2019-09/schema",
      $defs: { a: { $recursiveAnchor: true, type: "null" }, b: { $id: "http://x.test/b", $recursiveAnchor: true } },
    });
    expect(loaded.schemas[0]?.$defs).toEqual({
      a: { type: "null" },
      b: { $id: "http://x.test/b", $recursiveAnchor: true },
    });
    expect(loaded.notes).toEqual([expect.stringMatching(/below the root of a resource says nothing/)]);
  });

  it("loses only the unreadable entries of dependentRequired", async () => {
    const loaded = await load({ dependentRequired: { a: "b", c: ["d", "d"], e: 5, f: [1] } });
    expect(loaded.schemas[0]?.dependentRequired).toEqual({ a: ["b"], c: ["d"] });
    expect(loaded.notes).toContainEqual(
      expect.stringMatching(/\(#\/dependentRequired\): a: "b" is of draft-03, and read as the list of this one name/),
    );
    expect(loaded.misread.map(({ note }) => note)).toEqual([
      expect.stringMatching(/\(#\/dependentRequired\): e: 5 is not a list of names/),
      expect.stringMatching(/\(#\/dependentRequired\): f: \[1\] is not a list of names/),
    ]);
  });

  it.each<[string, string, string]>([
    [
      "a number too large for a double",
      '{"minimum":\n1e400}',
      "a.json:2:1 (#/minimum): the number is too large for a double",
    ],
    ["such a number as data", '{"const":[-1e999]}', "(#/const/0): the number is too large for a double"],
    ["a draft before 04", '{"$schema":"http://json-schema.org/draft-03/schema#"}', "draft-03 is not supported"],
    [
      "a name in patternProperties that is not a pattern",
      '{"patternProperties":{"(":true}}',
      "is not a regular expression",
    ],
    ["a dangling reference", '{"$ref":"#/$defs/a"}', "leads nowhere"],
  ])("is refused for %s", async (_, text, message) => {
    const loading = loadSchemas({ schema: join(folderWith({ "a.json": text }), "a.json"), lenient: true });
    await expect(loading).rejects.toThrow(expect.objectContaining({ kind: "usage" }));
    await expect(loading).rejects.toThrow(message);
  });
});
