import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { digestOf, type Manifest, manifestDigest, type Vector } from "../../../schemas/index.ts";
import { setFormats } from "./set-words.ts";
import { type ComparedSets, compareVectorSets, isVectorSet } from "./sets.ts";

const root = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(root, { recursive: true }));
let turn = 0;

const vector = (name: string, more: Partial<Vector> = {}): Vector => {
  return {
    id: `notes/1.0/note/valid/${name}`,
    description: name,
    valid: true,
    data: { name },
    needs: [],
    tags: [],
    ...more,
  };
};

/** A set with these vectors and this version. */
function set(version: string, tests: Vector[], aliases?: Record<string, string>): string {
  const folder = join(root, String(turn++));
  const path = "notes/1.0/note/valid.json";
  mkdirSync(join(folder, "notes/1.0/note"), { recursive: true });
  const text = JSON.stringify({ count: tests.length, tests });
  writeFileSync(join(folder, path), text);
  const place = { path, protocol: "notes", version: "1.0", document: "note", kind: "valid" } as const;
  const manifest: Manifest = {
    $schema: "x/manifest.schema.json",
    name: "notes",
    version,
    count: tests.length,
    documents: [],
    generator: { name: "touchstone", version: "0.1.0", seed: 1 },
    digest: "",
    files: [{ ...place, count: tests.length, digest: digestOf(text) }],
  };
  writeFileSync(join(folder, "MANIFEST.json"), JSON.stringify({ ...manifest, digest: manifestDigest(manifest) }));
  if (aliases !== undefined) writeFileSync(join(folder, "aliases.json"), JSON.stringify(aliases));
  return folder;
}

const stem = "notes/1.0/note/valid";
const said = (result: ComparedSets, name = "terminal"): string =>
  setFormats.find((format) => format.name === name)?.render(result) ?? "";

describe("two vector sets", () => {
  const before = [vector("a"), vector("b"), vector("c"), vector("d"), vector("e"), vector("f"), vector("g")];
  const now = [
    vector("a"),
    vector("b", { valid: false }),
    vector("c", { level: "SHOULD" }),
    vector("d", { data: { name: "other" } }),
    vector("e", { needs: ["lint"] }),
    vector("f2", { data: { name: "f" } }),
    vector("h"),
  ];

  it("are compared by kind of change, and by its effect on a baseline", () => {
    const result = compareVectorSets(
      set("1.0.0", before),
      set("1.1.0", now, { [`${stem}/f`]: `${stem}/f2` }),
      "breaking",
    );
    expect(result).toMatchObject({
      added: [`${stem}/h`],
      gone: [{ id: `${stem}/g` }],
      renamed: [{ from: `${stem}/f`, to: `${stem}/f2` }],
      verdict: [{ id: `${stem}/b`, old: "valid", new: "invalid" }],
      level: [{ id: `${stem}/c`, old: "MUST", new: "SHOULD" }],
      message: [`${stem}/d`],
      needs: "MAJOR",
      moves: "MINOR",
      exitCode: 1,
    });
    expect(result.other).toEqual([`${stem}/e`, `${stem}/f2`]);
    const text = said(result);
    expect(text).toMatch(/^1 verdict, 1 level, 1 gone, 1 renamed, 1 message, 1 added, 2 other members\.$/m);
    expect(text).toContain("version: 1.0.0 becomes 1.1.0, and this is a MAJOR");
    expect(text).toContain("entries of the 1 gone match no vector: baseline update --for-new-set removes them");
    expect(said(result, "markdown")).toContain("### gone");
    expect(JSON.parse(said(result, "json"))).toMatchObject({ needs: "MAJOR" });
  });

  it("name the vector that has the message of a removed one", () => {
    const result = compareVectorSets(set("1.0.0", before), set("2.0.0", now), "none");
    expect(result.gone).toEqual([{ id: `${stem}/f`, now: `${stem}/f2` }, { id: `${stem}/g` }]);
    expect([result.needs, result.moves, result.exitCode]).toEqual(["MAJOR", "MAJOR", 0]);
  });

  it("may be the same, or only larger, which fails only if no difference is allowed", () => {
    const old = set("1.0.0", before);
    expect(said(compareVectorSets(old, old, "any"))).toContain("The sets are the same.");
    expect(compareVectorSets(old, old, "any").exitCode).toBe(0);
    const larger = compareVectorSets(old, set("1.0.1", [...before, vector("h")]), "breaking");
    expect([larger.needs, larger.moves, larger.exitCode]).toEqual(["MINOR", "PATCH", 0]);
    expect(compareVectorSets(old, set("0.9.0", [...before, vector("h")]), "any")).toMatchObject({ exitCode: 1 });
    expect(said(larger)).toContain("the 1 added are not regressions if they fail");
  });

  it("are folders with a manifest; anything else cannot be compared", () => {
    const folder = set("1.0.0", before);
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
