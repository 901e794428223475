import { exitCodes } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import type { Recorder } from "../../running/recordings/write.ts";

/** Creates a recorder for a folder; undefined if no folder is named. Throws a usage error if the folder cannot be written. */
export async function recorderFor(folder: string | undefined): Promise<Recorder | undefined> {
  if (folder === undefined) return undefined;
  const { recorderIn } = await import("../../running/recordings/write.ts");
  return recorderIn(folder);
}

/** Prints why the recording failed, if it did. Returns `code`, or the exit code for wrong usage if the recording failed and `code` is 0. */
export function recordedOr(recorder: Recorder | undefined, code: number): number {
  const problem = recorder?.problem();
  if (problem === undefined) return code;
  process.stderr.write(`${escapeInvisible(problem)}\n`);
  return code === 0 ? exitCodes.usage : code;
}
