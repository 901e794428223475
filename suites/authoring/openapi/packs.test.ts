import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Endpoint } from "../../../schemas/index.ts";
import { planOf } from "../generate/plan.ts";
import { matchOperations, packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "told-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let fileCount = 0;
function writeDescription(paths: string, documentMembers = ""): string {
  fileCount += 1;
  const file = join(folder, `api-${fileCount}.yaml`);
  writeFileSync(file, `openapi: 3.2.0\ninfo: { title: Told }\n${documentMembers}paths:\n${paths}`);
  return file;
}

async function packOf(file: string, only?: string[]) {
  const pack = await packFrom(file, { out: join(folder, "pack"), ...(only && { only }) });
  const { documents } = JSON.parse(pack.texts.get("profile.json") ?? "") as {
    documents: { name: string; endpoint?: Endpoint }[];
  };
  return { ...pack, endpoints: new Map(documents.map(({ name, endpoint }) => [name, endpoint])) };
}

const getOperation = (name: string, parameters: string, responses = "{}", operationMembers = "") =>
  `get: { operationId: ${name}, parameters: [${parameters}], responses: ${responses}${operationMembers} }`;
const numberParameter = "{ name: n, in: query, schema: { type: integer } }";

it("an invented value of a parameter is read in the same way by all servers", async () => {
  const parameters = (schema: string) =>
    `{ name: mode, in: query, required: true, schema: ${schema} }, { name: ids, in: query, required: true, schema: { type: [array, string], items: { type: string, minLength: 2 } } }`;
  const givenValues = async (schema: string) => {
    const body = "requestBody: { content: { application/json: { schema: { type: object } } } }";
    const paths = `  /a: { post: { operationId: a, parameters: [${parameters(schema)}], ${body}, responses: {} } }`;
    const { endpoints } = await packOf(writeDescription(paths));
    return endpoints.get("a")?.given?.parameters?.query as { mode: unknown; ids: string[] };
  };
  const { mode, ids } = await givenValues("{ type: [boolean, string], minLength: 5 }");
  expect(mode).toMatch(/.{5}/);
  expect(ids.length).toBeGreaterThan(1);
  expect((await givenValues("{ type: [integer, string], minLength: 3 }")).mode).toMatch(/.{3}/);
  expect((await givenValues("{ type: [boolean, string], example: true }")).mode).toBe(true);
});

describe("a key that is repeated with another body", () => {
  const reuseIn = async (key: string, responses: string) => {
    const paths = `  /a: { post: { operationId: pay, parameters: [${key}], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: ${responses} } }`;
    const { endpoints, calls } = await packOf(writeDescription(paths));
    return { reuse: endpoints.get("pay")?.described?.reuse, notes: calls.join() };
  };
  const header = "{ name: Idempotency-Key, in: header, schema: { type: string } }";

  it.each([
    ["the key was used for another request", ["409"]],
    ["Idempotency-Key reused with different parameters.", ["409"]],
    ["The request body does not match the one first sent with this idempotency key", ["409"]],
  ])("is refused by a status with this description: %s", async (description, statuses) => {
    const { reuse, notes } = await reuseIn(
      header,
      `{ "201": { description: made }, "409": { description: "${description}" } }`,
    );
    expect(reuse).toEqual({ rule: "PAY-REUSE-001", header: "idempotency-key", statuses });
    expect(notes).toBe("");
  });

  it("is refused by a status that the parameter names", async () => {
    const key =
      '{ name: Idempotency-Key, in: header, description: "Reuse with another body gives 422.", schema: { type: string } }';
    const { reuse } = await reuseIn(key, '{ "409": { description: Conflict }, "422": { description: Unprocessable } }');
    expect(reuse?.statuses).toEqual(["422"]);
  });

  it.each([
    [header, "409", "Conflict", "the document does not say that 409 has this meaning"],
    [header, "409", "a request with this key is in progress", "the document does not say"],
    [
      "{ name: idempotencyKey, in: query, schema: { type: string } }",
      "409",
      "this key was used with another body",
      "it is not a header",
    ],
  ])(
    "is reported as untested if the description does not say how, or if it is not a header",
    async (key, status, description, reason) => {
      const { reuse, notes } = await reuseIn(key, `{ "${status}": { description: ${description} } }`);
      expect(reuse).toBeUndefined();
      expect(notes).toContain(`whether pay refuses the key`);
      expect(notes).toContain(reason);
    },
  );

  it("is reported as untested if the key is a member of the body", async () => {
    const schema = "{ type: object, properties: { idempotency_key: { type: string } } }";
    const pathsWith = (status: string) =>
      `  /a: { post: { operationId: pay, requestBody: { content: { application/json: { schema: ${schema} } } }, responses: { "${status}": { description: no } } } }`;
    expect((await packOf(writeDescription(pathsWith("409")))).calls.join()).toMatch(
      /"idempotency_key" with another body \(409\) is not/,
    );
    expect((await packOf(writeDescription(pathsWith("400")))).calls).toEqual([]);
  });

  it("is not mentioned if no answer refuses in this way", async () => {
    expect(await reuseIn(header, '{ "400": { description: not valid } }')).toEqual({ reuse: undefined, notes: "" });
  });
});

describe("a parameter is the key of a request", () => {
  it.each([
    ["by its name", "{ name: Idempotency-Key, in: header, schema: { type: string } }", ""],
    ["by its name in another form", "{ name: idempotencyKey, in: query, schema: { type: string } }", ""],
    [
      "by its description",
      '{ name: PayPal-Request-Id, in: header, description: "The server stores keys for 6 hours (idempotency key).", schema: { type: string } }',
      "",
    ],
    [
      "by a description of its uniqueness",
      '{ name: X-Request-ID, in: header, description: "ID of the request, unique to the call, as determined by the initiating party.", schema: { type: string } }',
      "",
    ],
    ["by its extension", "{ name: X-Nonce, in: header, x-idempotency-key: true, schema: { type: string } }", ""],
    [
      "by an extension of the document that names it",
      "{ name: X-Nonce, in: header, schema: { type: string } }",
      "x-fern-idempotency-headers: [{ header: X-Nonce }]\n",
    ],
  ])("%s", async (_, parameter, more) => {
    const { endpoints } = await packOf(writeDescription(`  /a: { ${getOperation("a", parameter)} }`, more));
    expect(endpoints.get("a.parameters")?.parameters).toEqual([expect.objectContaining({ key: true })]);
  });

  it("in a body, if it accepts any UUID", async () => {
    const body = (key: string) =>
      `post: { operationId: pay, requestBody: { content: { application/json: { schema: { type: object, required: [idempotency_key], properties: { idempotency_key: ${key}, n: { type: integer } } } } } }, responses: {} }`;
    const freshIn = async (key: string): Promise<unknown> => {
      const { texts } = await packOf(writeDescription(`  /a: { ${body(key)} }`));
      return JSON.parse(texts.get("profile.json") ?? "").documents[0].fresh;
    };
    expect(await freshIn("{ type: string, maxLength: 45 }")).toEqual([{ at: "/idempotency_key", make: "uuid" }]);
    expect(await freshIn("{ type: string, maxLength: 8 }")).toBeUndefined();
    expect(await freshIn("{ type: integer }")).toBeUndefined();
  });

  it.each([
    '{ name: If-Match, in: header, description: "Makes the update idempotent.", schema: { type: string } }',
    "{ name: key, in: query, schema: { type: string } }",
    "{ name: X-Nonce, in: header, x-idempotency-key: false, schema: { type: string } }",
    '{ name: id, in: query, description: "Unique identifier of the pet", schema: { type: string } }',
  ])("not if it is a parameter of another kind: %s", async (parameter) => {
    const { endpoints } = await packOf(writeDescription(`  /a: { ${getOperation("a", parameter)} }`));
    expect(endpoints.get("a.parameters")?.parameters?.[0]).not.toHaveProperty("key");
  });
});

describe("untested parts are reported:", () => {
  const querystring = (required: string) =>
    `{ name: whole, in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object${required} } } } }`;

  it("a parameter that is the whole query", async () => {
    const file = writeDescription(
      `  /a: { ${getOperation("a", querystring(", required: [x]"))} }\n  /b: { ${getOperation("b", querystring(""))} }`,
    );
    const { calls, endpoints } = await packOf(file);
    expect(calls).toEqual([
      expect.stringMatching(/^nothing is sent to a: its parameter "whole" is the whole query/),
      expect.stringMatching(/^b is never sent a query: its parameter "whole"/),
    ]);
    expect([...endpoints.keys()]).toEqual(["b.parameters"]);
  });

  it("an answer that cannot be read, although the requests are tested", async () => {
    const answers = `{ "200": { description: ok, content: { application/json: { schema: { type: object } } } }, default: { $ref: "absent.yaml" },
      "404": { description: gone, content: { application/json: { schema: { $ref: "#/no" } } } }, "409": { description: no, headers: { X: { $ref: "#/no" } } } }`;
    const { calls, endpoints } = await packOf(
      writeDescription(`  /a: { ${getOperation("a", numberParameter, answers)} }`),
    );
    expect(calls).toEqual([
      expect.stringMatching(
        /^answers of a with status 404 are not checked, since this cannot be read: .*"#\/no" leads/,
      ),
      expect.stringMatching(/^answers of a with status 409 are not checked/),
      expect.stringMatching(/^answers of a with status default are not checked, .*absent\.yaml, and there is no such/),
    ]);
    const { answers: checkedAnswers, statuses } = endpoints.get("a.parameters")?.described ?? {};
    expect(checkedAnswers?.map(({ status }) => status)).toEqual(["200"]);
    expect(statuses?.named.map(({ status }) => status)).toEqual(["200", "404", "409", "default"]);
  });

  it("methods that are not sent, streams without itemSchema, and client certificates", async () => {
    const stream = '{ "200": { description: ok, content: { text/event-stream: { schema: { type: string } } } } }';
    const paths = `  /a: { ${getOperation("a", numberParameter, stream)}, additionalOperations: { LINK: { responses: {} } } }
  /b: { ${getOperation("b", numberParameter, "{}", ", security: [{ tls: [] }]")} }
components: { securitySchemes: { tls: { type: mutualTLS } } }
`;
    const { calls, notes } = await packOf(writeDescription(paths));
    const allNotes = [...calls, ...notes].join("\n");
    expect(allNotes).toMatch(/items of text\/event-stream in answers of a are not tested/);
    expect(allNotes).toMatch(/nothing is sent to LINK \/a/);
    expect(allNotes).toMatch(/whether b refuses requests without credentials is not tested: tls \(mutualTLS\)/);
  });
});

it("an answer that is a stream has a document for its items", async () => {
  const stream =
    '{ "200": { description: ok, content: { application/jsonl: { itemSchema: { type: object, required: [n] } } } } }';
  const { endpoints, texts } = await packOf(
    writeDescription(`  /a: { ${getOperation("a", numberParameter, stream)} }`),
  );
  expect(endpoints.get("a.parameters")?.described?.answers).toEqual([
    { status: "200", type: "application/jsonl", items: true, document: "a.response-200" },
  ]);
  expect(JSON.parse(texts.get("schemas/a.response-200.schema.json") ?? "")).toMatchObject({ required: ["n"] });
});

it("a byte order mark before a document is ignored", async () => {
  const file = join(folder, "marked.json");
  const paths = { "/a": { get: { operationId: "a", responses: { 200: { description: "ok" } } } } };
  writeFileSync(file, `\ufeff${JSON.stringify({ openapi: "3.0.3", info: { title: "Marked" }, paths })}`);
  expect([...(await packOf(file)).endpoints.keys()]).toEqual(["a.parameters"]);
});

it("404 refuses if its description is about validity, unless the path has parameters", async () => {
  const refusals = '{ "200": { description: ok }, "404": { description: invalid query parameters } }';
  const id = "{ name: id, in: path, required: true, schema: { type: integer } }";
  const { endpoints } = await packOf(
    writeDescription(
      `  /a: { ${getOperation("a", numberParameter, refusals)} }\n  /b/{id}: { ${getOperation("b", id, refusals)} }`,
    ),
  );
  expect(endpoints.get("a.parameters")?.rejected).toContain(404);
  expect(endpoints.get("b.parameters")?.rejected ?? []).not.toContain(404);
});

describe("operations are chosen", () => {
  it("selected operations are called even without body and parameters", async () => {
    const file = writeDescription(
      "  /logout: { post: { responses: {} } }\n  /upload: { post: { requestBody: {}, responses: {} } }",
    );
    expect([...(await packOf(file, ["POST /logout"])).endpoints.keys()]).toEqual(["post-logout.parameters"]);
    await expect(packOf(file)).rejects.toThrow(/or name an operation without them with --only/);
    await expect(packOf(file, ["POST /upload"])).rejects.toThrow(/no operation has a JSON body/);
  });

  const paths = `  /a: { ${getOperation("readA", numberParameter)}, put: { parameters: [${numberParameter}], responses: {} } }\n  /b: { ${getOperation("readB", numberParameter)} }`;

  it.each([
    [["read-a"], ["read-a"]],
    [["readA"], ["read-a"]],
    [["PUT /a"], ["put-a"]],
    [["read-*"], ["read-a", "read-b"]],
  ])("by %j", async (only, names) => {
    const file = writeDescription(paths);
    const { endpoints, operations } = await packOf(file, only);
    expect([...endpoints.keys()]).toEqual(names.map((name) => `${name}.parameters`));
    expect(operations).toEqual({ chosen: names.length, all: 3 });
    expect(await matchOperations(file, only)).toEqual(names);
  });

  it("an unknown name is an error, and patterns of vectors match no operation", async () => {
    const file = writeDescription(paths);
    await expect(packOf(file, ["read-c"])).rejects.toThrow('unknown operation "read-c"');
    expect(await matchOperations(file, ["read-a", "told/1/**"])).toBeUndefined();
    expect(await matchOperations(file, [])).toBeUndefined();
  });
});

it("the plan counts the chosen operations, the documents and their assertions", () => {
  const schema = { type: "object", required: ["a"], properties: { a: { type: "string", maxLength: 3 } } };
  const documents = [
    { schema, isSent: true },
    { schema, isSent: false },
  ];
  expect(planOf(documents, { chosen: 1, all: 3 })).toEqual({
    what: "1 of 3 operations, 1 document to make vectors of, and 1 of answers, which are only checked; 4 assertions",
    time: "1 s",
  });
});
