import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { killGroup, spawnGroup } from "../../base/process/group.ts";
import { keepTail } from "../tail.ts";
import { createLineReader } from "./lines.ts";

/** A running command that reads and writes lines. */
export interface Process {
  write(line: string): void;
  /** Resolves to a description of how the command ended, once all its output has been read. */
  ended: Promise<string>;
  /** The exit code if the command has ended by itself; otherwise undefined. */
  exitCode(): number | undefined;
  /** The end of the command's output on stderr, as part of a sentence. */
  outputTail(): string;
  /** Closes the command's stdin. */
  endInput(): void;
  /** Closes the command's stdin, and kills the command if it does not end within a short grace period. */
  finish(): Promise<void>;
  kill(): void;
}

/** Milliseconds that a process gets to end by itself. */
const graceMs = 1000;

/** Starts a command line given by the user: it goes through the shell as it would at a prompt, so that quotes, variables and `cd adapter && ./run` work. `onLine` gets undefined for a line that is too long, and is not called again. */
export function startProcess(command: string, onLine: (line: string | undefined) => void): Process {
  const child = spawnGroup(command, [], { shell: true, stdio: "pipe" }) as ChildProcessWithoutNullStreams;
  const kill = (): void => killGroup(child);
  child.once("exit", () => {
    // A process that left the group may still keep the pipes open.
    setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, graceMs).unref();
  });

  const { push } = createLineReader(onLine);
  child.stdout.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => {
    if (push(chunk)) return;
    child.stdout.destroy();
    onLine(undefined);
  });
  // A broken pipe says less than the exit that causes it.
  child.stdin.on("error", () => {});

  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
    child.once("close", (code, signal) => {
      resolve(signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`);
    });
  });
  return {
    write(line) {
      if (child.stdin.writable) child.stdin.write(`${line}\n`);
    },
    ended,
    exitCode: () => child.exitCode ?? undefined,
    outputTail: keepTail(child.stderr),
    endInput() {
      child.stdin.end();
    },
    async finish() {
      child.stdin.end();
      const killTimer = setTimeout(kill, graceMs);
      await ended;
      clearTimeout(killTimer);
    },
    kill,
  };
}
