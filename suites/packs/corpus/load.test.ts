import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOf, packArchive, protocolNamed, TouchstoneError, type Vector } from "../../../schemas/index.ts";
import { indexVectors, loadVectors } from "./load.ts";
import { vector, writeSet } from "./sample.fixture.ts";

const sample = { name: "sample", version: "1.0" };
const path = "sample/1.0/note/valid.json";

function setOf(...tests: Vector[]): string {
  return writeSet([
    { path, document: "note", tests },
    { path: "other/2.0/thing/valid.json", document: "thing", tests: [vector({ id: "other/2.0/thing/valid/a" })] },
  ]);
}

function loadFailure(folder: string): TouchstoneError {
  try {
    loadVectors(sample, folder);
  } catch (error) {
    if (error instanceof TouchstoneError) return error;
  }
  throw new Error("expected an error");
}

describe("loadVectors", () => {
  it("reads the files of one protocol and version", () => {
    const folder = setOf(vector({ id: "sample/1.0/note/valid/a" }));
    const vectorSet = loadVectors(sample, folder);
    expect(vectorSet.files.map(({ document, tests }) => [document, tests.map(({ id }) => id)])).toEqual([
      ["note", ["sample/1.0/note/valid/a"]],
    ]);
    expect(loadVectors({ name: "sample", version: "1.1" }, folder).files).toEqual([]);
  });

  it("returns a digest that does not depend on another protocol's vectors", () => {
    const alone = writeSet([{ path, document: "note", tests: [vector({ id: "a" })] }]);
    expect(loadVectors(sample, setOf(vector({ id: "a" }))).digest).toBe(loadVectors(sample, alone).digest);
    expect(loadVectors(sample, setOf(vector({ id: "b" }))).digest).not.toBe(loadVectors(sample, alone).digest);
  });

  it("names the missing file and suggests a remedy", () => {
    const folder = setOf(vector({ id: "a" }));
    rmSync(join(folder, path));
    const error = loadFailure(folder);
    expect(error).toMatchObject({ kind: "usage", where: join(folder, path) });
    expect(error.message).toMatch(/missing\n.*restore/);
    rmSync(join(folder, "MANIFEST.json"));
    expect(loadFailure(folder)).toMatchObject({ kind: "usage", where: folder });
  });

  it("detects any changed bit", () => {
    const folder = setOf(vector({ id: "a" }), vector({ id: "b", valid: false }));
    const flips = ["MANIFEST.json", path].flatMap((name) => {
      const bytes = readFileSync(join(folder, name));
      return [...bytes.keys()].map((at) => ({ name, bytes, at }));
    });
    for (const { name, bytes, at } of flips) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      writeFileSync(join(folder, name), flipped);
      expect(loadFailure(folder), `${name}, byte ${at}`).toMatchObject({ kind: "usage" });
      writeFileSync(join(folder, name), bytes);
    }
    expect(flips.length).toBeGreaterThan(500);
  });

  it("detects a version edited by hand, which would hide the vectors", () => {
    const folder = setOf(vector({ id: "a" }));
    const file = join(folder, "MANIFEST.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"version":"2.0"', '"version":"9.9"'));
    expect(loadFailure(folder)).toMatchObject({ kind: "usage", where: file });
  });

  it("refuses a file that differs from the one in the manifest, even if it is valid JSON", () => {
    const folder = setOf(vector({ id: "a", valid: true }));
    const file = join(folder, path);
    writeFileSync(file, readFileSync(file, "utf8").replace('"valid":true', '"valid":false'));
    expect(loadFailure(folder)).toMatchObject({ kind: "usage", where: file });
    expect(loadFailure(folder).message).toContain("digest");
  });

  it("refuses a manifest whose list was changed", () => {
    const folder = setOf(vector({ id: "a" }));
    const file = join(folder, "MANIFEST.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    manifest.files.pop();
    writeFileSync(file, JSON.stringify(manifest));
    expect(loadFailure(folder)).toMatchObject({ kind: "usage", where: file });
  });

  it.each([
    ["a repeated id", [vector({ id: "a" }), vector({ id: "a" })], /a is used twice/],
    ["no instance", [{ ...vector({ id: "a" }), data: undefined }], /exactly one of/],
    ["two instances", [vector({ id: "a", data: 1, raw: "1" })], /exactly one of/],
    ["no verdict", [{ ...vector({ id: "a" }), valid: undefined }], /neither "valid" nor "readings"/],
    [
      "a change whose path is not a JSON Pointer",
      [vector({ id: "a", change: [{ op: "remove", path: "title" }] })],
      /JSON Pointer/,
    ],
    ["no id", [{}], /no id/],
    ["null instead of a vector", [null], /no id/],
  ] as [string, Vector[], RegExp][])("refuses %s, and names the vector", (_, tests, message) => {
    const error = loadFailure(setOf(...tests));
    expect(error.kind).toBe("usage");
    expect(error.where).toContain(`${path}#/tests/${tests.length - 1}`);
    expect(error.message).toMatch(message);
  });

  it("accepts null, false and an empty string as instances", () => {
    const tests = [vector({ id: "a", data: null }), vector({ id: "b", data: false }), vector({ id: "c", raw: "" })];
    expect(loadVectors(sample, setOf(...tests)).files[0]?.tests).toHaveLength(3);
  });

  it("says that a damaged file is not JSON", () => {
    const folder = setOf(vector({ id: "a" }));
    const file = join(folder, "MANIFEST.json");
    const notJson = "{";
    const digest = digestOf(readFileSync(join(folder, path)));
    writeFileSync(join(folder, path), notJson);
    writeFileSync(file, readFileSync(file, "utf8").replace(digest, digestOf(notJson)));
    expect(loadFailure(folder).message).toContain("digest");
    writeFileSync(file, notJson);
    expect(loadFailure(folder).message).toMatch(/not JSON/);
  });

  it("reads the same from an archive, and detects any changed byte", () => {
    const folder = setOf(vector({ id: "a" }), vector({ id: "b", raw: "{" }));
    const fromFile = loadVectors(sample, folder);
    const archive = packArchive([[path, readFileSync(join(folder, path))]]);
    rmSync(join(folder, path));
    expect(loadFailure(folder)).toMatchObject({ kind: "usage", message: expect.stringContaining("missing") });
    writeFileSync(join(folder, "sample/1.0.br"), archive);
    expect(loadVectors(sample, folder)).toEqual(fromFile);
    for (let at = 0; at < archive.length; at++) {
      const damaged = Buffer.from(archive);
      damaged[at] = (damaged[at] as number) ^ 0x10;
      writeFileSync(join(folder, "sample/1.0.br"), damaged);
      // Some bits are padding: then the content must be unchanged.
      try {
        expect(loadVectors(sample, folder)).toEqual(fromFile);
      } catch (error) {
        expect(error).toMatchObject({ kind: "usage", where: expect.stringContaining("valid.json") });
      }
    }
  });
});

describe("indexVectors", () => {
  it("finds each vector of a set by its id, including vectors of traces, and finds nothing for other ids", () => {
    const protocol = protocolNamed("ahcp");
    const { digest, files } = loadVectors(protocol);
    const index = indexVectors(protocol);
    expect(index.digest).toBe(digest);
    const vectors = files.flatMap(({ tests }) => tests);
    expect(vectors.filter((vector) => index.find(vector.id)?.description !== vector.description)).toEqual([]);
    for (const id of ["ahcp/0.3/message/valid/none", "aaep/1.0/session/valid/a", "none", ""])
      expect(index.find(id)).toBeUndefined();
  });

  it("reads only files that contain a requested vector", () => {
    const folder = writeSet([
      { path, document: "note", tests: [vector({ id: "sample/1.0/note/valid/a" })] },
      { path: "sample/1.0/note/raw.json", document: "note", tests: [vector({ id: "sample/1.0/note/raw/b" })] },
    ]);
    rmSync(join(folder, "sample/1.0/note/raw.json"));
    const index = indexVectors({ ...protocolNamed("ahcp"), ...sample }, folder);
    expect(index.find("sample/1.0/note/valid/a")).toBeDefined();
    expect(() => index.find("sample/1.0/note/raw/b")).toThrow("missing");
  });
});
