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

let number = 0;
async function result(from: string, to: string, named = (file: string) => file, more: object = {}) {
  const [old, young] = [from, to].map((text) => {
    number += 1;
    const file = join(folder, `${number}.yaml`);
    writeFileSync(file, text);
    return named(file);
  }) as [string, string];
  return compareVersions(await pairsOf(old, young, []), {
    for: "clients",
    failOn: "breaking",
    milliseconds: 20_000,
    onDocument: () => {},
    note: () => {},
    ...more,
  });
}

/** Whether clients break in one direction, and in the other. */
async function both(text: string, other: string): Promise<[there: boolean, back: boolean]> {
  expect(api).toContain(text);
  const young = api.replace(text, () => other);
  const [there, back] = [await result(api, young), await result(young, api)];
  return [there.exitCode === 1, back.exitCode === 1];
}

describe("clients of an API", () => {
  it.each<[what: string, text: string, other: string, breaks: [boolean, boolean]]>([
    ["an answer of an operation without parameters", "const: ok", "const: fine", [true, true]],
    ["the status of a success", '"204"', '"200"', [true, true]],
    ["the media type of a refusal", "problem+json", "json", [true, true]],
    [
      "an answer that has no described body any more",
      ", content: { application/json: { schema: { const: ok } } }",
      "",
      [true, false],
    ],
    ["a header that every answer has", "ETag: { required: true,", "ETag: {", [true, false]],
    [
      "a text where an integer was",
      "limit, in: query, schema: { type: integer }",
      "limit, in: query, schema: { type: string }",
      [false, true],
    ],
    [
      "a short text where an integer was",
      "limit, in: query, schema: { type: integer }",
      "limit, in: query, schema: { type: string, maxLength: 3 }",
      [true, true],
    ],
    ["a list of integers", "items: { type: string }", "items: { type: integer }", [true, false]],
    ["how a list is written", "explode: false, ", "", [true, true]],
    ["another style", "explode: false,", "explode: false, style: pipeDelimited,", [true, true]],
    ["credentials where none were needed", "      security: []\n", "", [true, false]],
    ["the header that holds credentials", "name: X-Key", "name: X-Token", [true, true]],
    ["an operation", "    put:\n", "    patch:\n", [true, true]],
    ["another path", "/health:", "/status:", [true, true]],
    ["a parameter that is required", "name: limit, in: query", "name: limit, required: true, in: query", [true, false]],
    [
      "the first parameter, required",
      "      security: []\n",
      "      security: []\n      parameters: [{ name: a, in: query, required: true, schema: {} }]\n",
      [true, true],
    ],
    ["a parameter that may be sent", "name: limit, in: query", "name: most, in: query", [true, true]],
    [
      "a parameter that is new",
      "      security: []\n",
      "      security: []\n      parameters: [{ name: a, in: query, schema: { const: 1 } }]\n",
      [false, true],
    ],
    ["a body that is required", "requestBody: {", "requestBody: { required: true,", [true, false]],
    [
      "the media type of a body",
      "requestBody: { content: { application/json:",
      "requestBody: { content: { application/xml:",
      [true, true],
    ],
    [
      "a body that is a form",
      "      requestBody: { content: { application/json: { schema: { type: object } } } }\n",
      "      requestBody: { content: { multipart/form-data: { schema: { type: object, required: [a] } } } }\n",
      [true, true],
    ],
  ])("break by %s", async (_what, text, other, breaks) => expect(await both(text, other)).toEqual(breaks));

  it.each<[what: string, text: string, other: string]>([
    [
      "the name of a parameter of the path",
      "/pets/{id}:\n    parameters: [{ name: id,",
      "/pets/{pet}:\n    parameters: [{ name: pet,",
    ],
    ["the operationId", "operationId: getPet", "operationId: readPet"],
    ["capitals in the name of a header", "X-Trace", "x-trace"],
    ["the name of a scheme", "[{ key: [] }]", "[{ token: [] }]"],
    ["a header of answers that is new", "headers: { ETag", "headers: { Age: { schema: { type: integer } }, ETag"],
    [
      "a refusal by its status where all refusals are described alike",
      "        default:",
      "        4XX: { description: no, content: { application/problem+json: { schema: { type: object } } } }\n        default:",
    ],
    [
      "a refusal that was not named",
      '"204": { description: done }',
      '"204": { description: done }, "409": { description: taken }',
    ],
  ])("do not break by %s", async (_what, text, other) => {
    const renamed = text === "[{ key: [] }]" ? api.replace("{ key: { type", "{ token: { type") : api;
    expect(api).toContain(text);
    const young = renamed.replace(text, () => other);
    expect([(await result(api, young)).exitCode, (await result(young, api)).exitCode]).toEqual([0, 0]);
  });

  it("get the place of a difference, both spellings, and the parts that were not compared", async () => {
    const young = api.replace("explode: false, ", "").replace("/v1", "/v2");
    const reported = await result(api, young);
    const [own] = reported.documents.filter(({ state }) => state === "differs");
    expect(own?.name).toBe("get-pet.request");
    expect(describeDifference(own?.differences[0] as never)).toBe(
      "now refused at /query/tags: written as tags=a&tags=b (was written as tags=a,b)",
    );
    expect(own?.differences[0]).toMatchObject({ breaks: "producers", old: { line: 18 }, new: { line: 18 } });
    expect(describeConclusion(reported)).toMatch(
      /^Breaking: clients in 1 of \d+ documents\. Not compared: changed servers\.$/,
    );
  });

  it("learn that changed links and XML are not compared", async () => {
    const old = api
      .replace("description: a pet\n", "description: a pet\n          links: { self: { operationId: getPet } }\n")
      .replace("schema: { const: ok }", "schema: { type: string, const: ok, xml: { name: a } }");
    const young = old.replace("self:", "own:").replace("name: a }", "name: b }");
    expect(describeConclusion(await result(old, old))).not.toContain("Not compared");
    expect(describeConclusion(await result(old, young))).toMatch(
      / Not compared: changed xml, changed links of 200 of get-?pet\.$/i,
    );
  });

  it("see no difference in the order of members that describe XML", async () => {
    const [a, b] = ["a: { type: string, xml: { name: x } }", "b: { type: string, xml: { attribute: true } }"];
    const [old, young] = [
      [a, b],
      [b, a],
    ].map((members) => api.replace("schema: { const: ok }", `schema: { properties: { ${members.join(", ")} } }`)) as [
      string,
      string,
    ];
    expect(describeConclusion(await result(old, young))).not.toContain("Not compared");
  });

  it("learn that callbacks and webhooks are not compared", async () => {
    const more = api
      .replace("    put:\n", "    put:\n      callbacks: {}\n")
      .replace("components:", "webhooks: {}\ncomponents:");
    expect(describeConclusion(await result(more, more))).toMatch(
      /proven\)\. Not compared: callbacks of put-pets-id, webhooks\.$/,
    );
  });

  it("see one difference for a parameter that becomes required", async () => {
    const { documents } = await result(api, api.replace("name: limit, in", "name: limit, required: true, in"));
    const reported = documents.flatMap(({ differences }) => differences).filter(({ breaks }) => breaks === "producers");
    expect(reported.map(describeDifference)).toEqual(['now refused at /query: "limit" is required']);
  });

  it("see the files under the names that they gave", async () => {
    const beside = (file: string): string => relative(process.cwd(), file);
    const { old, documents } = await result(api, api.replace("const: ok", "const: fine"), beside);
    const files = documents.flatMap(({ differences }) => differences.map((difference) => difference.old?.file));
    expect(new Set(files)).toEqual(new Set([old]));
    expect(old).toMatch(/^\.\./);
  });
});

