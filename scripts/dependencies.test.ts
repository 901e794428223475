import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../schemas/index.ts";

it("the table with reasons lists exactly the dependencies of the package", () => {
  const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const [, table = ""] = readFileSync(join(home, "scripts", "README.md"), "utf8").split("## Dependencies");
  const nameCells = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = ""]) => cell);
  const listedNames = nameCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(listedNames.sort()).toEqual(Object.keys(dependencies).sort());
});
