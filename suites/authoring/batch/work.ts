import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argsFor, type BatchItem } from "./plan.ts";

/** The result of one item, kept as `result.json` in the folder of its key. */
export interface ItemResult {
  key: string;
  path?: string;
  seed?: number;
  words: string[];
  /** Undefined if a signal or the time limit ended it. */
  exitCode?: number;
  signal?: string;
}

export interface BatchWork {
  /** The arguments of a Touchstone command, with placeholders. */
  commandArgs: readonly string[];
  /** The folder of all results. */
  out: string;
  /** The time limit for one item, in seconds. */
  seconds: number;
  signal: AbortSignal;
}

/** How many characters of a command's output are kept. */
const maxOutput = 2 ** 20;

/** Names of files that may differ from run to run: no digest covers them. */
export const temporaryFiles: readonly string[] = ["output.txt", "time.json"];

export function isDone(out: string, { key }: BatchItem): boolean {
  return existsSync(join(out, key, "result.json"));
}

/** Runs the command for one item in a separate process. The folder of the item appears under its key only when it is complete, so a killed process leaves no partial result. Returns undefined if the item was interrupted. */
export async function workItem(
  item: BatchItem,
  { commandArgs, out, seconds, signal }: BatchWork,
): Promise<ItemResult | undefined> {
  const unfinishedFolder = join(out, ".unfinished");
  mkdirSync(unfinishedFolder, { recursive: true });
  const folder = mkdtempSync(join(unfinishedFolder, `${item.key}-`));
  const outFolder = join(folder, "out");
  mkdirSync(outFolder);
  const startTime = performance.now();
  const ending = await runCommand(argsFor(item, commandArgs, outFolder), seconds, signal);
  if (signal.aborted) {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  const { key, path, seed } = item;
  const result: ItemResult = {
    key,
    ...(path === undefined ? {} : { path }),
    ...(seed === undefined ? {} : { seed }),
    words: argsFor(item, commandArgs, "{out}"),
    ...(ending.code === null ? { signal: ending.signal ?? "over time" } : { exitCode: ending.code }),
  };
  writeFileSync(join(folder, "output.txt"), ending.output.replaceAll(outFolder, "{out}"));
  writeFileSync(join(folder, "time.json"), `${JSON.stringify({ seconds: (performance.now() - startTime) / 1000 })}\n`);
  writeFileSync(join(folder, "result.json"), `${JSON.stringify(result, null, 2)}\n`);
  moveIntoPlace(folder, join(out, key));
  return result;
}

/** Moves the folder of an item. If another process has finished the same item first, the folder of that process is kept. */
function moveIntoPlace(folder: string, target: string): void {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
}

function runCommand(
  commandArgs: readonly string[],
  seconds: number,
  signal: AbortSignal,
): Promise<{ code: number | null; signal: string | null; output: string }> {
  const [node, program] = process.argv as [string, string];
  const child = spawn(node, [...process.execArgv, program, ...commandArgs], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const collect = (chunk: Buffer): void => {
    if (output.length < maxOutput) output += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return new Promise((resolve, reject) => {
    let isTimedOut = false;
    const stop = (): void => void child.kill("SIGTERM");
    const timer = setTimeout(() => {
      isTimedOut = true;
      child.kill("SIGKILL");
    }, seconds * 1000);
    signal.addEventListener("abort", stop);
    child.once("error", reject);
    child.once("close", (code, endSignal) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve({ code, signal: isTimedOut ? "over time" : endSignal, output: output.slice(0, maxOutput) });
    });
  });
}
