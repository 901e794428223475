import { Command } from "commander";
import { verbs } from "../base/text/program.ts";
import type { CliCommand } from "./command.ts";
import { commands } from "./commands.ts";

/** A command of the program in a text, without the rest of its sentence. */
const command = new RegExp(`touchstone(?: --)? (${verbs.join("|")})(?![\\w-])((?: (?!or |and |\\()[^\\s\`,;]+)*)`, "g");

/** The nonexistent options of commands in a text, such as `fuzz --only`. */
export async function optionsUnknown(text: string): Promise<string[]> {
  const unknownOptions = new Set<string>();
  // Quoted words belong to others.
  for (const [, name = "", argumentText = ""] of text.replace(/'[^'\n]*'|"[^"\n]*"/g, "…").matchAll(command)) {
    const words = argumentText.trim().split(" ");
    // Other commands follow it.
    if (name === "batch") continue;
    const knownOptions = await optionsOf(name, words[0]);
    for (const word of words.flatMap((each) => /^--[a-z][a-z-]*/.exec(each)?.[0] ?? []))
      if (!knownOptions.has(word)) unknownOptions.add(`${name} ${word}`);
  }
  return [...unknownOptions];
}

/** The options of a command, or of a part of a group. */
async function optionsOf(name: string, part: string | undefined): Promise<Set<string>> {
  const loadedCommand = await commands.find((listedCommand) => listedCommand.name === name)?.load();
  const parts: readonly (CliCommand & { name?: string })[] =
    loadedCommand === undefined
      ? []
      : [...("run" in loadedCommand ? [loadedCommand] : []), ...(loadedCommand.parts ?? [])];
  const namedParts = parts.filter((each) => each.name === part);
  const usedParts = namedParts.length > 0 ? namedParts : parts.filter((each) => each.name === undefined);
  const options = (usedParts.length === 0 ? parts : usedParts).flatMap((each) => {
    const defined = new Command();
    each.define(defined);
    return defined.options.map(({ long }) => String(long));
  });
  return new Set([...options, "--help"]);
}
