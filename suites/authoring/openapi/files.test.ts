import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { kindOf } from "./kind.ts";
import { operationsPack } from "./pack.ts";
import { sourcesOf } from "./source.ts";

const folder = mkdtempSync(join(tmpdir(), "files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a document with two operations. Each member of their bodies is in a separate file. */
function documentOf(name: string, countOfA: number, countOfB: number): string {
  const body = (firstNumber: number, count: number): object => {
    const numbers = Array.from({ length: count }, (_, index) => firstNumber + index);
    for (const number of numbers) writeFileSync(join(folder, `${number}.json`), '{ "type": "integer" }');
    const properties = Object.fromEntries(numbers.map((number) => [`m${number}`, { $ref: `${number}.json` }]));
    return { content: { "application/json": { schema: { type: "object", properties } } } };
  };
  const paths = {
    "/a": { post: { operationId: "a", requestBody: body(0, countOfA), responses: {} } },
    "/b": { post: { operationId: "b", requestBody: body(countOfA, countOfB), responses: {} } },
  };
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info: { title: "T" }, paths }));
  return file;
}

it("more than a thousand files are read", async () => {
  const { files, broken } = await sourcesOf(documentOf("many.json", 1100, 1));
  expect([files.size, broken.size]).toEqual([1102, 0]);
});

it("a file above the limit excludes only its own operation, and a note gives the reason", async () => {
  // References of the last path are read first.
  const sources = await sourcesOf(documentOf("over.json", 3, 2), 4);
  const { documents, calls } = await operationsPack(sources, kindOf(sources.root));
  expect(documents.map(({ document }) => document.name)).toEqual(["b"]);
  expect(calls).toEqual([
    expect.stringMatching(/^nothing is sent to a, which cannot be read: .*\.json: it refers to more than 4 files/),
  ]);
});
