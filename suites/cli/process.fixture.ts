import { spawn } from "node:child_process";
import { once } from "node:events";
import { home } from "../../schemas/index.ts";
import { program } from "../base/process/built.fixture.ts";
import { cli } from "./cli.ts";
import { optionsUnknown } from "./printed.fixture.ts";

export interface Ended {
  code: number;
  out: string;
  err: string;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs the program in the process of the test, one call after another since they share its streams; main.e2e.test.ts shows that a separate process behaves the same. */
export function touchstone(...args: string[]): Promise<Ended> {
  const run = last.then(() => captureProcess(process.cwd(), args));
  last = run.catch(() => {});
  return run;
}

/** Runs the program as users do, in a separate process: for commands that guard themselves by starting another one. */
export async function inOwnProcess(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { cwd: home });
  let out = "";
  let err = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const [code] = await once(child, "close");
  return { code: code as number, out, err };
}

/** Commands that work in a process that can be stopped, unless told otherwise. */
const guarding = /^(?:check|compare|coverage|fuzz|generate|lint)$/;

/** Runs the program within this process, with a folder as the working one. Two at once would share the streams. Throws if it prints a command with an option that does not exist. */
export async function captureProcess(folder: string, args: readonly string[]): Promise<Ended> {
  const before = process.cwd();
  const ended: Ended = { code: 0, out: "", err: "" };
  const release = [
    taken(process.stdout, (text) => (ended.out += text)),
    taken(process.stderr, (text) => (ended.err += text)),
  ];
  if (folder !== before) process.chdir(folder);
  try {
    ended.code = await cli(guarding.test(args[0] ?? "") ? [...args, "--unguarded"] : args);
  } finally {
    if (folder !== before) process.chdir(before);
    for (const each of release) each();
  }
  const unknown = await optionsUnknown(ended.out + ended.err);
  if (unknown.length > 0) throw new Error(`it prints what does not exist: ${unknown.join(", ")}`);
  return ended;
}

/** Passes everything that is written to a stream to `take`, until it is released. */
function taken(stream: NodeJS.WriteStream, take: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = (bytes: string | Uint8Array, ...more: unknown[]) => {
    take(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8"));
    const written = more.find((each) => typeof each === "function");
    if (written !== undefined) queueMicrotask(() => written());
    return true;
  };
  return () => {
    stream.write = write;
  };
}

/** Starts a server of the program, in a separate process. If it cannot be started, its output is the error. */
export async function startProcess(...args: string[]): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, [program, ...args], { cwd: home });
  const ended = once(child, "close");
  const failed = once(child.stderr, "data").then(async ([text]) => {
    await ended;
    throw new Error(String(text));
  });
  const [line] = await Promise.race([once(child.stdout, "data"), failed]);
  failed.catch(() => {});
  return {
    url: String(line).trim(),
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
