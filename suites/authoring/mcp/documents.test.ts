import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOf, type Json, readPack } from "../../../schemas/index.ts";
import type { ListedTool } from "../../targets/mcp/tools.ts";
import { writeTexts } from "../generate/make.ts";
import { chooseTools, describeTools, documentsOf } from "./index.ts";

let folder: string;
let pack: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  pack = join(folder, "pack");
});
afterEach(() => rmSync(folder, { recursive: true }));

const tool = (name: string, inputSchema: Json = { type: "object" }, members: Partial<ListedTool> = {}): ListedTool => ({
  name,
  inputSchema,
  digest: digestOf(""),
  ...members,
});
const makeDocuments = async (...tools: ListedTool[]) => {
  const scratch = mkdtempSync(join(folder, "scratch-"));
  return documentsOf(tools, scratch, pack);
};

describe("tools as a pack", () => {
  it("are documents with different names, even if names of tools collide", async () => {
    const { texts } = await makeDocuments(
      tool("readFile"),
      tool("read_file"),
      tool("../../x"),
      tool("読む"),
      tool("a".repeat(300)),
    );
    writeTexts(pack, texts);
    const names = readPack(pack).profile.documents.map(({ name }) => name);
    expect(names).toEqual(["read-file", "read-file-2", "x", "tool-4", "a".repeat(80)]);
    expect([...texts.keys()].every((path) => /^(schemas\/[a-z0-9.-]+\.schema|profile)\.json$/.test(path))).toBe(true);
  });

  it("name the schema of their results, for which no vectors are made", async () => {
    const { texts } = await makeDocuments(
      tool("a", { type: "object" }, { outputSchema: { type: "object", required: ["x"] } }),
    );
    writeTexts(pack, texts);
    const { profile, schemas } = readPack(pack);
    expect(profile.documents).toHaveLength(1);
    expect(schemas.find(({ $id }) => $id === profile.documents[0]?.tool?.output)?.required).toEqual(["x"]);
  });

  it.each<[string, Json]>([
    ["is null", null],
    ["refers to a file", { type: "object", properties: { a: { $ref: "file:///etc/hosts" } } }],
    [
      "refers to the schema of another tool",
      { type: "object", properties: { a: { $ref: "../good/good.schema.json" } } },
    ],
    ["has a reference to nothing", { $ref: "#/$defs/a" }],
  ])("leave out a tool if its schema %s", async (_, schema) => {
    const { texts, refused } = await makeDocuments(tool("good"), tool("bad", schema), tool("other"));
    expect(refused.map((refusedTool) => refusedTool.tool)).toEqual(["bad"]);
    writeTexts(pack, texts);
    expect(readPack(pack).profile.documents.map(({ name }) => name)).toEqual(["good", "other"]);
  });

  it("leave out the second of two tools with the same $id", async () => {
    const schema = { $id: "https://example.test/a", type: "object" };
    expect((await makeDocuments(tool("a", schema), tool("b", schema))).refused).toMatchObject([{ tool: "b" }]);
  });

  it("keep the user's members of the profile, and refuse a folder with other content", async () => {
    writeTexts(pack, (await makeDocuments(tool("a"))).texts);
    const file = join(pack, "profile.json");
    const profile = { documents: [{ file: "schemas/a.schema.json", tool: { name: "a" }, samples: [{ b: 1 }] }] };
    writeFileSync(file, JSON.stringify(profile));
    const { texts, stale } = await makeDocuments(tool("a"), tool("b"));
    expect(stale).toEqual(["schemas/a.result.schema.json"]);
    expect((await makeDocuments(tool("b"))).stale).toContain("schemas/a.schema.json");
    expect(JSON.parse(texts.get("profile.json") ?? "").documents[0].samples).toEqual([{ b: 1 }]);
    writeFileSync(file, JSON.stringify({ documents: [{ file: "schemas/a.schema.json" }] }));
    await expect(makeDocuments(tool("a"))).rejects.toMatchObject({ kind: "usage" });
    rmSync(pack, { recursive: true });
    mkdirSync(pack);
    writeFileSync(join(pack, "other.txt"), "");
    await expect(makeDocuments(tool("a"))).rejects.toThrow(/something other than a pack/);
  });
});

describe("selected tools", () => {
  const listedTools = [tool("a", {}, { isReadOnly: true }), tool("b", {}, { isTask: true }), tool("c\u001b[2J")];
  const names = (...allowed: string[]): string[] => chooseTools(listedTools, allowed, "server").map(({ name }) => name);

  it("are the named tools, or all that can be called", () => {
    expect(names("a")).toEqual(["a"]);
    expect(names("*")).toEqual(["a", "c\u001b[2J"]);
    expect(() => names("A")).toThrow(/no tool "A"/);
    expect(() => names("b")).toThrow(/only be called as a task/);
  });

  it("are shown with annotations, and with control characters escaped", () => {
    expect(describeTools(listedTools)).toEqual([
      "  a  (changes nothing, according to the server)",
      "  b  (only as a task, which is not supported)",
      "  c\\u{1b}[2J",
    ]);
  });
});
