import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { home } from "../../../schemas/light-entry.ts";

/**
 * What Node is given to run a program of ours that lies beside the module `from`: `./trial` is trial.js where all is built, and trial.ts where
 * it runs from source. There it starts the built one if TOUCHSTONE_BUILT names the folder of a build, as tests do, or else the source
 * through tsx, which takes longer.
 */
export function ownProgram(name: string, from: string): string[] {
  const extension = extname(fileURLToPath(from));
  const file = fileURLToPath(new URL(`${name}${extension}`, from));
  if (extension !== ".ts") return [file];
  const { TOUCHSTONE_BUILT: built } = process.env;
  if (built !== undefined) return [join(built, relative(home, file).replace(/\.ts$/, ".js"))];
  return ["--import", import.meta.resolve("tsx"), file];
}
