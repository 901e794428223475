import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { digestOf, type Manifest, manifestDigest, type Vector } from "../../../schemas/index.ts";
import { setFormats } from "./set-words.ts";
import { type ComparedSets, compareVectorSets, isVectorSet } from "./sets.ts";

const root = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(root, { recursive: true }));
let setCount = 0;

const vector = (name: string, members: Partial<Vector> = {}): Vector => {
  return {
    id: `notes/1.0/note/valid/${name}`,
    description: name,
    valid: true,
    data: { name },
    needs: [],
    tags: [],
    ...members,
  };
};

/** Writes a set, and returns its folder. */
function writeSet(version: string, tests: Vector[], aliases?: Record<string, string>): string {
  const folder = join(root, String(setCount++));
  const path = "notes/1.0/note/valid.json";
  mkdirSync(join(folder, "notes/1.0/note"), { recursive: true });
  const text = JSON.stringify({ count: tests.length, tests });
  writeFileSync(join(folder, path), text);
  const fileKey = { path, protocol: "notes", version: "1.0", document: "note", kind: "valid" } as const;
  const manifest: Manifest = {
    $schema: "x/manifest.schema.json",
    name: "notes",
    version,
    count: tests.length,
    documents: [],
    generator: { name: "touchstone", version: "0.1.0", seed: 1 },
    digest: "",
    files: [{ ...fileKey, count: tests.length, digest: digestOf(text) }],
  };
  writeFileSync(join(folder, "MANIFEST.json"), JSON.stringify({ ...manifest, digest: manifestDigest(manifest) }));
  if (aliases !== undefined) writeFileSync(join(folder, "aliases.json"), JSON.stringify(aliases));
  return folder;
}

const prefix = "notes/1.0/note/valid";
const render = (result: ComparedSets, name = "terminal"): string =>
  setFormats.find((format) => format.name === name)?.render(result) ?? "";

describe("two vector sets", () => {
  const oldVectors = [vector("a"), vector("b"), vector("c"), vector("d"), vector("e"), vector("f"), vector("g")];
  const newVectors = [
    vector("a"),
    vector("b", { valid: false }),
    vector("c", { level: "SHOULD" }),
    vector("d", { data: { name: "other" } }),
    vector("e", { needs: ["lint"] }),
    vector("f2", { data: { name: "f" } }),
    vector("h"),
  ];

  it("are reported with each kind of change and its effect on a baseline", () => {
    const result = compareVectorSets(
      writeSet("1.0.0", oldVectors),
      writeSet("1.1.0", newVectors, { [`${prefix}/f`]: `${prefix}/f2` }),
      "breaking",
    );
    expect(result).toMatchObject({
      added: [`${prefix}/h`],
      gone: [{ id: `${prefix}/g` }],
      renamed: [{ from: `${prefix}/f`, to: `${prefix}/f2` }],
      verdict: [{ id: `${prefix}/b`, old: "valid", new: "invalid" }],
      level: [{ id: `${prefix}/c`, old: "MUST", new: "SHOULD" }],
      message: [`${prefix}/d`],
      needs: "MAJOR",
      moves: "MINOR",
      exitCode: 1,
    });
    expect(result.other).toEqual([`${prefix}/e`, `${prefix}/f2`]);
    const text = render(result);
    expect(text).toMatch(/^1 verdict, 1 level, 1 gone, 1 renamed, 1 message, 1 added, 2 other members\.$/m);
    expect(text).toContain("version: 1.0.0 becomes 1.1.0, and this is a MAJOR");
    expect(text).toContain("entries of the 1 gone match no vector: baseline update --for-new-set removes them");
    expect(render(result, "markdown")).toContain("### gone");
    expect(JSON.parse(render(result, "json"))).toMatchObject({ needs: "MAJOR" });
  });

  it("name the vector that has the message of a removed one", () => {
    const result = compareVectorSets(writeSet("1.0.0", oldVectors), writeSet("2.0.0", newVectors), "none");
    expect(result.gone).toEqual([{ id: `${prefix}/f`, now: `${prefix}/f2` }, { id: `${prefix}/g` }]);
    expect([result.needs, result.moves, result.exitCode]).toEqual(["MAJOR", "MAJOR", 0]);
  });

  it("pass if they are the same, and fail because of added vectors only if any difference fails", () => {
    const old = writeSet("1.0.0", oldVectors);
    expect(render(compareVectorSets(old, old, "any"))).toContain("The sets are the same.");
    expect(compareVectorSets(old, old, "any").exitCode).toBe(0);
    const largerComparison = compareVectorSets(old, writeSet("1.0.1", [...oldVectors, vector("h")]), "breaking");
    expect([largerComparison.needs, largerComparison.moves, largerComparison.exitCode]).toEqual(["MINOR", "PATCH", 0]);
    expect(compareVectorSets(old, writeSet("0.9.0", [...oldVectors, vector("h")]), "any")).toMatchObject({
      exitCode: 1,
    });
    expect(render(largerComparison)).toContain("the 1 added are not regressions if they fail");
  });

  it("must both be folders with a manifest", () => {
    const folder = writeSet("1.0.0", oldVectors);
    expect([isVectorSet(folder), isVectorSet(root), isVectorSet(join(folder, "MANIFEST.json"))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(() => compareVectorSets(folder, root, "any")).toThrow(
      /not a vector set[\s\S]*two folders with a MANIFEST\.json/,
    );
  });
});
