import { exitCodes } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import type { Recorder } from "../../running/recordings/write.ts";

/** The recorder for a folder; undefined if none is named. Throws a usage error if the folder cannot be written. */
export async function recorderFor(folder: string | undefined): Promise<Recorder | undefined> {
  if (folder === undefined) return undefined;
  const { recorderIn } = await import("../../running/recordings/write.ts");
  return recorderIn(folder);
}

/** The exit code, or that of wrong usage if it would be 0 and something could not be recorded, which is reported on stderr. */
export function recordedOr(recorder: Recorder | undefined, code: number): number {
  const problem = recorder?.problem();
  if (problem === undefined) return code;
  process.stderr.write(`${escapeInvisible(problem)}\n`);
  return code === 0 ? exitCodes.usage : code;
}
