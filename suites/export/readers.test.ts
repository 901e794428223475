import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { home, ownVectors, protocolsNamed } from "../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";

const page = readFileSync(join(home, "vectors", "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

const decided = protocolsNamed("all")
  .flatMap((protocol) => loadVectors(protocol).files.flatMap(({ tests }) => tests))
  .filter(({ valid, beyond, level }) => valid !== undefined && beyond === undefined && level === undefined);
const claims = ["format-assertion", "lint", "semantic"];
const asked = decided.filter(({ data, needs }) => data !== undefined && needs.every((need) => claims.includes(need)));
const invalid = asked.filter(({ valid }) => valid === false);

/** The reader of the page with a function that accepts everything: what it has said, and how many ids it has yielded. */
function read(language: "python" | "js"): string[] {
  const [, code = ""] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
  const [set, list] = [ownVectors, claims].map((each) => JSON.stringify(each));
  const isPython = language === "python";
  const accept = isPython ? "lambda schema, data: True" : "() => true";
  const call = `failures(${set}, ${accept}, ${list})`;
  const file = join(folder, isPython ? "reader.py" : "reader.mjs");
  writeFileSync(file, `${code}\n${isPython ? `print(len(list(${call})))` : `console.log([...${call}].length)`}\n`);
  return execFileSync(isPython ? "python3" : process.execPath, [file], { encoding: "utf8" })
    .trim()
    .split("\n");
}

it.each(["python", "js"] as const)("the reader in %s says what it asks and what it leaves out", (language) => {
  const lines = read(language);
  expect(lines[0]).toBe(`asked: ${asked.length - invalid.length} valid, ${invalid.length} invalid`);
  expect(lines.at(-1)).toBe(String(invalid.length));
  const left = lines.slice(1, -1).map((line) => Number(/^left out: (\d+) for /.exec(line)?.[1]));
  expect(left.reduce((all, count) => all + count, 0)).toBe(decided.length - asked.length);
  expect(left.length).toBeGreaterThan(2);
});
