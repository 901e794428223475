import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "../../schemas/index.ts";

/** How a command ended. */
export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Commands that do their work in a process that can be stopped, unless they are told not to. */
const guarding = /^(?:check|compare|coverage|generate|lint)$/;

/** Runs the program within this process, with a folder as the working one. Two at once would share the streams. */
export async function captured(folder: string, args: readonly string[]): Promise<Ended> {
  // By its address, since it is no part of what users import.
  const { cli } = await import(pathToFileURL(join(home, "suites", "cli", "cli.ts")).href);
  const ended: Ended = { code: 0, out: "", err: "" };
  const before = process.cwd();
  const release = [
    taken(process.stdout, (text) => (ended.out += text)),
    taken(process.stderr, (text) => (ended.err += text)),
  ];
  process.chdir(folder);
  try {
    ended.code = await cli(guarding.test(args[0] ?? "") ? [...args, "--unguarded"] : args);
  } finally {
    process.chdir(before);
    for (const each of release) each();
  }
  return ended;
}

/** Takes what is written to a stream, until it is released. */
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
