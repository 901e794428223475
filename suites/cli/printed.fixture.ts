import { Command } from "commander";
import { verbs } from "../base/text/program.ts";
import type { CliCommand } from "./command.ts";
import { commands } from "./commands.ts";

/** A command of the program in a text, without the rest of its sentence. */
const command = new RegExp(`touchstone(?: --)? (${verbs.join("|")})(?![\\w-])((?: (?!or |and |\\()[^\\s\`,;]+)*)`, "g");

/** The nonexistent options of commands in a text, such as `fuzz --only`. */
export async function optionsUnknown(text: string): Promise<string[]> {
  const unknown = new Set<string>();
  // Quoted words belong to others.
  for (const [, name = "", rest = ""] of text.replace(/'[^'\n]*'|"[^"\n]*"/g, "…").matchAll(command)) {
    const words = rest.trim().split(" ");
    // Other commands follow it.
    if (name === "batch") continue;
    const known = await optionsOf(name, words[0]);
    for (const word of words.flatMap((each) => /^--[a-z][a-z-]*/.exec(each)?.[0] ?? []))
      if (!known.has(word)) unknown.add(`${name} ${word}`);
  }
  return [...unknown];
}

/** The options of a command, or of a part of a group. */
async function optionsOf(name: string, part: string | undefined): Promise<Set<string>> {
  const loaded = await commands.find((listedCommand) => listedCommand.name === name)?.load();
  const parts: readonly (CliCommand & { name?: string })[] =
    loaded === undefined ? [] : [...("run" in loaded ? [loaded] : []), ...(loaded.parts ?? [])];
  const named = parts.filter((each) => each.name === part);
  const meant = named.length > 0 ? named : parts.filter((each) => each.name === undefined);
  const options = (meant.length === 0 ? parts : meant).flatMap((each) => {
    const defined = new Command();
    each.define(defined);
    return defined.options.map(({ long }) => String(long));
  });
  return new Set([...options, "--help"]);
}
