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

/** Commands that start a guarded process, unless they have the option `--unguarded`. */
const guarding = /^(?:check|compare|coverage|fuzz|generate|lint)$/;

/** Runs the program within this process, with a folder as the working one. Two at once would share the streams. Throws if it prints a command with an option that does not exist. */
export async function captureProcess(folder: string, args: readonly string[]): Promise<Ended> {
  const before = process.cwd();
  const result: Ended = { code: 0, out: "", err: "" };
  const release = [
    interceptWrites(process.stdout, (text) => (result.out += text)),
    interceptWrites(process.stderr, (text) => (result.err += text)),
  ];
  if (folder !== before) process.chdir(folder);
  try {
    result.code = await cli(guarding.test(args[0] ?? "") ? [...args, "--unguarded"] : args);
  } finally {
    if (folder !== before) process.chdir(before);
    for (const each of release) each();
  }
  const unknownOptions = await optionsUnknown(result.out + result.err);
  if (unknownOptions.length > 0) throw new Error(`it prints what does not exist: ${unknownOptions.join(", ")}`);
  return result;
}

/** Passes everything that is written to a stream to `take`, until it is released. */
function interceptWrites(stream: NodeJS.WriteStream, take: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = (bytes: string | Uint8Array, ...rest: unknown[]) => {
    take(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8"));
    const callback = rest.find((each) => typeof each === "function");
    if (callback !== undefined) queueMicrotask(() => callback());
    return true;
  };
  return () => {
    stream.write = write;
  };
}

/** Starts a server of the program, in a separate process. If it cannot be started, its output is the error. */
export async function startProcess(...args: string[]): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, [program, ...args], { cwd: home });
  const exit = once(child, "close");
  const failure = once(child.stderr, "data").then(async ([text]) => {
    await exit;
    throw new Error(String(text));
  });
  const [line] = await Promise.race([once(child.stdout, "data"), failure]);
  failure.catch(() => {});
  return {
    url: String(line).trim(),
    async close() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}
