import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const packageFile = join(folder, "package.json");

function runScript(...args: string[]): { status: number | null; stderr: string } {
  const script = join(folder, "scripts", "publishable.js");
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
  return { status, stderr };
}

it("refuses a package without a home, fills one in, and reports mismatches", () => {
  mkdirSync(join(folder, "scripts"));
  copyFileSync(join(import.meta.dirname, "publishable.js"), join(folder, "scripts", "publishable.js"));
  copyFileSync(join(dirname(import.meta.dirname), "package.json"), packageFile);
  const before = JSON.parse(readFileSync(packageFile, "utf8"));
  writeFileSync(
    packageFile,
    JSON.stringify({ ...before, repository: { type: "git", url: "git+https://t.example/t.git" } }),
  );
  expect(runScript()).toMatchObject({ status: 1, stderr: expect.stringContaining("not decided yet") });

  expect(runScript("--home", "https://git.somewhere.org/us/touchstone/", "--author", "Us")).toEqual({
    status: 0,
    stderr: "",
  });
  const completed = JSON.parse(readFileSync(packageFile, "utf8"));
  expect(completed).toEqual({
    ...before,
    author: "Us",
    homepage: "https://git.somewhere.org/us/touchstone#readme",
    bugs: { url: "https://git.somewhere.org/us/touchstone/issues" },
    repository: { type: "git", url: "git+https://git.somewhere.org/us/touchstone.git" },
  });

  for (const [name, value] of Object.entries({ homepage: "https://elsewhere.org", bugs: undefined, author: "" })) {
    writeFileSync(packageFile, JSON.stringify({ ...completed, [name]: value }));
    expect(runScript()).toMatchObject({ status: 1, stderr: expect.stringContaining(`package.json: ${name} is`) });
  }
  writeFileSync(packageFile, JSON.stringify({ ...completed, repository: undefined }));
  expect(runScript()).toMatchObject({ status: 1, stderr: expect.stringContaining("repository.url") });
});
