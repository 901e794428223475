import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTests } from "./tests.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const writeTestFile = (name: string, text: string): string => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const group = { description: "g", schema: {}, tests: [{ description: "one", data: null, valid: true }] };

describe("readTests", () => {
  it.each([
    ["a group", group, "g: one"],
    ["a list of groups", [group], "g: one"],
    ["a list of tests", group.tests, "one"],
    ["groups in groups", { description: "all", tests: [group] }, "all: g: one"],
  ])("reads %s", async (name, content, title) => {
    expect(await readTests(writeTestFile(`${name}.json`, JSON.stringify(content)))).toEqual([
      { name: title, data: null, valid: true },
    ]);
  });

  it("names tests without a description by their place", async () => {
    const [bare, blank] = [
      { data: 1, valid: true },
      { description: " ", data: 2, valid: false },
    ];
    const names = async (path: string): Promise<string[]> => (await readTests(path)).map(({ name }) => name);
    const file = writeTestFile("bare/deep/list.json", JSON.stringify([bare, { tests: [blank] }]));
    writeTestFile("bare/grouped.json", JSON.stringify([{ ...group, tests: [bare, ...group.tests] }]));
    writeTestFile("bare/one.json", JSON.stringify(bare));
    expect(await names(file)).toEqual(["list.json#/0", "list.json#/1/tests/0"]);
    expect(await names(join(folder, "bare"))).toEqual([
      "deep/list.json#/0",
      "deep/list.json#/1/tests/0",
      "g: #/0/tests/0",
      "g: one",
      "one.json#",
    ]);
  });

  it("reads YAML, and every file below a folder in order of name", async () => {
    writeTestFile("suite/b/two.yaml", "- data: { a: 1 }\n  valid: false\n");
    writeTestFile("suite/a.json", JSON.stringify(group));
    writeTestFile("suite/package.json", "{}");
    expect((await readTests(join(folder, "suite"))).map(({ data }) => data)).toEqual([null, { a: 1 }]);
  });

  it("reports a file without tests", async () => {
    await expect(readTests(writeTestFile("none.json", '{"data": 1}'))).rejects.toThrow(/the file has no tests/);
  });
});
