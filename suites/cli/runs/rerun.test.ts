import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { argsWithoutWatch, importedBy } from "./rerun.ts";

const folder = mkdtempSync(join(tmpdir(), "rerun-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("watches a module and all files that it imports, except packages", () => {
  mkdirSync(join(folder, "lib"));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("target.mjs", 'import Ajv from "ajv";\nimport { a } from "./a.js";\nconst b = await import("./lib/index.js");');
  write("a.ts", 'const c = require("./lib/c");\nexport * from "./target.mjs";\nimport "./gone.mjs";');
  write("lib/index.js", 'import data from "../data.json" with { type: "json" };');
  write("lib/c.cjs", "");
  write("data.json", "{}");
  const names = importedBy(join(folder, "target.mjs")).map((path) => path.slice(folder.length + 1));
  expect(names.toSorted()).toEqual(["a.ts", "data.json", "lib/c.cjs", "lib/index.js", "target.mjs"]);
  expect(importedBy(join(folder, "gone.mjs"))).toHaveLength(1);
});

it("removes --watch from the arguments of each run", () => {
  expect(argsWithoutWatch(["run", "snap", "--watch", "--module", "a.mjs"])).toEqual([
    "run",
    "snap",
    "--module",
    "a.mjs",
  ]);
});
