import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { compareVersions, pairsOf } from "./index.ts";
import { terminal } from "./terminal.ts";
import { describeConclusion, describeDifference } from "./words.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const api = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: /v1 }]
security: [{ key: [] }]
paths:
  /health:
    get:
      operationId: health
      security: []
      responses:
        "200": { description: ok, content: { application/json: { schema: { const: ok } } } }
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getPet
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: X-Trace, in: header, schema: { type: string } }
      responses:
        "200":
          description: a pet
          headers: { ETag: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { type: object } } }
        default: { description: no, content: { application/problem+json: { schema: { type: object } } } }
    put:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { "204": { description: done } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`;

let fileCount = 0;
async function compareTexts(from: string, to: string, nameFile = (file: string) => file, otherOptions: object = {}) {
  const [old, changedApi] = [from, to].map((text) => {
    fileCount += 1;
    const file = join(folder, `${fileCount}.yaml`);
    writeFileSync(file, text);
    return nameFile(file);
  }) as [string, string];
  return compareVersions(await pairsOf(old, changedApi, []), {
    for: "clients",
    failOn: "breaking",
    milliseconds: 20_000,
    onDocument: () => {},
    note: () => {},
    ...otherOptions,
  });
}

/** Returns whether the change breaks clients, and whether undoing it does. */
async function breaksByDirection(text: string, replacement: string): Promise<[forward: boolean, backward: boolean]> {
  expect(api).toContain(text);
  const changedApi = api.replace(text, () => replacement);
  const [forward, backward] = [await compareTexts(api, changedApi), await compareTexts(changedApi, api)];
  return [forward.exitCode === 1, backward.exitCode === 1];
}

describe("clients of an API", () => {
  it.each<[what: string, text: string, other: string, breaks: [boolean, boolean]]>([
    ["an answer changes, and the operation has no parameters", "const: ok", "const: fine", [true, true]],
    ["the status of a success changes", '"204"', '"200"', [true, true]],
    ["the media type of a refusal changes", "problem+json", "json", [true, true]],
    [
      "an answer no longer has a described body",
      ", content: { application/json: { schema: { const: ok } } }",
      "",
      [true, false],
    ],
    ["a required header of an answer becomes optional", "ETag: { required: true,", "ETag: {", [true, false]],
    [
      "an integer becomes a string",
      "limit, in: query, schema: { type: integer }",
      "limit, in: query, schema: { type: string }",
      [false, true],
    ],
    [
      "an integer becomes a short string",
      "limit, in: query, schema: { type: integer }",
      "limit, in: query, schema: { type: string, maxLength: 3 }",
      [true, true],
    ],
    ["the items of a list become integers", "items: { type: string }", "items: { type: integer }", [true, false]],
    ["a list is no longer exploded", "explode: false, ", "", [true, true]],
    ["the style of a list changes", "explode: false,", "explode: false, style: pipeDelimited,", [true, true]],
    ["credentials become required", "      security: []\n", "", [true, false]],
    ["credentials move to another header", "name: X-Key", "name: X-Token", [true, true]],
    ["the method of an operation changes", "    put:\n", "    patch:\n", [true, true]],
    ["the path of an operation changes", "/health:", "/status:", [true, true]],
    ["a parameter becomes required", "name: limit, in: query", "name: limit, required: true, in: query", [true, false]],
    [
      "the first parameter is added, and is required",
      "      security: []\n",
      "      security: []\n      parameters: [{ name: a, in: query, required: true, schema: {} }]\n",
      [true, true],
    ],
    ["an optional parameter is renamed", "name: limit, in: query", "name: most, in: query", [true, true]],
    [
      "an optional parameter is added",
      "      security: []\n",
      "      security: []\n      parameters: [{ name: a, in: query, schema: { const: 1 } }]\n",
      [false, true],
    ],
    ["a body becomes required", "requestBody: {", "requestBody: { required: true,", [true, false]],
    [
      "the media type of a body changes",
      "requestBody: { content: { application/json:",
      "requestBody: { content: { application/xml:",
      [true, true],
    ],
    [
      "a body becomes a form",
      "      requestBody: { content: { application/json: { schema: { type: object } } } }\n",
      "      requestBody: { content: { multipart/form-data: { schema: { type: object, required: [a] } } } }\n",
      [true, true],
    ],
  ])("break in the expected directions if %s", async (_what, text, replacement, breaks) =>
    expect(await breaksByDirection(text, replacement)).toEqual(breaks),
  );

  it.each<[what: string, text: string, other: string]>([
    [
      "a path parameter is renamed",
      "/pets/{id}:\n    parameters: [{ name: id,",
      "/pets/{pet}:\n    parameters: [{ name: pet,",
    ],
    ["the operationId changes", "operationId: getPet", "operationId: readPet"],
    ["the name of a header is written in lower case", "X-Trace", "x-trace"],
    ["a security scheme is renamed", "[{ key: [] }]", "[{ token: [] }]"],
    [
      "an answer declares a new optional header",
      "headers: { ETag",
      "headers: { Age: { schema: { type: integer } }, ETag",
    ],
    [
      "a refusal is described by its status, as all refusals were before",
      "        default:",
      "        4XX: { description: no, content: { application/problem+json: { schema: { type: object } } } }\n        default:",
    ],
    [
      "a refusal is described for the first time",
      '"204": { description: done }',
      '"204": { description: done }, "409": { description: taken }',
    ],
  ])("do not break if %s", async (_what, text, replacement) => {
    const apiWithScheme = text === "[{ key: [] }]" ? api.replace("{ key: { type", "{ token: { type") : api;
    expect(api).toContain(text);
    const changedApi = apiWithScheme.replace(text, () => replacement);
    expect([(await compareTexts(api, changedApi)).exitCode, (await compareTexts(changedApi, api)).exitCode]).toEqual([
      0, 0,
    ]);
  });

  it("are shown the place of a difference, both spellings, and the parts that were not compared", async () => {
    const changedApi = api.replace("explode: false, ", "").replace("/v1", "/v2");
    const comparison = await compareTexts(api, changedApi);
    const [changedDocument] = comparison.documents.filter(({ state }) => state === "differs");
    expect(changedDocument?.name).toBe("get-pet.request");
    expect(describeDifference(changedDocument?.differences[0] as never)).toBe(
      "now refused at /query/tags: written as tags=a&tags=b (was written as tags=a,b)",
    );
    expect(changedDocument?.differences[0]).toMatchObject({
      breaks: "producers",
      old: { line: 18 },
      new: { line: 18 },
    });
    expect(describeConclusion(comparison)).toMatch(
      /^Breaking: clients in 1 of \d+ documents\. Not compared: changed servers\.$/,
    );
  });

  it("are warned that changed links and XML are not compared", async () => {
    const old = api
      .replace("description: a pet\n", "description: a pet\n          links: { self: { operationId: getPet } }\n")
      .replace("schema: { const: ok }", "schema: { type: string, const: ok, xml: { name: a } }");
    const changedApi = old.replace("self:", "own:").replace("name: a }", "name: b }");
    expect(describeConclusion(await compareTexts(old, old))).not.toContain("Not compared");
    expect(describeConclusion(await compareTexts(old, changedApi))).toMatch(
      / Not compared: changed xml, changed links of 200 of get-?pet\.$/i,
    );
  });

  it("are not warned if only the order of members that describe XML changes", async () => {
    const [a, b] = ["a: { type: string, xml: { name: x } }", "b: { type: string, xml: { attribute: true } }"];
    const [old, changedApi] = [
      [a, b],
      [b, a],
    ].map((members) => api.replace("schema: { const: ok }", `schema: { properties: { ${members.join(", ")} } }`)) as [
      string,
      string,
    ];
    expect(describeConclusion(await compareTexts(old, changedApi))).not.toContain("Not compared");
  });

  it("are warned that callbacks and webhooks are not compared", async () => {
    const apiWithCallbacks = api
      .replace("    put:\n", "    put:\n      callbacks: {}\n")
      .replace("components:", "webhooks: {}\ncomponents:");
    expect(describeConclusion(await compareTexts(apiWithCallbacks, apiWithCallbacks))).toMatch(
      /proven\)\. Not compared: callbacks of put-pets-id, webhooks\.$/,
    );
  });

  it("get a single difference for a parameter that becomes required", async () => {
    const { documents } = await compareTexts(api, api.replace("name: limit, in", "name: limit, required: true, in"));
    const differencesFound = documents
      .flatMap(({ differences }) => differences)
      .filter(({ breaks }) => breaks === "producers");
    expect(differencesFound.map(describeDifference)).toEqual(['now refused at /query: "limit" is required']);
  });

  it("are shown the file names that they gave", async () => {
    const relativeName = (file: string): string => relative(process.cwd(), file);
    const { old, documents } = await compareTexts(api, api.replace("const: ok", "const: fine"), relativeName);
    const files = documents.flatMap(({ differences }) => differences.map((difference) => difference.old?.file));
    expect(new Set(files)).toEqual(new Set([old]));
    expect(old).toMatch(/^\.\./);
  });
});

describe("differences that are not breaking by default", () => {
  const keepName = (fileName: string): string => fileName;
  it.each([
    [
      "added-parameter",
      "        - { name: X-Trace, in: header",
      "        - { name: page, in: query, schema: { type: integer } }\n        - { name: X-Trace, in: header",
      /an optional parameter is new in 1 \(a break with --break-on added-parameter\)/,
    ],
    [
      "format",
      "name: X-Trace, in: header, schema: { type: string }",
      "name: X-Trace, in: header, schema: { type: string, format: uuid }",
      /a format differs, which only describes in \d+ \(a break with --break-on format\)/,
    ],
  ])("%s: breaks only with --break-on or --fail-on any", async (breakOn, text, replacement, message) => {
    const changedApi = api.replace(text, () => replacement);
    expect(changedApi).not.toBe(api);
    const comparison = await compareTexts(api, changedApi, keepName, { for: "both" });
    expect(comparison.exitCode).toBe(0);
    expect(describeConclusion(comparison)).toMatch(message);
    expect(terminal.render(comparison)).toContain("no break by itself: ");
    expect((await compareTexts(api, changedApi, keepName, { for: "both", breakOn: [breakOn] })).exitCode).toBe(1);
    expect((await compareTexts(api, changedApi, keepName, { for: "both", failOn: "any" })).exitCode).toBe(1);
    const reverseComparison = await compareTexts(changedApi, api, keepName, { for: "both" });
    expect(reverseComparison.exitCode).toBe(breakOn === "format" ? 0 : 1);
  });

  it("do not include a required parameter", async () => {
    const changedApi = api.replace(
      "        - { name: X-Trace",
      "        - { name: page, in: query, required: true, schema: {} }\n        - { name: X-Trace",
    );
    expect((await compareTexts(api, changedApi, keepName, { for: "both" })).exitCode).toBe(1);
  });
});

it("leaves out only the operation that cannot be read", async () => {
  const unreadableApi = api.replace("schema: { const: ok }", 'schema: { $ref: "absent.yaml" }');
  for (const [old, changedApi] of [
    [unreadableApi, unreadableApi],
    [api, unreadableApi],
    [unreadableApi, api],
  ] as const) {
    const comparison = await compareTexts(old, changedApi);
    expect(comparison.exitCode).toBe(0);
    expect(describeConclusion(comparison)).toMatch(
      /Not compared: GET \/health, which cannot be read \(.*absent\.yaml, and there is no such file\)/,
    );
    expect(comparison.documents.map(({ name }) => name).filter((name) => /health/.test(name))).toEqual([]);
  }
  expect((await compareTexts(unreadableApi, unreadableApi.replace("name: X-Key", "name: X-Token"))).exitCode).toBe(1);
});

it.each([
  ["request", "readOnly"],
  ["answer", "writeOnly"],
])("does not report a new member that the sender of a %s never sends", async (messageKind, mark) => {
  const writeApi = (addedMember: string, addedRequired: string): string => {
    const choices = `{ oneOf: [{ required: [a${addedRequired}], properties: { a: { const: 1 }${addedMember} } }, { required: [b] }] }`;
    const content = `content: { application/json: { schema: ${choices} } }`;
    const parts = [`requestBody: { ${content} }`, `responses: { "200": { description: ok, ${content} } }`];
    return `openapi: 3.1.0\ninfo: {}\npaths: { /a: { put: { ${messageKind === "request" ? parts[0] : parts[1]} } } }`;
  };
  const [old, changedApi] = [writeApi("", ""), writeApi(`, id: { ${mark}: true }`, ", id")];
  const comparison = await compareTexts(old, changedApi, undefined, {
    for: "both",
    failOn: "any",
    milliseconds: 200_000,
  });
  expect([comparison.exitCode, comparison.documents.flatMap(({ differences }) => differences)]).toEqual([0, []]);
});
