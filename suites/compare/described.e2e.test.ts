import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { touchstone } from "../cli/process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

const shop = `openapi: 3.1.0
info: { title: Shop, version: "1" }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    key: { type: apiKey, in: header, name: X-Key }
paths:
  /health:
    get:
      operationId: health
      responses:
        "200": { description: fine, content: { application/json: { schema: { properties: { status: { const: ok } } } } } }
  /items/{id}:
    get:
      operationId: read
      security: [{ token: [] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: page, in: query, explode: false, schema: { type: integer } }
      responses:
        "200": { description: an item, content: { application/json: { schema: { type: object } } } }
        "404": { description: none, content: { application/problem+json: { schema: { type: object } } } }
    delete:
      operationId: drop
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { "204": { description: gone } }
  /ping:
    post:
      operationId: ping
      requestBody: { content: { text/plain: {} } }
      responses: { 2XX: { description: fine } }
`;

let number = 0;

function written(text: string): string {
  number += 1;
  const file = join(folder, `${number}.yaml`);
  writeFileSync(file, text);
  return file;
}

/** The first line for those who call it, and the lines that name differences. */
async function forClients(from: string, to: string): Promise<string[]> {
  expect(shop).toContain(from);
  const { out } = await touchstone("compare", written(shop), written(shop.replaceAll(from, to)), "--for", "clients");
  const [first = "", ...rest] = out.split("\n");
  return [first, ...rest.filter((line) => /: (breaks|removed|added)/.test(line)).map((line) => line.trim())];
}

describe("whoever calls an API", () => {
  it.each([
    ["const: ok", "const: fine", /^health\.response-200: .*refused by const "ok"/],
    ['"204"', '"200"', /^drop\.answers: breaks consumers: now accepted at \/status: was refused by const 204/],
    ["2XX", "3XX", /^ping\.answers: breaks consumers: now accepted at \/status/],
    ["problem+json", "json", /^read\.answers-404: breaks consumers: now accepted at \/content-type/],
    [
      "explode: false, schema: { type: array",
      "schema: { type: array",
      /^read\.parameters\.query\.tags: breaks producers: now refused at \/explode/,
    ],
    [
      "operationId: health",
      "operationId: health\n      security: [{ token: [] }]",
      /^health\.request: breaks producers: now refused: "header authorization: bearer" is required/,
    ],
    ["[{ token: [] }]", "[{ key: [] }]", /^read\.request: breaks producers: .*"header X-Key" is required/],
    [
      "content: { text/plain: {} }",
      "required: true, content: { text/plain: {} }",
      /^ping\.request: breaks producers: .*"content-type" is required/,
    ],
    ["text/plain", "text/csv", /^ping\.request: breaks producers: now refused at \/content-type/],
    ["    post:", "    put:", /^ping\.request: removed: breaks producers/],
  ])("breaks when %j becomes %j", async (from, to, told) => {
    const [first, ...lines] = await forClients(from, to);
    expect(first).toMatch(/^Breaking: clients in 1 of \d+ documents\.$/);
    expect(lines.filter((line) => told.test(line))).toHaveLength(1);
  });

  it.each([
    ["the name of an operation", "operationId: read", "operationId: show"],
    ["how a value without parts is written", "explode: false, schema: { type: integer", "schema: { type: integer"],
    ["another choice of credentials", "[{ token: [] }]", "[{ token: [] }, { key: [] }]"],
    ["none of them", "[{ token: [] }]", "[]"],
    ["fewer statuses", "2XX", '"204"'],
    [
      "a further refusal",
      '"404": { d',
      '"429": { description: slow, content: { application/json: { schema: {} } } }\n        "404": { d',
    ],
    ["the order of media types", "text/plain: {}", "text/csv: {}, text/plain: {}"],
  ])("does not break by %s", async (_, from, to) => {
    expect((await forClients(from, to))[0]).toMatch(/^Compatible/);
  });

  it("does not break when a parameter of the path has another name, and does when it takes less", async () => {
    const renamed = shop.replaceAll("{id}", "{item}").replaceAll("name: id", "name: item");
    const same = await touchstone("compare", written(shop), written(renamed));
    expect(same.out).toMatch(/^Compatible: \d+ documents, and both versions accept the same messages \(proven\)/);
    const less = renamed.replace(
      "required: true, schema: { type: integer }",
      "required: true, schema: { type: integer, minimum: 1 }",
    );
    const { out } = await touchstone("compare", written(shop), written(less), "--for", "clients");
    expect(out).toMatch(/^Breaking: clients in 1 of/);
    expect(out).toMatch(/now refused at \/path\/id: minimum 1/);
    expect(out).toMatch(/new +\S+\.yaml:18:\d+ /);
  });
});
