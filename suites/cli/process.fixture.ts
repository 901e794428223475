import { spawn } from "node:child_process";
import { once } from "node:events";
import { home } from "../../schemas/index.ts";
import { program } from "../base/process/built.fixture.ts";
import { cli } from "./cli.ts";
import { findUnknownOptions } from "./printed.fixture.ts";

export interface ProcessResult {
  code: number;
  out: string;
  err: string;
}

let lastRun: Promise<unknown> = Promise.resolve();

/** Runs the program in the process of the test. Calls wait for each other, because they share the process's streams. (main.e2e.test.ts shows that a separate process behaves the same.) */
export function touchstone(...args: string[]): Promise<ProcessResult> {
  const run = lastRun.then(() => captureProcess(process.cwd(), args));
  lastRun = run.catch(() => {});
  return run;
}

/** Runs the program in a separate process, as users do. Commands that start a guarded process need this. */
export async function runInOwnProcess(...args: string[]): Promise<ProcessResult> {
  const child = spawn(process.execPath, [program, ...args], { cwd: home });
  let out = "";
  let err = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const [code] = await once(child, "close");
  return { code: code as number, out, err };
}

/** Commands that start a guarded process, unless they have the option `--unguarded`. */
const guardedCommands = /^(?:check|compare|coverage|fuzz|generate|lint)$/;

/** Runs the program within this process, in a working folder. Calls must not overlap, because they share the process's streams. Throws if the program prints a command with an option that does not exist. */
export async function captureProcess(folder: string, args: readonly string[]): Promise<ProcessResult> {
  const previousFolder = process.cwd();
  const result: ProcessResult = { code: 0, out: "", err: "" };
  const releases = [
    interceptWrites(process.stdout, (text) => (result.out += text)),
    interceptWrites(process.stderr, (text) => (result.err += text)),
  ];
  if (folder !== previousFolder) process.chdir(folder);
  try {
    result.code = await cli(guardedCommands.test(args[0] ?? "") ? [...args, "--unguarded"] : args);
  } finally {
    if (folder !== previousFolder) process.chdir(previousFolder);
    for (const release of releases) release();
  }
  const unknownOptions = await findUnknownOptions(result.out + result.err);
  if (unknownOptions.length > 0) throw new Error(`it prints unknown options: ${unknownOptions.join(", ")}`);
  return result;
}

/** Passes everything that is written to a stream to `onText`, until the returned function is called. */
function interceptWrites(stream: NodeJS.WriteStream, onText: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    onText(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
    const callback = rest.find((argument) => typeof argument === "function");
    if (callback !== undefined) queueMicrotask(() => callback());
    return true;
  };
  return () => {
    stream.write = write;
  };
}

/** Starts a server command of the program in a separate process. Rejects with its output if it cannot be started. */
export async function startProcess(...args: string[]): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, [program, ...args], { cwd: home });
  const exit = once(child, "close");
  const failure = once(child.stderr, "data").then(async ([text]) => {
    await exit;
    throw new Error(String(text));
  });
  const [firstOutput] = await Promise.race([once(child.stdout, "data"), failure]);
  failure.catch(() => {});
  return {
    url: String(firstOutput).trim(),
    async close() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}
