import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { shownPath } from "../../../schemas/index.ts";
import { vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const folders = [folder];
afterAll(() => {
  for (const exportFolder of folders) rmSync(exportFolder, { recursive: true });
});

it("writes the files of a set, which can be exported again", async () => {
  const firstExport = join(folder, "own");
  const { code, out } = await touchstone("export", "agentformat", "--out", firstExport);
  expect(code).toBe(0);
  expect(out).toMatch(/^\d{3,} vectors in \d+ files in /);
  expect(existsSync(join(firstExport, "agentformat/1.0/agent/invalid.json"))).toBe(true);
  const secondExport = join(folder, "again");
  expect(await touchstone("export", "agentformat", "--vectors", firstExport, "--out", secondExport)).toMatchObject({
    code: 0,
  });
  const manifest = (exportFolder: string): string => readFileSync(join(exportFolder, "MANIFEST.json"), "utf8");
  expect(manifest(secondExport)).toBe(manifest(firstExport));
  const aliases = (exportFolder: string): string => readFileSync(join(exportFolder, "aliases.json"), "utf8");
  expect(aliases(secondExport)).toBe(aliases(firstExport));
});

it("rejects an unknown format, and suggests a similar one", async () => {
  const { code, err } = await touchstone("export", "snap", "--as", "jsonschema-tests", "--out", folder);
  expect(code).toBe(2);
  expect(err).toContain('did you mean "jsonschema-test"?');
  expect(await touchstone("export", "snap")).toMatchObject({ code: 2 });
});

it("rejects a manifest with a path outside the folder, and writes nothing there", async () => {
  const tests = [vector({ id: "snap/0.1/envelope/valid/one" })];
  const hostileSet = writeSet([{ path: "snap/0.1/../../evil.json", document: "envelope", tests }]);
  folders.push(hostileSet);
  const out = join(folder, "deep", "er");
  const { code, err } = await touchstone("export", "snap", "--vectors", hostileSet, "--out", out);
  expect(code).toBe(2);
  expect(err).toContain('the set has a file "snap/0.1/../../evil.json"');
  expect(existsSync(join(out, "evil.json"))).toBe(false);
});

it("removes the unchanged files of an older export, and keeps all other files", async () => {
  const out = join(folder, "replaced");
  expect((await touchstone("export", "snap@0.1", "--out", out)).code).toBe(0);
  const [name = ""] = readdirSync(join(out, "snap/0.1"));
  const [changedFile = ""] = readdirSync(join(out, "snap/0.1", name));
  const ownFiles = [`snap/0.1/${name}/${changedFile}`, "mine.json"];
  appendFileSync(join(out, ownFiles[0] as string), " ");
  writeFileSync(join(out, "mine.json"), "{}");
  const { code, out: exportNotes } = await touchstone("export", "agentformat", "--out", out);
  expect(code).toBe(0);
  expect(exportNotes).toMatch(
    /; \d+ files of an older export removed\nkept, since it was changed: .*, which the export no longer has\n$/,
  );
  expect(exportNotes).toContain(ownFiles[0]);
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const freshExport = join(folder, "fresh");
  await touchstone("export", "agentformat", "--out", freshExport);
  const exportedFiles = readdirSync(freshExport, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBe(exportedFiles.length + ownFiles.length);
  expect(ownFiles.every((path) => existsSync(join(out, path)))).toBe(true);
});

it("reports changed and foreign files that it overwrites", async () => {
  const out = join(folder, "overwritten");
  mkdirSync(out);
  writeFileSync(join(out, "aliases.json"), "[]");
  const output = async (): Promise<string[]> => {
    const { code, out: text } = await touchstone("export", "snap", "--out", out);
    expect(code).toBe(0);
    return text.trim().split("\n").slice(1);
  };
  const note = (path: string): string =>
    `overwritten, although it was changed or is not from an export: ${shownPath(join(out, path))}`;
  expect(await output()).toEqual([note("aliases.json")]);
  expect(await output()).toEqual([]);
  const file = "snap/0.1/task/valid.json";
  const original = readFileSync(join(out, file), "utf8");
  appendFileSync(join(out, file), " ");
  expect(await output()).toEqual([note(file)]);
  expect(readFileSync(join(out, file), "utf8")).toBe(original);
});

it("keeps foreign files beside the vectors, and replaces or removes the files of an older export", async () => {
  const out = join(folder, "beside");
  mkdirSync(join(out, "schemas"), { recursive: true });
  const ownFiles = ["README.md", "LICENSE", "schemas/mine.json"];
  for (const path of ownFiles) writeFileSync(join(out, path), "mine");
  const exportNotes = async (protocol: string): Promise<string[]> => {
    const { code, out: text } = await touchstone("export", protocol, "--out", out);
    expect(code).toBe(0);
    return text.trim().split("\n").slice(1);
  };
  const note = (path: string): string =>
    `kept, since it was changed after an export wrote it: ${shownPath(join(out, path))}`;
  expect((await exportNotes("ahcp")).sort()).toEqual([note("LICENSE"), note("README.md")]);
  expect(existsSync(join(out, "LICENSES/Apache-2.0.txt"))).toBe(true);
  const readSums = (): string[] => readFileSync(join(out, "SHA256SUMS"), "utf8").trim().split("\n");
  // Checksums that the owner made of the whole folder list the owner's files, too.
  appendFileSync(join(out, "SHA256SUMS"), `${createHash("sha256").update("mine").digest("hex")}  schemas/mine.json\n`);
  appendFileSync(join(out, "GLOSSARY.md"), "more");
  expect((await exportNotes("snap")).sort()).toEqual([note("GLOSSARY.md"), note("LICENSE"), note("README.md")]);
  for (const path of ownFiles) expect(readFileSync(join(out, path), "utf8")).toBe("mine");
  expect(existsSync(join(out, "LICENSES"))).toBe(false);
  expect(readdirSync(join(out, "schemas")).sort()).toEqual(["README.md", "mine.json", "snap", "touchstone"]);
  for (const line of readSums()) {
    const [sum, path = ""] = line.split("  ");
    expect(
      createHash("sha256")
        .update(readFileSync(join(out, path)))
        .digest("hex"),
      path,
    ).toBe(sum);
  }
});

it.each(["hi", "[]", '{ "files": [] }'])("does not overwrite a foreign manifest: %s", async (text) => {
  const out = mkdtempSync(join(folder, "foreign-"));
  writeFileSync(join(out, "MANIFEST.json"), text);
  const { code, err } = await touchstone("export", "snap", "--out", out);
  expect(code).toBe(2);
  expect(err).toMatch(/MANIFEST\.json is not a manifest of vectors[\s\S]*name an empty folder with --out/);
  expect(readdirSync(out)).toEqual(["MANIFEST.json"]);
  expect(readFileSync(join(out, "MANIFEST.json"), "utf8")).toBe(text);
});

it("exits with 2 if the output folder is a file", async () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  const { code, err } = await touchstone("export", "snap", "--out", file);
  expect(code).toBe(2);
  expect(err).toContain("cannot be written: ENOTDIR");
});
