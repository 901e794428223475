import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { digestOf, home, type Manifest, manifestDigest, type Vector, type VectorFile } from "../../../schemas/index.ts";
import { checkSet } from "./checked-set.ts";

const root = mkdtempSync(join(tmpdir(), "touchstone-"));
let folder = "";
let setCount = 0;
const path = "ahcp/0.3/get-message/invalid.json";

/** Copies one small published document into a fresh set. */
beforeEach(() => {
  folder = join(root, String(setCount++));
  cpSync(join(home, "vectors/ahcp/0.3/get-message"), join(folder, "ahcp/0.3/get-message"), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(home, "vectors/MANIFEST.json"), "utf8")) as Manifest;
  manifest.files = manifest.files.filter((file) => file.path.startsWith("ahcp/0.3/get-message/"));
  manifest.documents = [];
  delete manifest.aliases;
  writeManifest(manifest);
});
afterAll(() => rmSync(root, { recursive: true }));

/** Writes a manifest with correct digests. */
function writeManifest(manifest: Manifest): void {
  for (const file of manifest.files) file.digest = digestOf(readFileSync(join(folder, file.path)));
  manifest.count = manifest.files.reduce((total, { count }) => total + count, 0);
  manifest.digest = manifestDigest(manifest);
  write("MANIFEST.json", manifest);
}

function write(name: string, value: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(value, null, 1));
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as T;
}

/** The complaints after a change to the vectors. The digests are corrected. */
async function complaintsAfter(change: (tests: Vector[], file: VectorFile) => void): Promise<string[]> {
  const file = read<VectorFile>(path);
  change(file.tests, file);
  write(path, file);
  writeManifest(read<Manifest>("MANIFEST.json"));
  return complaints();
}

async function complaints(): Promise<string[]> {
  const { complaints } = await checkSet(folder, () => {});
  return complaints.map(({ where, what }) => `${where.replace(`${folder}/`, "")}: ${what}`);
}

const firstTest = (tests: Vector[]): Vector => tests[0] as Vector;

