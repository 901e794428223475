import { changedSince, type Protocol } from "../../schemas/index.ts";
import { visible } from "../text/escape.ts";
import { program } from "../text/program.ts";
import { quote } from "../text/quote.ts";

/** Says on stderr which schemas have changed since a pack was made of them, and the command that makes it anew. */
export function tellChanged({ folder, foreign }: Protocol): void {
  const changed = foreign === true ? changedSince(folder) : undefined;
  if (changed === undefined) return;
  const { files, options } = changed;
  const command = [program(), "generate", ...options.map(quote)].join(" ");
  const have = files.length === 1 ? "has" : "have";
  process.stderr.write(
    `${visible(`${files.join(", ")} ${have} changed since the vectors were made, which know nothing of it. To make them anew: ${command}`)}\n`,
  );
}
