import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { home, protocolNamed } from "../../schemas/index.ts";
import { program } from "../base/process/built.fixture.ts";
import { vector, writeSet } from "../packs/corpus/sample.fixture.ts";

const messagePath = "ahcp/0.3/message";
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const data = protocolNamed("ahcp").profile.documents[0]?.samples?.[0] ?? null;
const vectors = writeSet([
  {
    path: `${messagePath}/valid.json`,
    document: "message",
    tests: Array.from({ length: 200 }, (_, index) => vector({ id: `${messagePath}/valid/${index}`, data })),
  },
  {
    path: `${messagePath}/invalid.json`,
    document: "message",
    tests: [vector({ id: `${messagePath}/invalid/number`, valid: false, rule: "AHCP-VER-001", data: 1 })],
  },
]);

function moduleArgs(name: string, text: string): string[] {
  writeFileSync(join(folder, name), text);
  return ["run", "ahcp", "--vectors", vectors, "--module", join(folder, name)];
}

/** A target command that prints `greeting` and starts a second process, which survives unless the whole group is killed. `pids` returns the ids of both. */
function groupCommand(name: string, greeting = ""): { args: string[]; pids(): Promise<number[]> } {
  const file = join(folder, name);
  const text = `echo '${greeting}'; sleep 600 & echo $$ $! "" > '${file}'; sleep 600`;
  return {
    args: ["run", "ahcp", "--vectors", vectors, "--command", text],
    async pids() {
      while (!existsSync(file) || !readFileSync(file, "utf8").endsWith(" \n")) await sleep(20);
      return readFileSync(file, "utf8").trim().split(" ").map(Number);
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits for processes to disappear. An ended process exists until its parent, or the process that adopted it, has waited for it. */
async function expectGone(pids: readonly number[]): Promise<void> {
  for (let tries = 100; tries > 0 && pids.some(isRunning); tries--) await sleep(50);
  expect(pids.filter(isRunning)).toEqual([]);
}

function touchstone(args: string[]): { child: ChildProcessWithoutNullStreams; ended: Promise<ProgramResult> } {
  const child = spawn(process.execPath, [program, ...args], { cwd: home });
  let out = "";
  let err = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  return { child, ended: once(child, "close").then(([code]) => ({ code, out, err })) };
}

interface ProgramResult {
  code: number | null;
  out: string;
  err: string;
}

describe("the program", () => {
  it("exits with the code of the run, and prints only results on stdout", async () => {
    const { code, out, err } = await touchstone(moduleArgs("accept.mjs", "export default () => true;")).ended;
    expect({ code, err }).toEqual({ code: 1, err: expect.not.stringContaining("assumed") });
    expect(out).toMatch(/200 of 201 conform, 1 violate[\s\S]*AHCP-VER-001/);
    expect(out).not.toContain("\u001b");
  });

  it("exits with 2 for an unknown option, and suggests a similar one", async () => {
    const { code, out, err } = await touchstone(["run", "ahcp", "--reference", "--ony", "x"]).ended;
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Did you mean --only?");
  });

  it("exits with 3 if a module calls process.exit(0)", async () => {
    const { code } = await touchstone(moduleArgs("leave.mjs", "process.exit(0);")).ended;
    expect(code).toBe(3);
  });

  it.each([
    ["", [], 3],
    [" while it updates a baseline", ["--baseline", join(folder, "known.json"), "--update-baseline"], 3],
  ] as const)("reports the results so far if it is interrupted%s", async (_, args, exitCode) => {
    const cueFile = join(folder, `third ${args.length}`);
    const stuckModule = `import { writeFileSync } from "node:fs";
      let asked = 0;
      export default () => ++asked < 3 || new Promise(() => writeFileSync(${JSON.stringify(cueFile)}, ""));`;
    const options = ["--concurrency", "1", "--timeout", "600000", "--report", "json", ...args];
    const { child, ended: result } = touchstone([...moduleArgs("stuck.mjs", stuckModule), ...options]);
    while (!existsSync(cueFile)) await sleep(20);
    child.kill("SIGINT");
    const { code, out, err } = await result;
    const report = JSON.parse(out);
    expect(err).toContain("SIGINT");
    expect(report).toMatchObject({ complete: false, counts: { conforms: 2 } });
    expect(report.runs[0].results).toHaveLength(2);
    expect(code).toBe(exitCode);
  });

  it("exits immediately if it is interrupted before a command has answered hello", async () => {
    const { args, pids } = groupCommand("silent", " ");
    const { child, ended } = touchstone([...args, "--report", "json"]);
    const pidsAtStart = await pids();
    child.kill("SIGINT");
    const { code, out } = await ended;
    const failure = { stage: "open", message: "interrupted before the target was ready" };
    expect(JSON.parse(out)).toMatchObject({ complete: false, runs: [{ failure, results: [] }] });
    expect(code).toBe(3);
    await expectGone(pidsAtStart);
  });

  it("exits immediately if it is interrupted while the import of a module hangs", async () => {
    const cueFile = join(folder, "loop begun");
    const loop = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(cueFile)}, ""); for (;;);`;
    const { child, ended } = touchstone(moduleArgs("loop.mjs", loop));
    while (!existsSync(cueFile)) await sleep(20);
    child.kill("SIGINT");
    const { code, out } = await ended;
    expect(out).toContain("interrupted");
    expect(code).toBe(3);
  });

  it("leaves no process behind if it is interrupted twice", async () => {
    const { args, pids } = groupCommand("stubborn", '{"ready":true}');
    const { child, ended } = touchstone([...args, "--timeout", "600000"]);
    const pidsAtStart = await pids();
    const firstOutput = once(child.stderr, "data");
    child.kill("SIGINT");
    await firstOutput;
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toMatch(/\ntouchstone: ended without a verdict, since SIGINT was received again\n$/);
    await expectGone(pidsAtStart);
  });

  it.each([
    ["calls process.exit", "exit.mjs", "process.exit(0);", "something called process.exit"],
    [
      "waits for a promise that never settles",
      "never.mjs",
      "await new Promise(() => {});",
      "nothing was left to wait for",
    ],
  ])("reports why it ended if a configuration %s", async (_, name, text, cause) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    expect(await touchstone(["run", "ahcp", "--reference", "--config", path]).ended).toEqual({
      code: 2,
      out: "",
      err: `touchstone: ended without a verdict while reading the configuration ${path}, since ${cause}\n`,
    });
  });

  it("reports that process.exit was called if a timer of a configuration calls it later", async () => {
    const path = join(folder, "later.mjs");
    writeFileSync(path, "setTimeout(() => process.exit(0), 500); export default {};");
    const stuckModule = moduleArgs("silent.mjs", "export default () => new Promise(() => {});");
    const { code, out, err } = await touchstone([...stuckModule, "--config", path]).ended;
    expect({ code, out }).toEqual({ code: 4, out: "" });
    expect(err).toBe("touchstone: ended without a verdict, since something called process.exit\n");
  });

  it("prints no error if its standard output is closed", async () => {
    const { child, ended } = touchstone(["list", "vectors", "--protocol", "ahcp", "--vectors", vectors]);
    child.stdout.destroy();
    const { err } = await ended;
    expect(err).toBe("");
  });

  it("keeps its exit code if stderr is closed", async () => {
    const { child, ended } = touchstone(["run", "nothing"]);
    child.stderr.destroy();
    expect((await ended).code).toBe(2);
  });

  it("serves the reference implementation until SIGTERM, and exits with 0", async () => {
    const { child, ended } = touchstone(["serve", "ahcp"]);
    const [url] = await once(child.stdout, "data");
    expect((await fetch(String(url).trim())).status).toBe(200);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
});

describe.skipIf(process.platform === "win32")("a lack of resources", () => {
  const inShell = (script: string): [number | null, string] => {
    const { status, stderr } = spawnSync("sh", ["-c", script, process.execPath, program], {
      cwd: folder,
      encoding: "utf8",
    });
    return [status, stderr];
  };

  it.each([28, 40])("is reported with exit code 2 if only %i files can be opened", (limit) => {
    expect(inShell(`ulimit -n ${limit}; exec "$0" "$1" run ahcp --reference`)).toEqual([
      2,
      expect.stringMatching(/^touchstone: the limit of open files is reached .*\n {2}raise the limit/),
    ]);
  });

  it("is reported with exit code 2 if the working directory no longer exists", () => {
    expect(inShell('mkdir gone; cd gone; rmdir ../gone; exec "$0" "$1" run ./pack')).toEqual([
      2,
      "touchstone: the working directory no longer exists: change to another one\n",
    ]);
  });
});