describe("differences that are not breaking by default", () => {
  const file = (each: string): string => each;
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
  ])("%s", async (breakOn, text, other, output) => {
    const young = api.replace(text, () => other);
    expect(young).not.toBe(api);
    const reported = await result(api, young, file, { for: "both" });
    expect(reported.exitCode).toBe(0);
    expect(describeConclusion(reported)).toMatch(output);
    expect(terminal.render(reported)).toContain("no break by itself: ");
    expect((await result(api, young, file, { for: "both", breakOn: [breakOn] })).exitCode).toBe(1);
    expect((await result(api, young, file, { for: "both", failOn: "any" })).exitCode).toBe(1);
    const back = await result(young, api, file, { for: "both" });
    expect(back.exitCode).toBe(breakOn === "format" ? 0 : 1);
  });

  it("do not include a required parameter", async () => {
    const young = api.replace(
      "        - { name: X-Trace",
      "        - { name: page, in: query, required: true, schema: {} }\n        - { name: X-Trace",
    );
    expect((await result(api, young, file, { for: "both" })).exitCode).toBe(1);
  });
});

it("an operation that cannot be read is left out alone", async () => {
  const bad = api.replace("schema: { const: ok }", 'schema: { $ref: "absent.yaml" }');
  for (const [old, young] of [
    [bad, bad],
    [api, bad],
    [bad, api],
  ] as const) {
    const reported = await result(old, young);
    expect(reported.exitCode).toBe(0);
    expect(describeConclusion(reported)).toMatch(
      /Not compared: GET \/health, which cannot be read \(.*absent\.yaml, and there is no such file\)/,
    );
    expect(reported.documents.map(({ name }) => name).filter((name) => /health/.test(name))).toEqual([]);
  }
  expect((await result(bad, bad.replace("name: X-Key", "name: X-Token"))).exitCode).toBe(1);
});

it.each([
  ["request", "readOnly"],
  ["answer", "writeOnly"],
])("a member of one choice that only the other side of a %s sends breaks no party", async (of, mark) => {
  const put = (more: string, must: string): string => {
    const choices = `{ oneOf: [{ required: [a${must}], properties: { a: { const: 1 }${more} } }, { required: [b] }] }`;
    const content = `content: { application/json: { schema: ${choices} } }`;
    const parts = [`requestBody: { ${content} }`, `responses: { "200": { description: ok, ${content} } }`];
    return `openapi: 3.1.0\ninfo: {}\npaths: { /a: { put: { ${of === "request" ? parts[0] : parts[1]} } } }`;
  };
  const [old, young] = [put("", ""), put(`, id: { ${mark}: true }`, ", id")];
  const reported = await result(old, young, undefined, { for: "both", failOn: "any", milliseconds: 200_000 });
  expect([reported.exitCode, reported.documents.flatMap(({ differences }) => differences)]).toEqual([0, []]);
});
