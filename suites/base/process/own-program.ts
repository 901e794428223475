import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { home } from "../../../schemas/light-entry.ts";

/**
 * The arguments of Node for a program of ours beside the module `from`: `./trial` is trial.js in a build, and trial.ts in source. From
 * source it starts the built program if TOUCHSTONE_BUILT names the folder of a build, as tests do, or else the source through tsx, which is
 * slower.
 */
export function ownProgram(name: string, from: string): string[] {
  const extension = extname(fileURLToPath(from));
  const file = fileURLToPath(new URL(`${name}${extension}`, from));
  if (extension !== ".ts") return [file];
  const { TOUCHSTONE_BUILT: built } = process.env;
  if (built !== undefined) return [join(built, relative(home, file).replace(/\.ts$/, ".js"))];
  return ["--import", import.meta.resolve("tsx"), file];
}
