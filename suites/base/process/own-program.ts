import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { home } from "../../../schemas/light-entry.ts";

/** Returns the arguments for Node that start a program beside the module `from`: `./trial` is trial.js in a build and trial.ts in source. From source, the built program is started if TOUCHSTONE_BUILT names the folder of a build, as in tests. Otherwise the source runs through tsx, which is slower. */
export function nodeArgumentsFor(name: string, from: string): string[] {
  const extension = extname(fileURLToPath(from));
  const file = fileURLToPath(new URL(`${name}${extension}`, from));
  if (extension !== ".ts") return [file];
  const { TOUCHSTONE_BUILT: built } = process.env;
  if (built !== undefined) return [join(built, relative(home, file).replace(/\.ts$/, ".js"))];
  return ["--import", import.meta.resolve("tsx"), file];
}
