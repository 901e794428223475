import { cli } from "../cli.ts";

export interface Called {
  code: number;
  output: string;
}

let lastCall: Promise<unknown> = Promise.resolve();

/** Runs the command line in this process, in a folder; one call after another, since they share its streams. */
export function runOnce(folder: string, ...words: string[]): Promise<Called> {
  const ownCall = lastCall.then(() => call(folder, words));
  lastCall = ownCall.catch(() => {});
  return ownCall;
}

async function call(folder: string, words: readonly string[]): Promise<Called> {
  const before = process.cwd();
  const { stdout, stderr } = process;
  const writes = [stdout.write, stderr.write] as const;
  let output = "";
  const take = ((text: string | Uint8Array, ...rest: unknown[]): boolean => {
    output += String(text);
    for (const each of rest) if (typeof each === "function") each();
    return true;
  }) as typeof stdout.write;
  stdout.write = take;
  stderr.write = take;
  process.chdir(folder);
  try {
    return { code: await cli(words), output: output };
  } finally {
    process.chdir(before);
    [stdout.write, stderr.write] = writes;
  }
}
