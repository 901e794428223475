import { Command } from "commander";
import { verbs } from "../base/text/program.ts";
import type { CliCommand } from "./command.ts";
import { commands } from "./commands.ts";

/** Matches a command in prose: its name, and its arguments up to the end of the clause. */
const commandInText = new RegExp(
  `touchstone(?: --)? (${verbs.join("|")})(?![\\w-])((?: (?!or |and |\\()[^\\s\`,;]+)*)`,
  "g",
);

/** Finds the unknown options in the commands of a text, such as `fuzz --only`. */
export async function findUnknownOptions(text: string): Promise<string[]> {
  const unknownOptions = new Set<string>();
  // Quoted parts are arguments, not options.
  for (const [, name = "", argumentText = ""] of text.replace(/'[^'\n]*'|"[^"\n]*"/g, "…").matchAll(commandInText)) {
    const args = argumentText.trim().split(" ");
    // The arguments of batch contain another command with its options.
    if (name === "batch") continue;
    const knownOptions = await optionsOf(name, args[0]);
    for (const option of args.flatMap((arg) => /^--[a-z][a-z-]*/.exec(arg)?.[0] ?? []))
      if (!knownOptions.has(option)) unknownOptions.add(`${name} ${option}`);
  }
  return [...unknownOptions];
}

/** The options of a command, or of its subcommand. */
async function optionsOf(name: string, part: string | undefined): Promise<Set<string>> {
  const loadedCommand = await commands.find((listedCommand) => listedCommand.name === name)?.load();
  const parts: readonly (CliCommand & { name?: string })[] =
    loadedCommand === undefined
      ? []
      : [...("run" in loadedCommand ? [loadedCommand] : []), ...(loadedCommand.parts ?? [])];
  const namedParts = parts.filter((candidate) => candidate.name === part);
  const calledParts = namedParts.length > 0 ? namedParts : parts.filter((candidate) => candidate.name === undefined);
  const options = (calledParts.length === 0 ? parts : calledParts).flatMap((calledPart) => {
    const probe = new Command();
    calledPart.define(probe);
    return probe.options.map(({ long }) => String(long));
  });
  return new Set([...options, "--help"]);
}
