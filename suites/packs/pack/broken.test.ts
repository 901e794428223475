import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cli } from "../../cli/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const workingDirectory = process.cwd();
let err = "";
beforeEach(() => {
  process.chdir(folder);
  err = "";
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(workingDirectory);
});
afterAll(() => rmSync(folder, { recursive: true }));

let packCount = 0;

const order = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "string", maxLength: 3 } },
  additionalProperties: false,
};
const validFiles = {
  "profile.json": { documents: [{ file: "schemas/order.schema.json", endpoint: "/orders" }] },
  "schemas/order.schema.json": order,
};

/** Makes a pack with these files in place of the valid ones; returns its path. */
function pack(files: Readonly<Record<string, unknown>>): string {
  const name = `pack-${++packCount}`;
  for (const [file, content] of Object.entries({ ...validFiles, ...files })) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(name, file)), { recursive: true });
    writeFileSync(join(name, file), typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
  return `./${name}`;
}

const rules = (text: string): Record<string, string> => ({ "index.mjs": `export const pack = { rules: ${text} };\n` });
const checker = (members: string): string => `[{ checkers: [{ rule: "ORDER-ID-001", check: () => [] }], ${members} }]`;

describe("a broken pack", () => {
  it.each<[mistake: string, files: Record<string, unknown>, messages: RegExp[]]>([
    ["a profile that is not JSON", { "profile.json": '{\n  "documents": [,]\n}' }, [/profile\.json:2:17/, /found ","/]],
    ...(
      [
        ["https://x.example/order#/properties/id/maxLenght", /lifts \/properties\/id\/maxLenght, which is not in/],
        ["https://x.example/ordr#/properties/id/maxLength", /\/ordr, which is not a schema of the pack/],
        [{ at: "https://x.example/order#/properties/none", to: 1 }, /lifts \/properties\/none, which is not in/],
        [
          { at: "https://x.example/order#/type", to: "object" },
          /gives \/type the value that it has, and lifts nothing/,
        ],
        [{ at: "https://x.example/order#/type", to: "objekt" }, /\/type cannot be "objekt" under the reading "any"/],
      ] as const
    ).map(([place, message], index): [string, Record<string, unknown>, RegExp[]] => [
      `a reading that lifts nothing (${index + 1})`,
      {
        "schemas/order.schema.json": { $id: "https://x.example/order", ...order },
        "profile.json": {
          ...validFiles["profile.json"],
          contradictions: [
            {
              about: "the length of an id",
              clause: "1",
              rules: ["ORDER-ID-001"],
              readings: [
                { name: "short", says: "it is short" },
                { name: "any", says: "any is fine", lifts: [place] },
              ],
            },
          ],
        },
      },
      [/profile\.json:\d+:\d+/, message],
    ]),
    [
      "a reading with a key that is not in any case",
      {
        "rules/order.yaml": "rules: { ORDER-ID-001: { statement: It is short. } }",
        "profile.json": {
          ...validFiles["profile.json"],
          contradictions: [
            {
              about: "the length of an id",
              clause: "1",
              rules: ["ORDER-ID-001"],
              readings: [
                { name: "short", says: "it is short", by: ["rule"] },
                { name: "any", says: "any is fine", by: ["schemas"] },
              ],
            },
          ],
        },
      },
      [/profile\.json:\d+:\d+/, /"any" is that of "schemas", which no case of ORDER-ID-001 names/, /schema/],
    ],
    [
      "an answer for a rule that the pack does not have",
      {
        "rules/order.yaml": "rules: { ORDER-ID-001: { statement: It is short. } }",
        "profile.json": {
          documents: [{ ...validFiles["profile.json"].documents[0], answer: { rule: "ORDER-ID-002", id: "/id" } }],
        },
      },
      [/profile\.json:\d+:\d+/, /the pack has no rule ORDER-ID-002/],
    ],
    [
      "a status that is both accepted and rejected",
      {
        "profile.json": {
          ...validFiles["profile.json"],
          http: { accepted: [{ status: [200, 201] }], rejected: [{ status: [400, 201] }] },
        },
      },
      [/profile\.json:\d+:\d+/, /status 201 is accepted and rejected at once/, /present, absent or equal/],
    ],
    [
      "a closed path that only one document has",
      { "profile.json": { ...validFiles["profile.json"], http: { closed: ["/orders"] } } },
      [/profile\.json:\d+:\d+/, /expected a path of several documents, got \/orders/, /leave it out/],
    ],
    [
      "a feature of a document that is not there",
      {
        "profile.json": {
          ...validFiles["profile.json"],
          http: {
            publishes: { card: "/card.json" },
            features: [{ documents: ["orders"], when: { card: { present: ["/a"] } } }],
          },
        },
      },
      [/profile\.json:\d+:\d+/, /expected a document of the pack, got orders/, /did you mean order\?|there are order/],
    ],
    [
      "a feature that depends on an unpublished document",
      {
        "profile.json": {
          ...validFiles["profile.json"],
          http: { features: [{ documents: ["order"], when: { card: { present: ["/a"] } } }] },
        },
      },
      [/profile\.json:\d+:\d+/, /http\.publishes of the profile has no document card/],
    ],
    [
      "an endpoint with a status that is both accepted and rejected",
      {
        "profile.json": {
          documents: [
            {
              file: "schemas/order.schema.json",
              endpoint: { method: "POST", path: "/a", accepted: [200], rejected: [200] },
            },
          ],
        },
      },
      [/status 200 is accepted and rejected at once/],
    ],
    [
      "an error code that is both accepted and listed for refusals",
      {
        "profile.json": {
          ...validFiles["profile.json"],
          http: {
            accepted: [{ status: [200], equal: { "/code": -32001 } }],
            reason: { code: "/code", codes: [-32602, -32001] },
          },
        },
      },
      [/the code -32001 is accepted here, and under reason\.codes it refuses/],
    ],
    [
      "an unknown member",
      { "profile.json": { document: [] } },
      [/profile\.json:\d+:\d+/, /no "documents"|did you mean/],
    ],
    [
      "an unknown member of a document",
      { "profile.json": '{ "documents": [\n  { "file": "schemas/order.schema.json", "endpont": "/x" }] }' },
      [/profile\.json:2:\d+ \(#\/documents\/0\/endpont\)/, /did you mean "endpoint"/],
    ],
    [
      "a timeout of an unknown document",
      {
        "profile.json":
          '{ "documents": [{ "file": "schemas/order.schema.json" }],\n "timeouts": [{ "documents": ["ordr"], "at": "/id", "unit": "seconds" }] }',
      },
      [/profile\.json:2:\d+ \(#\/timeouts\/0\/documents\/0\)/, /unknown document "ordr"/, /did you mean "order"/],
    ],
    [
      "a freedom in an unknown document",
      {
        "profile.json":
          '{ "documents": [{ "file": "schemas/order.schema.json" }],\n "discretion": [{ "at": "/id", "documents": ["ordr"], "rule": "ORDER-SUM-001" }] }',
      },
      [/profile\.json:2:\d+ \(#\/discretion\/0\/documents\/0\)/, /unknown document "ordr"/, /did you mean "order"/],
    ],
    [
      "a freedom that names an unknown rule",
      {
        "profile.json":
          '{ "documents": [{ "file": "schemas/order.schema.json" }],\n "discretion": [{ "at": "/id", "rule": "ORDER-CURSOR-001" }] }',
      },
      [/profile\.json:2:\d+ \(#\/discretion\/0\/rule\)/, /the pack has no rule ORDER-CURSOR-001/, /rules\/\*\.yaml/],
    ],
    [
      "a text with a comma between braces",
      {
        "rules/comma.yaml":
          "rules:\n  ORDER-A-001:\n    statement: A.\n    document: order\n    valid:\n      a: { data: {}, says: is here, and there }\n",
      },
      [/comma\.yaml:6:\d+ /, /put a text with a comma in quotes/],
    ],
    [
      "a missing file",
      { "profile.json": '{ "documents": [\n  { "file": "schemas/ordr.schema.json" }] }' },
      [/profile\.json:2:\d+ \(#\/documents\/0\/file\)/, /did you mean "schemas\/order\.schema\.json"/],
    ],
    [
      "an $id that no schema has",
      { "profile.json": { documents: [{ schema: "https://example.org/other" }] } },
      [/profile\.json:4:\d+ \(#\/documents\/0\/schema\)/, /or name its "file"/],
    ],
    [
      "two documents with one name",
      {
        "profile.json": {
          documents: [validFiles["profile.json"].documents[0], validFiles["profile.json"].documents[0]],
        },
      },
      [/profile\.json:\d+/, /there is already a document "order"/],
    ],
    [
      "a schema that is not JSON",
      { "schemas/order.schema.json": '{\n  "type": object\n}' },
      [/order\.schema\.json:2:11/, /found "object"/],
    ],
    [
      "a keyword with a value of a wrong type",
      { "schemas/order.schema.json": '{\n  "type": "objekt"\n}' },
      [/order\.schema\.json:2:\d+/, /did you mean "object"/],
    ],
    [
      "a reference to a missing file",
      { "schemas/order.schema.json": '{\n  "$ref": "lin.json"\n}', "schemas/line.json": {} },
      [
        /order\.schema\.json:2:\d+ \(#\/\$ref\)/,
        /did you mean "line\.json"/,
        /schemas: nothing is read from elsewhere/,
      ],
    ],
    [
      "a reference to a missing definition",
      { "schemas/order.schema.json": '{\n  "$defs": { "line": {} },\n  "$ref": "#/$defs/lime"\n}' },
      [/order\.schema\.json:3:\d+ \(#\/\$ref\)/, /did you mean "#\/\$defs\/line"/],
    ],
    [
      "a rule for a missing place in a schema",
      {
        "rules.json": { rules: [{ id: "ORDER-ID-001", statement: "x", sites: ["order.schema.json#/properties/ix"] }] },
      },
      [/rules\.json:\d+:\d+ \(#\/rules\/0\/sites\/0\)/, /has nothing at #\/properties\/ix/],
    ],
    [
      "a rule with a malformed id",
      { "rules.json": { rules: [{ id: "order-1", statement: "x" }] } },
      [/rules\.json:4:\d+ \(#\/rules\/0\/id\)/],
    ],
    ["code that does not parse", { "index.mjs": "export const pack = {;\n" }, [/index\.mjs/, /cannot be loaded/]],
    [
      "code that throws",
      { "index.mjs": "\nthrow new Error('out of luck');\n" },
      [/index\.mjs:2/, /out of luck/, /correct it/],
    ],
    ["code without a pack", { "index.mjs": "export const bag = {};\n" }, [/index\.mjs/, /exports no pack .*bag/]],
    ["an unknown part", { "index.mjs": "export const pack = { rulez: [] };\n" }, [/did you mean "rules"/]],
    [
      "a part that throws",
      { "index.mjs": "export const pack = {\n rules() {\n  throw new Error('late'); } };\n" },
      [/index\.mjs:3/, /late/],
    ],
    ["rules that are not a list", rules("7"), [/index\.mjs \(pack\.rules\)/, /expected a list/]],
    ["rules without checkers", rules("[{}]"), [/pack\.rules\[0\]/, /no checkers/]],
    ["a checker without an id", rules("[{ checkers: [{ check() {} }] }]"), [/checkers\[0\]\.rule/, /three digits/]],
    ["a checker without a check", rules('[{ checkers: [{ rule: "ORDER-ID-001" }] }]'), [/neither check nor read/]],
    [
      "a checker of an unknown document",
      rules('[{ checkers: [{ rule: "ORDER-ID-001", documents: ["ordr"], check() {} }] }]'),
      [/did you mean "order"/],
    ],
    [
      "cases without a checker",
      rules('[{ checkers: [], cases: [{ rule: "ORDER-ID-001", document: "order", valid: [], invalid: [] }] }]'),
      [/cases of ORDER-ID-001, and no checker/],
    ],
    [
      "a valid case that the schema refuses",
      rules(
        checker(
          'cases: [{ rule: "ORDER-ID-001", document: "order", valid: [{ name: "a", says: "b", data: 7 }], invalid: [] }]',
        ),
      ),
      [/ORDER-ID-001\/a: the schema does not accept it/, /index\.mjs \(pack\.rules\)/],
    ],
    [
      "an invalid case that breaks no rule",
      rules(
        checker(
          'cases: [{ rule: "ORDER-ID-001", document: "order", valid: [{ name: "a", says: "b", data: { id: "a" } }], invalid: [{ name: "c", says: "d", change: [{ op: "replace", path: "/id", value: "b" }] }] }]',
        ),
      ),
      [/ORDER-ID-001\/c: its rule finds nothing wrong/],
    ],
    [
      "an invalid case without a parent",
      rules(
        checker(
          'cases: [{ rule: "ORDER-ID-001", document: "order", valid: [], invalid: [{ name: "c", says: "d", change: [] }] }]',
        ),
      ),
      [/c has no parent and change/],
    ],
    [
      "a checker that throws",
      rules(
        '[{ checkers: [{ rule: "ORDER-ID-001", check: (order) => order.lines.map(() => []) }], cases: [{ rule: "ORDER-ID-001", document: "order", valid: [{ name: "a", says: "b", data: { id: "a" } }], invalid: [] }] }]',
      ),
      [/the checker of ORDER-ID-001 throws/, /checkers\[0\]/],
    ],
    [
      "a sample that is not valid",
      { "profile.json": { documents: [{ file: "schemas/order.schema.json", samples: [{ id: 7 }] }] } },
      [/sample 1 of order is not valid/],
    ],
  ])("%s is reported with its place and a remedy", async (_what, files, messages) => {
    const path = pack(files);
    expect(await cli(["generate", path, "--unguarded"]), err).toBe(2);
    for (const message of messages) expect(err).toMatch(message);
    expect(err).toMatch(/\n {2}\S/);
    expect(err).not.toMatch(/internal error/);
  });

  it("is refused until it has vectors, and again after its schema has changed", async () => {
    const path = pack({});
    expect(await cli(["run", path, "--reference", "--no-config"])).toBe(2);
    expect(err).toMatch(/pack-\d+ has no vectors yet[\s\S]*generate \.\/pack/);
    expect(await cli(["generate", path, "--unguarded"])).toBe(0);
    expect(await cli(["run", path, "--reference", "--no-config", "--quiet"])).toBe(0);
    writeFileSync(
      join(path, "schemas/order.schema.json"),
      JSON.stringify({ ...order, properties: { id: { type: "string", maxLength: 30 } } }),
    );
    err = "";
    expect(await cli(["run", path, "--reference", "--no-config"])).toBe(2);
    expect(err).toMatch(
      /vectors\/.*valid\.json: the vectors of order were generated from an older schema[\s\S]*make them again/,
    );
  });

  it("is reported as missing if its folder or profile does not exist", async () => {
    expect(await cli(["run", "./pack-0", "--reference", "--no-config"])).toBe(2);
    expect(err).toMatch(/\.\/pack-0: there is no such pack\n {2}did you mean "\.\/pack-\d+"/);
    mkdirSync("empty");
    err = "";
    expect(await cli(["run", "./empty", "--reference", "--no-config"])).toBe(2);
    expect(err).toMatch(/the folder has no profile\.json\n {2}write empty\/profile\.json: \{ "documents"/);
  });
});
