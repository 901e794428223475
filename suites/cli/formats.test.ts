import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import type { VectorFile } from "../../schemas/index.ts";
import { cli } from "./cli.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const schema = { type: "object", required: ["on"], properties: { on: { type: "string", format: "date" } } };
const schemaFile = join(folder, "visit.schema.json");
const descriptionFile = join(folder, "openapi.json");
const operation = {
  operationId: "visit",
  requestBody: { content: { "application/json": { schema } } },
  responses: { "200": { description: "ok" } },
};
writeFileSync(schemaFile, JSON.stringify(schema));
writeFileSync(
  descriptionFile,
  JSON.stringify({ openapi: "3.1.0", info: { title: "Visits", version: "1" }, paths: { "/": { post: operation } } }),
);

beforeEach(() => {
  for (const stream of ["stdout", "stderr"] as const) vi.spyOn(process[stream], "write").mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Generates a pack, and returns the levels of the vectors that are invalid only by their format. */
async function levelsOf(source: readonly string[], ...args: string[]): Promise<Set<string | undefined>> {
  const out = join(folder, "made");
  const command = ["generate", ...source, "--out", out, "--effort", "1", "--unguarded", ...args];
  expect(await cli(command)).toBe(0);
  const pack = JSON.parse(readFileSync(join(out, "profile.json"), "utf8"));
  const document = source.includes("--schema") ? "visit" : pack.documents[0].name;
  const file = join(out, "vectors", pack.protocol, "1", document, "invalid.json");
  const { tests } = JSON.parse(readFileSync(file, "utf8")) as VectorFile;
  const levels = tests.flatMap(({ needs, level }) => (needs?.includes("format-assertion") ? [level] : []));
  rmSync(out, { recursive: true });
  return new Set(levels);
}

it.each([
  ["a schema", ["--schema", schemaFile]],
  ["a description", [descriptionFile]],
])("makes the formats of %s a SHOULD, or a MUST with --formats assert", async (_, source) => {
  expect(await levelsOf(source)).toEqual(new Set(["SHOULD"]));
  expect(await levelsOf(source, "--formats", "assert")).toEqual(new Set([undefined]));
});

it("keeps the formats setting of a pack when it is regenerated", async () => {
  const out = join(folder, "kept");
  for (const source of [
    ["--schema", schemaFile],
    [descriptionFile, "--name", "kept"],
  ]) {
    const generate = (...args: string[]) =>
      cli(["generate", ...source, "--out", out, "--effort", "1", "--unguarded", ...args]);
    const formatsSetting = () => JSON.parse(readFileSync(join(out, "profile.json"), "utf8")).formats;
    expect([await generate("--formats", "assert"), formatsSetting()]).toEqual([0, "assert"]);
    expect([await generate(), formatsSetting()]).toEqual([0, "assert"]);
    expect([await generate("--formats", "annotate"), formatsSetting()]).toEqual([0, "annotate"]);
    rmSync(out, { recursive: true });
  }
});
