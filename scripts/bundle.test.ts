import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("the bundle includes packages of many small files, and their licences", () => {
  const folder = process.env.TOUCHSTONE_BUILT ?? "";
  const chunks = readdirSync(join(folder, "chunks")).map((name) => readFileSync(join(folder, "chunks", name), "utf8"));
  const unbundled = chunks.flatMap(
    (text) => text.match(/(?:^import .*from |import\(|__require\()"(?:ajv|yaml|commander|@hyperjump)[/"].*/gm) ?? [],
  );
  expect(unbundled).toEqual([]);
  const licences = readFileSync(join(folder, "LICENSES.txt"), "utf8");
  for (const name of ["ajv", "yaml", "commander", "@hyperjump/json-schema", "fast-uri"])
    expect(licences).toMatch(new RegExp(`^${name} [0-9.]+ \\(.+\\)\\n\\n.*[Cc]opyright`, "ms"));
});

it("a bundled package that is imported lazily exports the same names", () => {
  const folder = join(process.env.TOUCHSTONE_BUILT ?? "", "chunks");
  const packageChunks = readdirSync(folder).filter((name) => /^(yaml|ajv|2019|2020)-/.test(name));
  expect(packageChunks.length).toBeGreaterThan(3);
  for (const name of packageChunks)
    expect(readFileSync(join(folder, name), "utf8")).toMatch(
      /export ?\{[^}]*\b(Lexer|Ajv|Ajv2019|Ajv2020|formatNames|default)\b/s,
    );
});

it("every module finds its own path, also if its line was broken", () => {
  const folder = process.env.TOUCHSTONE_BUILT ?? "";
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  const unplaced = files.filter((name) =>
    readFileSync(join(folder, name), "utf8").replaceAll("\\\n", "").includes("touchstone:place:"),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(unplaced).toEqual([]);
});