describe("a vector set", () => {
  it("has no complaints as published", async () => {
    const { complaints, files, vectors } = await checkSet(folder, () => {});
    expect(complaints).toEqual([]);
    expect(files).toBe(3);
    expect(vectors).toBe(read<Manifest>("MANIFEST.json").count);
  });

  it.each<[name: string, change: (tests: Vector[], file: VectorFile) => void, message: RegExp]>([
    [
      "a verdict that the validators contradict",
      (tests) => {
        firstTest(tests).valid = true;
      },
      /#\/tests\/0\): .*verdict is not confirmed: stated valid, the oracles say invalid/,
    ],
    [
      "a change that does not turn the parent into the vector",
      (tests) => {
        firstTest(tests).change = [{ op: "add", path: "/x", value: 1 }];
      },
      /#\/tests\/0\): .*change does not lead from its parent to it/,
    ],
    [
      "a parent that does not exist",
      (tests) => {
        firstTest(tests).parent = "ahcp/0.3/get-message/valid/nowhere";
      },
      /#\/tests\/0\): .*nowhere is not among/,
    ],
    [
      "an unknown rule",
      (tests) => {
        firstTest(tests).rule = "AHCP-GET-999";
      },
      /#\/tests\/0\/rule\): there is no rule AHCP-GET-999/,
    ],
    [
      "an unknown rule in `beyond`",
      (tests) => {
        firstTest(tests).beyond = ["AHCP-GET-999"];
      },
      /#\/tests\/0\/beyond\/0\): there is no rule/,
    ],
    [
      "a duplicate id",
      (tests) => {
        firstTest(tests).id = tests[1]?.id ?? "";
      },
      /#\/tests\/1\/id\): the id .* is already used in .*invalid\.json#\/tests\/0/,
    ],
    [
      "an id that names another document",
      (tests) => {
        firstTest(tests).id = "ahcp/0.3/message/invalid/a";
      },
      /#\/tests\/0\/id\): .*does not begin with ahcp\/0\.3\/get-message\//,
    ],
    [
      "a misspelled member",
      (tests) => {
        Object.assign(firstTest(tests), { rulle: "x" });
      },
      /invalid\.json:\d+:\d+ \(#\/tests\/0\/rulle\): there is no member "rulle"/,
    ],
    [
      "an unknown document",
      (_, file) => {
        file.document = "get-mesage";
      },
      /#\/document\): (ahcp has no document|it is get-mesage)/,
    ],
    [
      "a wrong count",
      (_, file) => {
        file.count = 1;
      },
      /#\/count\): it (is 1|has \d+ tests)/,
    ],
  ])("reports %s, with its location", async (_, change, message) => {
    expect((await complaintsAfter(change)).join("\n")).toMatch(message);
  });

  it("reports differences from the manifest", async () => {
    writeFileSync(join(folder, path), `${readFileSync(join(folder, path), "utf8")} `);
    writeFileSync(join(folder, "ahcp/0.3/get-message/raw.json"), "{}");
    const manifest = read<Manifest>("MANIFEST.json");
    write("MANIFEST.json", {
      ...manifest,
      digest: digestOf(""),
      count: 1,
      files: [...manifest.files, { ...manifest.files[0], path: "ahcp/0.3/get-message/disputed.json" }],
    });
    const text = (await complaints()).join("\n");
    expect(text).toMatch(/MANIFEST\.json:\d+:\d+ \(#\/files\/1\): the digest of ahcp.*invalid\.json is sha256-/);
    expect(text).toMatch(/\(#\/digest\): it does not match the content of the set/);
    expect(text).toMatch(/\(#\/count\): the files listed here have \d+ vectors, not 1/);
    expect(text).toMatch(/\(#\/files\/3\): there is no file ahcp\/0\.3\/get-message\/disputed\.json/);
    expect(text).toContain("ahcp/0.3/get-message/raw.json is there and not listed");
  });

  it("reports missing parents once for each file", async () => {
    const parentIds = read<VectorFile>("ahcp/0.3/get-message/valid.json").tests.map(({ id }) => id);
    const children = read<VectorFile>(path).tests.filter(({ parent = "" }) => parentIds.includes(parent));
    expect(children.length).toBeGreaterThan(2);
    rmSync(join(folder, "ahcp/0.3/get-message/valid.json"));
    const missingParents = (await complaints()).filter((complaint) => complaint.includes("parent is missing"));
    expect(missingParents).toEqual([
      expect.stringMatching(`invalid.json:.*; and ${children.length - 1} more in this file$`),
    ]);
  });

  it("reports former ids that are still in use or map to no vector", async () => {
    const [firstId, secondId] = read<VectorFile>(path).tests.map(({ id }) => id) as [string, string];
    write("aliases.json", { [`${firstId}/once`]: firstId });
    expect(await complaints()).toEqual([]);
    write("aliases.json", { [firstId]: secondId, "a/1": "b/1", "a/2": "b/2" });
    expect(await complaints()).toEqual([
      expect.stringMatching(/aliases\.json:2:\d+ .*: a vector has this id$/),
      expect.stringMatching(/aliases\.json:3:\d+ .*a\/1: its present id "b\/1" belongs to no vector; and of 1 more$/),
    ]);
    const manifest = read<Manifest>("MANIFEST.json");
    const listedAliases = {
      path: "aliases.json",
      count: 1,
      digest: digestOf(readFileSync(join(folder, "aliases.json"))),
    };
    writeManifest({ ...manifest, aliases: { ...listedAliases, digest: digestOf("") } });
    write("aliases.json", { [`${firstId}/once`]: firstId });
    expect(await complaints()).toEqual([
      expect.stringMatching(/MANIFEST\.json:\d+:\d+ \(#\/aliases\/digest\): the digest of aliases\.json is sha256-/),
    ]);
    rmSync(join(folder, "aliases.json"));
    expect(await complaints()).toEqual([expect.stringMatching(/\(#\/aliases\): there is no file aliases\.json$/)]);
    writeManifest(manifest);
    write("aliases.json", []);
    expect((await complaints())[0]).toContain("aliases.json:1:1: it is not an object");
  });

  it("rejects a folder without a manifest, and says how to make a vector set", async () => {
    await expect(checkSet(join(folder, "nowhere"), () => undefined)).rejects.toThrow(
      /no vector set[\s\S]*give a folder written by/,
    );
  });

  it("reports the position of a JSON syntax error, and an invalid manifest", async () => {
    writeFileSync(join(folder, path), '{\n  "tests": [,]\n}');
    expect((await complaints()).join("\n")).toMatch(/invalid\.json:2:13: found ","/);
    write("MANIFEST.json", { name: "x" });
    expect((await complaints())[0]).toMatch(/MANIFEST\.json:1:1: it has no "\$schema"/);
  });
});

describe("a user's set", () => {
  it("is checked with the schemas beside it, and may have handwritten vectors", async () => {
    mkdirSync(join(folder, "notes/1/note"), { recursive: true });
    const schema = { $id: "https://example.org/note", type: "object", required: ["title"] };
    const test = (name: string, valid: boolean, data: unknown) => ({
      id: `notes/1/note/invalid/${name}`,
      description: name,
      valid,
      data,
      needs: [],
      tags: [],
    });
    const fileHead = {
      ...read<VectorFile>(path),
      protocol: "notes",
      version: "1",
      document: "note",
      schema: schema.$id,
      count: 2,
    };
    write("notes/1/note/invalid.json", { ...fileHead, tests: [test("a", false, {}), test("b", false, { title: "" })] });
    const manifest = read<Manifest>("MANIFEST.json");
    manifest.files = [
      {
        path: "notes/1/note/invalid.json",
        protocol: "notes",
        version: "1",
        document: "note",
        kind: "invalid",
        count: 2,
        digest: "",
      },
    ];
    writeManifest(manifest);
    expect(await complaints()).toEqual([expect.stringMatching(/#\/protocol\): notes@1 is not known/)]);
    write("schemas.json", [schema]);
    expect(await complaints()).toEqual([
      expect.stringMatching(/#\/tests\/1\): .*stated invalid, the oracles say valid/),
    ]);
  });
});
