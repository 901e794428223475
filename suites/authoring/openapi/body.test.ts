import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads a document with an operation that accepts a parameter and a body with these media types. */
async function readOperations(required: boolean, content: object) {
  const file = join(folder, "api.json");
  const parameters = [{ in: "query", name: "page", schema: { type: "integer" } }];
  const responses = { 200: { description: "ok" } };
  const upload = { operationId: "upload", parameters, requestBody: { required, content }, responses };
  const list = { operationId: "list", parameters, responses };
  const info = { title: "Pictures", version: "1" };
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info, paths: { "/pictures": { get: list, post: upload } } }));
  const { documents, calls } = await packFrom(file, {});
  return { documents: documents.map(({ name }) => name), calls };
}

const schema = { type: "object" };

it("an operation with a required body that cannot be made is not tested, and a note gives the reason", async () => {
  expect(await readOperations(true, { "multipart/form-data": { schema } })).toEqual({
    documents: ["list.parameters"],
    calls: ["nothing is sent to upload: its body is multipart/form-data, and only JSON with a schema is made"],
  });
  expect(await readOperations(true, { "application/json": {} })).toMatchObject({ documents: ["list.parameters"] });
});

it("an optional body of another type is left out, and JSON is sent if it is accepted too", async () => {
  expect(await readOperations(false, { "text/csv": { schema } })).toEqual({
    documents: ["list.parameters", "upload.parameters"],
    calls: ["upload is never sent a body: that is text/csv, and only JSON with a schema is made"],
  });
  expect(await readOperations(true, { "text/csv": { schema }, "application/json": { schema } })).toEqual({
    documents: ["list.parameters", "upload", "upload.parameters"],
    calls: [],
  });
});
