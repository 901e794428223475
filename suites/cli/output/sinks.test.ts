import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reportOf, rules, violatedResult } from "../../results/sample.fixture.ts";
import { sinksOf, writeReport } from "./sinks.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

it("rejects a report that would overwrite another one, or an input of the run", () => {
  const file = join(folder, "x");
  const relativePath = relative(process.cwd(), file);
  expect(() => sinksOf([`json=${file}`, `html=${relativePath}`])).toThrow(
    /--report html would overwrite the report json/,
  );
  expect(() => sinksOf([`json=${relativePath}`], { "the baseline": file })).toThrow(
    /json would overwrite the baseline/,
  );
  expect(sinksOf([`json=${file}`, `html=${file}.html`], { "the baseline": undefined })).toHaveLength(3);
});

it("allows only the github format to share standard output, and only with a format for people", () => {
  expect(sinksOf(["terminal", "github"]).map(({ format }) => format.name)).toEqual(["terminal", "github"]);
  expect(() => sinksOf(["json", "github"])).toThrow(/cannot share standard output/);
  expect(() => sinksOf(["terminal", "terminal"])).toThrow(/cannot share standard output/);
});

it("writes a Markdown or terminal file with all details if they are requested", async () => {
  const file = join(folder, "x.txt");
  const report = reportOf(["v1", "v2", "v3"].map((id) => violatedResult(id)));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const lines = async (verbose?: true): Promise<string[]> => {
    await writeReport(report, rules, sinksOf([`terminal=${file}`]), { verbose });
    return readFileSync(file, "utf8").split("\n");
  };
  expect(await lines()).not.toContain("  v3");
  expect(await lines(true)).toContain("  v3");
});

it("reports a file that cannot be written before anything is run, and leaves a writable one unchanged", () => {
  const file = join(folder, "in", "x");
  expect(() => sinksOf([`json=${folder}`])).toThrow(/cannot be written: it is a folder/);
  sinksOf([`json=${file}`]);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "before");
  sinksOf([`json=${file}`]);
  expect(readFileSync(file, "utf8")).toBe("before");
  expect(() => sinksOf([`json=${join(file, "below")}`])).toThrow(/cannot be written/);
});
