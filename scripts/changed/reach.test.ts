import { describe, expect, it } from "vitest";
import { findReached, selectWithin } from "./reach.ts";

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
const names = (...changed: string[]): string[] => findReached(tree, changed).map(({ file }) => file);

describe("the tests that a change can affect", () => {
  it("are those beside it, and those that import it indirectly, nearest first", () => {
    expect(names("schemas/a.ts")).toEqual(["schemas/a.test.ts", "schemas/b.test.ts", "schemas/far.test.ts"]);
    expect(names("schemas/other.test.ts")).toEqual(["schemas/other.test.ts"]);
    expect(names("schemas/gone.ts")).toEqual([]);
  });

  it("are those of a protocol, of the loader of packs and of the program, if its code changes", () => {
    expect(names("suites/protocols/p/index.ts")).toEqual(["suites/packs/pack/load.test.ts", "suites/cli/main.test.ts"]);
  });

  it("are those of a protocol if its data changes, and the pages if one does", () => {
    expect(names("schemas/p/1/rules.json")).toEqual(["suites/protocols/p/own.test.ts"]);
    expect(names("README.md")).toEqual(["scripts/docs.test.ts"]);
  });

  it("are as many as the time allows, and all tests of the change itself", () => {
    const all = findReached(tree, ["schemas/a.ts"]);
    const within = (seconds: number): string[] => selectWithin(all, () => 10, seconds).map(({ file }) => file);
    expect(within(0)).toEqual(["schemas/a.test.ts"]);
    expect(within(20)).toEqual(["schemas/a.test.ts", "schemas/b.test.ts"]);
    expect(within(30)).toHaveLength(3);
  });
});
