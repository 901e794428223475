import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const own = join(folder, "package.json");

function publishable(...args: string[]): { status: number | null; stderr: string } {
  const script = join(folder, "scripts", "publishable.js");
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
  return { status, stderr };
}

it("refuses a package without a home, fills one in, and reports mismatches", () => {
  mkdirSync(join(folder, "scripts"));
  copyFileSync(join(import.meta.dirname, "publishable.js"), join(folder, "scripts", "publishable.js"));
  copyFileSync(join(dirname(import.meta.dirname), "package.json"), own);
  const before = JSON.parse(readFileSync(own, "utf8"));
  writeFileSync(own, JSON.stringify({ ...before, repository: { type: "git", url: "git+https://t.example/t.git" } }));
  expect(publishable()).toMatchObject({ status: 1, stderr: expect.stringContaining("not decided yet") });

  expect(publishable("--home", "https://git.somewhere.org/us/touchstone/", "--author", "Us")).toEqual({
    status: 0,
    stderr: "",
  });
  const filled = JSON.parse(readFileSync(own, "utf8"));
  expect(filled).toEqual({
    ...before,
    author: "Us",
    homepage: "https://git.somewhere.org/us/touchstone#readme",
    bugs: { url: "https://git.somewhere.org/us/touchstone/issues" },
    repository: { type: "git", url: "git+https://git.somewhere.org/us/touchstone.git" },
  });

  for (const [name, value] of Object.entries({ homepage: "https://elsewhere.org", bugs: undefined, author: "" })) {
    writeFileSync(own, JSON.stringify({ ...filled, [name]: value }));
    expect(publishable()).toMatchObject({ status: 1, stderr: expect.stringContaining(`package.json: ${name} is`) });
  }
  writeFileSync(own, JSON.stringify({ ...filled, repository: undefined }));
  expect(publishable()).toMatchObject({ status: 1, stderr: expect.stringContaining("repository.url") });
});
