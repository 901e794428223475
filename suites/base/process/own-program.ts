import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { home } from "../../../schemas/light-entry.ts";

/** The arguments for Node that start one of our programs, beside the module `from`: `./trial` is trial.js in a build and trial.ts in source. In source, it starts the built program if TOUCHSTONE_BUILT names the folder of a build, as in tests; otherwise it runs the source through tsx, which is slower. */
export function ownProgram(name: string, from: string): string[] {
  const extension = extname(fileURLToPath(from));
  const file = fileURLToPath(new URL(`${name}${extension}`, from));
  if (extension !== ".ts") return [file];
  const { TOUCHSTONE_BUILT: built } = process.env;
  if (built !== undefined) return [join(built, relative(home, file).replace(/\.ts$/, ".js"))];
  return ["--import", import.meta.resolve("tsx"), file];
}
