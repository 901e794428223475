import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const clone = join(import.meta.dirname, "..");

/** A clone with a program of one line. */
function project() {
  const home = mkdtempSync(join(tmpdir(), "touchstone-"));
  for (const folder of ["scripts", "schemas", "generators", "suites", "node_modules"])
    mkdirSync(join(home, folder), { recursive: true });
  copyFileSync(join(import.meta.dirname, "compiled.js"), join(home, "scripts", "compiled.js"));
  for (const name of ["esbuild", "@esbuild"])
    symlinkSync(join(clone, "node_modules", name), join(home, "node_modules", name), "junction");
  writeFileSync(join(home, "package.json"), '{"type":"module"}');
  writeFileSync(join(home, "package-lock.json"), "{}");
  writeFileSync(
    join(home, "scripts", "start.ts"),
    'import { said } from "../schemas/said.ts";\nconsole.log(said());\n',
  );
  const kept = join(home, "node_modules", ".cache", "touchstone", "compiled");
  return {
    say: (text: string) =>
      writeFileSync(join(home, "schemas", "said.ts"), `export const said = (): string => ${text} + process.argv[2];\n`),
    run() {
      const args = [join(home, "scripts", "compiled.js"), "start.ts", "!"];
      const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
      return { status, stdout };
    },
    kept: () => readdirSync(kept),
    spoil(folder: string) {
      writeFileSync(join(kept, folder, "scripts", "start.js"), 'console.log("kept");\n');
    },
  };
}

it("compiles what has changed, and runs what it has compiled of the same before", { timeout: 60_000 }, () => {
  const { say, run, kept, spoil } = project();
  say('"one"');
  expect(run()).toEqual({ status: 0, stdout: "one!\n" });
  spoil(kept()[0] as string);
  expect(run().stdout).toBe("kept\n");
  say('"two"');
  expect(run().stdout).toBe("two!\n");
  for (const text of ['"three"', '"four"', '"five"']) {
    say(text);
    run();
  }
  expect(kept()).toHaveLength(4);
});

it("runs nothing, and keeps nothing, where something cannot be compiled", { timeout: 60_000 }, () => {
  const { say, run, kept } = project();
  say('"one" +* 2');
  expect(run()).toMatchObject({ status: expect.toSatisfy((status) => status !== 0), stdout: "" });
  expect(kept()).toEqual([]);
});
