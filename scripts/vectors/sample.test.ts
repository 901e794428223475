import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitIn, sampleDivisor, sampleOf, treeAt } from "./sample.ts";

const names = Array.from({ length: 3 * sampleDivisor }, (_, index) => `document ${index}`);

describe("the sampled documents", () => {
  it("depend only on the seed, and cover all documents over many seeds", () => {
    const sample = sampleOf(names, "a");
    expect(sample).toHaveLength(3);
    expect(sampleOf(names, "a")).toEqual(sample);
    expect(sampleOf(["one"], "a")).toEqual(["one"]);
    const sampledNames = new Set(Array.from({ length: 40 }, (_, seed) => sampleOf(names, `${seed}`)).flat());
    expect(sampledNames.size).toBe(names.length);
  });
});

const isGitMissing = spawnSync("git", ["--version"]).status !== 0 && process.env.TOUCHSTONE_TESTS !== "all";

describe.skipIf(isGitMissing)(
  `the files of a commit${isGitMissing ? " (skipped, no git here: apt-get install git)" : ""}`,
  () => {
    it("do not include later commits or uncommitted files", () => {
      const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
      const git = (...args: string[]): void => {
        const author = ["-c", "user.name=a", "-c", "user.email=a@a.example"];
        const { status, stderr } = spawnSync("git", [...author, ...args], { cwd: folder, encoding: "utf8" });
        expect(status, stderr).toBe(0);
      };
      const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
      git("init", "--quiet");
      for (const name of ["same", "changed", "gone"]) write(name, `${name} before`);
      git("add", ".");
      git("commit", "--quiet", "-m", "before");
      write("changed", "changed now");
      write("added", "added");
      git("add", ".");
      git("rm", "--quiet", "gone");
      git("commit", "--quiet", "-m", "now");
      write("loose", "loose");
      const currentFiles = new Map([
        ["same", "same before"],
        ["changed", "changed now"],
        ["added", "added"],
        ["loose", "loose"],
      ]);
      expect(Object.fromEntries(treeAt("HEAD~1", currentFiles, folder))).toEqual({
        same: "same before",
        changed: "changed before",
        gone: "gone before",
      });
      expect(commitIn(folder)).toMatch(/^[0-9a-f]{40}$/);
      expect(() => treeAt("nothing", currentFiles, folder)).toThrow("git diff");
    });
  },
);
