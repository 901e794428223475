import { cli } from "../cli.ts";

export interface CommandResult {
  code: number;
  output: string;
}

let lastCall: Promise<unknown> = Promise.resolve();

/** Runs the command line in this process, in a folder; one call after another, since they share its streams. */
export function runOnce(folder: string, ...args: string[]): Promise<CommandResult> {
  const thisCall = lastCall.then(() => runCommand(folder, args));
  lastCall = thisCall.catch(() => {});
  return thisCall;
}

async function runCommand(folder: string, args: readonly string[]): Promise<CommandResult> {
  const startFolder = process.cwd();
  const { stdout, stderr } = process;
  const writes = [stdout.write, stderr.write] as const;
  let output = "";
  const capture = ((text: string | Uint8Array, ...rest: unknown[]): boolean => {
    output += String(text);
    for (const callback of rest) if (typeof callback === "function") callback();
    return true;
  }) as typeof stdout.write;
  stdout.write = capture;
  stderr.write = capture;
  process.chdir(folder);
  try {
    return { code: await cli(args), output: output };
  } finally {
    process.chdir(startFolder);
    [stdout.write, stderr.write] = writes;
  }
}
