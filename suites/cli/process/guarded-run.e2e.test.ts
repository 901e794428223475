import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";
import { program } from "../../base/process/built.fixture.ts";
import { onDebian, skipReason, titleWithReason } from "../../base/process/lacking.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const pack = join(folder, "note");
const schema = join(folder, "note.schema.json");
writeFileSync(schema, JSON.stringify({ type: "object", properties: { id: { type: "string", maxLength: 9 } } }));

function startProgram(...args: string[]) {
  return spawn(process.execPath, [program, ...args], { cwd: home });
}

/** Finds the worker processes that a command has started, with `ps`, which Linux and macOS have. */
function workersOf(pid: number): number[] {
  const processLines = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).stdout.split("\n");
  const processes = processLines.map((line) => /^ *(\d+) +(\d+) (.*)/.exec(line) ?? []);
  return processes.flatMap(([, workerPid, parent, args = ""]) =>
    Number(parent) === pid && args.includes("--unguarded") ? [Number(workerPid)] : [],
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits until a process is gone: an ended process stays visible until its new parent reaps it. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 200; tries > 0 && isRunning(pid); tries--) await sleep(50);
  return !isRunning(pid);
}

function readFiles(path: string): string[][] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [file, readFileSync(file, "utf8")]);
}

const hasPs = process.platform !== "win32" && spawnSync("ps", ["-A"]).status === 0;
const reasonToSkip = skipReason(hasPs, "ps", onDebian("procps"));

describe.skipIf(reasonToSkip !== undefined)(
  titleWithReason("a command that works in another process", reasonToSkip),
  () => {
    it.each([
      ["SIGINT", { code: 130, signal: null }],
      ["SIGTERM", { code: 143, signal: null }],
      ["SIGKILL", { code: null, signal: "SIGKILL" }],
    ] as const)(
      "stops the worker and leaves the files unchanged if %s ends only the command",
      async (name, expectedExit) => {
        await once(startProgram("generate", "--schema", schema, "--out", pack, "--effort", "1"), "close");
        const filesBefore = readFiles(pack);
        const child = startProgram("generate", pack, "--seed", "7");
        let output = "";
        child.stderr.on("data", (chunk) => (output += chunk));
        const exit = once(child, "exit");
        let workers: number[] = [];
        while (workers.length === 0 && child.exitCode === null) workers = workersOf(child.pid as number);
        child.kill(name);
        const [code, signal] = await exit;
        expect({ code, signal }).toEqual(expectedExit);
        expect(workers).toHaveLength(1);
        expect(await isGone(workers[0] as number)).toBe(true);
        expect(readFiles(pack)).toEqual(filesBefore);
        if (name !== "SIGKILL")
          expect(output).toMatch(new RegExp(`^touchstone: stopped by ${name}: unwritten parts`, "m"));
      },
    );
  },
);
