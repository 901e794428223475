import { describe, expect, it } from "vitest";
import { findReachedTests, selectWithin } from "./reach.ts";

const tree = new Map([
  ["schemas/a.ts", "export const a = 1;\n"],
  ["schemas/a.test.ts", 'import { b } from "./b.ts";\n'],
  ["schemas/b.ts", 'export { a } from "./a.ts";\n'],
  ["schemas/b.test.ts", 'import { b } from "./b.ts";\n'],
  ["schemas/far.ts", 'const far = await import("./b.ts");\n'],
  ["schemas/far.test.ts", 'import "./far.ts";\n'],
  ["schemas/other.test.ts", "export {};\n"],
  ["suites/protocols/p/index.ts", "export const pack = {};\n"],
  ["suites/protocols/p/own.test.ts", "export {};\n"],
  ["suites/packs/pack/load.ts", "export {};\n"],
  ["suites/packs/pack/load.test.ts", 'import "./load.ts";\n'],
  ["suites/cli/main.ts", 'import "../packs/pack/load.ts";\n'],
  ["suites/cli/main.test.ts", "spawn(process.execPath, [program]);\n"],
  ["schemas/p/1/rules.json", "{}"],
  ["scripts/docs.test.ts", "export {};\n"],
  ["README.md", ""],
]);
const reachedBy = (...changed: string[]): string[] => findReachedTests(tree, changed).map(({ file }) => file);

describe("the tests that a change can affect", () => {
  it("include the test beside the changed file and tests that import it indirectly, nearest first", () => {
    expect(reachedBy("schemas/a.ts")).toEqual(["schemas/a.test.ts", "schemas/b.test.ts", "schemas/far.test.ts"]);
    expect(reachedBy("schemas/other.test.ts")).toEqual(["schemas/other.test.ts"]);
    expect(reachedBy("schemas/gone.ts")).toEqual([]);
  });

  it("include the tests of the pack loader and of the program if the code of a protocol changes", () => {
    expect(reachedBy("suites/protocols/p/index.ts")).toEqual([
      "suites/packs/pack/load.test.ts",
      "suites/cli/main.test.ts",
    ]);
  });

  it("include the protocol's tests if its data changes, and the tests of pages if a page changes", () => {
    expect(reachedBy("schemas/p/1/rules.json")).toEqual(["suites/protocols/p/own.test.ts"]);
    expect(reachedBy("README.md")).toEqual(["scripts/docs.test.ts"]);
  });

  it("are limited to the available time, except tests beside the changed file", () => {
    const reachedTests = findReachedTests(tree, ["schemas/a.ts"]);
    const selectFor = (seconds: number): string[] =>
      selectWithin(reachedTests, () => 10, seconds).map(({ file }) => file);
    expect(selectFor(0)).toEqual(["schemas/a.test.ts"]);
    expect(selectFor(20)).toEqual(["schemas/a.test.ts", "schemas/b.test.ts"]);
    expect(selectFor(30)).toHaveLength(3);
  });
});
