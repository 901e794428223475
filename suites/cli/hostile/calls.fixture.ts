import { cli } from "../cli.ts";

export interface Called {
  code: number;
  said: string;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs the command line in this process, in a folder; one call after another, since they share its streams. */
export function runOnce(folder: string, ...words: string[]): Promise<Called> {
  const mine = last.then(() => call(folder, words));
  last = mine.catch(() => {});
  return mine;
}

async function call(folder: string, words: readonly string[]): Promise<Called> {
  const before = process.cwd();
  const { stdout, stderr } = process;
  const writes = [stdout.write, stderr.write] as const;
  let said = "";
  const take = ((text: string | Uint8Array, ...more: unknown[]): boolean => {
    said += String(text);
    for (const each of more) if (typeof each === "function") each();
    return true;
  }) as typeof stdout.write;
  stdout.write = take;
  stderr.write = take;
  process.chdir(folder);
  try {
    return { code: await cli(words), said };
  } finally {
    process.chdir(before);
    [stdout.write, stderr.write] = writes;
  }
}
