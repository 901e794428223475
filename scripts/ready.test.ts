import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";

const lockedPackages = {
  "": { version: "1.0.0" },
  "node_modules/a": { version: "1.2.3" },
  "node_modules/for-another-system": { version: "2.0.0", optional: true },
};

/** Runs the script in a project with this record of installed packages, and a fake npm that records its call. */
function runReady(
  installed: object | undefined,
  npmStatus = 0,
): { status: number | null; stdout: string; calledNpm: boolean } {
  const home = mkdtempSync(join(tmpdir(), "touchstone-"));
  const bin = join(home, "bin");
  for (const folder of ["scripts", "node_modules", "bin"]) mkdirSync(join(home, folder));
  copyFileSync(join(import.meta.dirname, "ready.js"), join(home, "scripts", "ready.js"));
  writeFileSync(join(home, "package.json"), '{"type":"module"}');
  writeFileSync(join(home, "package-lock.json"), JSON.stringify({ packages: lockedPackages }));
  if (installed !== undefined) {
    writeFileSync(join(home, "node_modules", ".package-lock.json"), JSON.stringify({ packages: installed }));
  }
  writeFileSync(join(bin, "npm"), `#!/bin/sh\necho "$@" > asked\necho chatter\nexit ${npmStatus}\n`);
  chmodSync(join(bin, "npm"), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { status, stdout } = spawnSync(process.execPath, [join(home, "scripts", "ready.js")], {
    env,
    encoding: "utf8",
  });
  return { status, stdout, calledNpm: existsSync(join(home, "asked")) };
}

describe("ready", () => {
  it("does nothing if the locked versions are installed", () => {
    expect(runReady({ "node_modules/a": { version: "1.2.3" } })).toEqual({ status: 0, stdout: "", calledNpm: false });
  });

  it.each([
    ["nothing is installed", undefined],
    ["a package is missing", {}],
    ["a package has a different version", { "node_modules/a": { version: "1.2.2" } }],
  ])("installs if %s, and leaves stdout to the next command", (_, installed) => {
    expect(runReady(installed)).toEqual({ status: 0, stdout: "", calledNpm: true });
  });

  it("fails if the installation fails", () => expect(runReady(undefined, 7).status).toBe(7));
});
