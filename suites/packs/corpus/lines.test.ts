import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { example, ownVectors, protocolNamed, type Report, type Run } from "../../../schemas/index.ts";
import { linesOf } from "./lines.ts";
import { loadVectors } from "./load.ts";
import { vector, writeSet } from "./sample.fixture.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function runOf(protocol: string, version: string, digest: string): Run {
  return { protocol, version, set: { digest, count: 1 } } as Run;
}

it("returns the line of each vector of the package", () => {
  const protocol = protocolNamed(example.protocol);
  const { digest } = loadVectors(protocol);
  const lines = linesOf({});
  const file = `${protocol.name}/${protocol.version}/response/invalid.json`;
  const fileLines = readFileSync(join(ownVectors, file), "utf8").split("\n");
  const { tests } = JSON.parse(fileLines.join("\n")) as { tests: { id: string }[] };
  expect(tests.length).toBeGreaterThan(50);
  for (const { id } of tests) {
    const line = lines(runOf(protocol.name, protocol.version, digest), id) as number;
    expect(JSON.parse((fileLines[line - 1] as string).replace(/,$/, "")).id).toBe(id);
  }
});

it("reads sets in any layout, and returns undefined for other vectors, scenarios and random messages", () => {
  const path = "sample/1.0/note/valid.json";
  const data = { id: "sample/1.0/note/valid/two" };
  const tests = [vector({ id: "sample/1.0/note/valid/one", data }), vector({ id: "sample/1.0/note/valid/two" })];
  const folder = writeSet([{ path, document: "note", tests }]);
  folders.push(folder);
  const { digest } = loadVectors({ name: "sample", version: "1.0" }, folder);
  const text = JSON.stringify({ tests }, null, 2);
  writeFileSync(join(folder, path), text);
  const options = { vectors: folder } as NonNullable<Report["options"]>;
  const run = runOf("sample", "1.0", digest);
  const lines = linesOf({ options });
  expect(lines(run, "sample/1.0/note/valid/one")).toBe(3);
  expect(text.split("\n")[(lines(run, "sample/1.0/note/valid/two") as number) - 1]).toBe("    {");
  expect(lines(run, "sample/1.0/note/valid/two")).toBeGreaterThan(3);
  for (const id of ["note/valid/three", "fuzz/valid/1", "scenarios/twice/S-1", "note"])
    expect(lines(run, `sample/1.0/${id}`)).toBeUndefined();
  expect(linesOf({ options })(runOf("sample", "1.0", "sha256-other"), "sample/1.0/note/valid/one")).toBeUndefined();
  expect(linesOf({})(runOf("sample", "1.0", digest), "sample/1.0/note/valid/one")).toBeUndefined();
});
