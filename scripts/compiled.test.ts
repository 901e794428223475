import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const repository = join(import.meta.dirname, "..");

/** Creates a project with the scripts and a program of one line. */
function createProject() {
  const home = mkdtempSync(join(tmpdir(), "touchstone-"));
  for (const folder of ["scripts", "schemas", "generators", "suites", "node_modules"])
    mkdirSync(join(home, folder), { recursive: true });
  for (const name of ["compiled.js", "cached.js", "kept.js"])
    copyFileSync(join(import.meta.dirname, name), join(home, "scripts", name));
  for (const name of ["esbuild", "@esbuild"])
    symlinkSync(join(repository, "node_modules", name), join(home, "node_modules", name), "junction");
  writeFileSync(join(home, "package.json"), '{"type":"module"}');
  writeFileSync(join(home, "package-lock.json"), "{}");
  writeFileSync(
    join(home, "scripts", "start.ts"),
    'import { said } from "../schemas/said.ts";\nconsole.log(said());\n',
  );
  const compiledFolders = join(home, "node_modules", ".cache", "touchstone", "compiled");
  return {
    writeGreeting: (text: string) =>
      writeFileSync(join(home, "schemas", "said.ts"), `export const said = (): string => ${text} + process.argv[2];\n`),
    run() {
      const args = [join(home, "scripts", "compiled.js"), "start.ts", "!"];
      const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
      return { status, stdout };
    },
    compiledFolders: () => readdirSync(compiledFolders),
    fileOf: (folder: string) => join(compiledFolders, folder, "scripts", "start.cjs"),
  };
}

it("compiles again after a change, and otherwise runs the file of an earlier start", { timeout: 60_000 }, () => {
  const { writeGreeting, run, compiledFolders, fileOf } = createProject();
  writeGreeting('"one"');
  expect(run()).toEqual({ status: 0, stdout: "one!\n" });
  writeFileSync(fileOf(compiledFolders()[0] as string), 'console.log("kept");\n');
  expect(run().stdout).toBe("kept\n");
  writeGreeting('"two"');
  expect(run().stdout).toBe("two!\n");
  for (const text of ['"three"', '"four"', '"five"']) {
    writeGreeting(text);
    run();
  }
  expect(compiledFolders()).toHaveLength(2);
});

it("uses V8's code cache from the last run, unless V8 rejects it", { timeout: 60_000 }, () => {
  const { writeGreeting, run, compiledFolders, fileOf } = createProject();
  writeGreeting('"one"');
  run();
  const file = fileOf(compiledFolders()[0] as string);
  const codeCache = readFileSync(`${file}.code`);
  // For a source of the same length, V8 uses the cached code of the other source.
  writeFileSync(file, readFileSync(file, "utf8").replace('"one"', '"two"'));
  expect(run().stdout).toBe("one!\n");
  writeFileSync(`${file}.code`, "of nothing");
  expect(run().stdout).toBe("two!\n");
  expect(readFileSync(`${file}.code`).length).toBeGreaterThan(codeCache.length / 2);
  expect(run().stdout).toBe("two!\n");
});

it("runs and stores nothing if a file cannot be compiled", { timeout: 60_000 }, () => {
  const { writeGreeting, run, compiledFolders } = createProject();
  writeGreeting('"one" +* 2');
  expect(run()).toMatchObject({ status: expect.toSatisfy((status) => status !== 0), stdout: "" });
  expect(compiledFolders()).toEqual([]);
});
