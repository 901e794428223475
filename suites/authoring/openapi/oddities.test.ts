import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packFrom } from "./index.ts";
import { description, pet } from "./shop.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "oddities-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function odditiesIn(text: string): Promise<string[]> {
  const file = join(folder, "api.yaml");
  writeFileSync(file, text);
  const { oddities } = await packFrom(file, { out: join(folder, "pack") });
  return oddities.map(({ line, kind, at, why }) => `${line} ${kind} ${at} ${why}`);
}

const oddDocument = `openapi: 3.1.0
info: { title: Odd }
x-info: {}
webhoks: {}
paths:
  x-paths: { gett: {} }
  /ships/{id}:
    parameters:
      - { name: id, in: path, example: 7, schema: { type: string, pattern: "^SHP-[0-9]+$" } }
    gett: {}
    get:
      operationId: ship
      paramters: []
      parameters:
        - { name: q, in: qury, schema: {} }
        - { name: n, in: query, examples: { one: { value: x } }, schema: { type: integer } }
        - { name: m, in: query, example: 7, schema: { type: integer, minLenght: 1 } }
      responses:
        x-note: { a: 1 }
        "200": { description: ok, contents: {}, headers: { A: { in: header, schema: {} } } }
    put:
      operationId: ship
      requestBody:
        requird: true
        content: { application/json: { shema: {}, schema: { type: object, required: [a] }, example: {}, x-more: 1 } }
      responses: { "200": { $ref: "#/components/responses/Done" } }
    delete: { responses: { "204": { $ref: "#/components/responses/Done" } } }
components:
  responses: { Done: { descripton: done } }
`;

it("a member that OpenAPI does not have is reported with its place and the likely meaning", async () => {
  const ships = "#/paths/~1ships~1{id}";
  const oddities = await odditiesIn(oddDocument);
  expect(oddities.filter((oddity) => oddity.includes("not-openapi"))).toEqual([
    '4 not-openapi #/webhoks an OpenAPI document has no member "webhoks", which is ignored; did you mean "webhooks"?',
    `10 not-openapi ${ships}/gett a path has no member "gett", which is ignored; did you mean "get"?`,
    `9 not-openapi ${ships}/parameters/0 the path parameter "id" does not have "required": true, which it always needs`,
    `13 not-openapi ${ships}/get/paramters an operation has no member "paramters", which is ignored; did you mean "parameters"?`,
    expect.stringMatching(
      /^15 not-openapi .*\/get\/parameters\/0\/in no parameter can be in "qury".* did you mean "query"\?/,
    ),
    `20 not-openapi ${ships}/get/responses/200/contents a response has no member "contents", which is ignored; did you mean "content"?`,
    `20 not-openapi ${ships}/get/responses/200/headers/A/in a header has no member "in", which is ignored`,
    expect.stringMatching(
      /^22 not-openapi .*\/put\/operationId "ship" is also the operationId of another operation \(.*api\.yaml:12\)$/,
    ),
    expect.stringMatching(/^24 .*a request body has no member "requird".*"required"\?$/),
    expect.stringMatching(/^25 .*a media type has no member "shema".*"schema"\?$/),
    expect.stringMatching(/^29 .*components\/responses\/Done\/descripton a response has no member/),
  ]);
});

it("examples that their schemas refuse are reported", async () => {
  const invalidExamples = (await odditiesIn(oddDocument)).filter((oddity) => oddity.includes("invalid-example"));
  expect(invalidExamples.map((oddity) => oddity.split(" ")[2])).toEqual([
    "#/paths/~1ships~1{id}/parameters/0/example",
    "#/paths/~1ships~1{id}/get/parameters/1/examples/one",
    "#/paths/~1ships~1{id}/put/requestBody/content/application~1json/example",
  ]);
});

it("a correct description has no oddities", async () => {
  writeFileSync(join(folder, "pet.yaml"), pet);
  expect(await odditiesIn(description)).toEqual([]);
});
