import { Command, CommanderError } from "commander";
import type { CliCommand, CliGroup, PartCommand } from "./command.ts";
import { commands } from "./commands.ts";

/**
 * Suggestions for words that the parser of the command line did not know: the commands that have the option, or the parts of the named group.
 * Undefined for another error, or if there is none.
 */
export async function suggestElsewhere(error: unknown, [first]: readonly string[]): Promise<string | undefined> {
  if (!(error instanceof CommanderError)) return undefined;
  if (error.code === "commander.unknownCommand") return partsOf(first);
  if (error.code !== "commander.unknownOption") return undefined;
  const [, option] = /'(--[a-z-]+)/.exec(error.message) ?? [];
  const having: string[] = [];
  for (const { name, load, replacedBy } of commands) {
    if (replacedBy !== undefined) continue;
    const command = await load();
    for (const part of partsAndOwn(command)) {
      const probe = new Command();
      part.define(probe);
      if (probe.options.some(({ long }) => long === option)) having.push(`${name} ${part.name}`.trim());
    }
  }
  return having.length === 0 ? undefined : `${option} is an option of ${having.join(", ")}\n`;
}

async function partsOf(name: string | undefined): Promise<string | undefined> {
  const command = await commands.find((listedCommand) => listedCommand.name === name)?.load();
  if (command === undefined || "run" in command) return undefined;
  return `it is one of: ${command.parts.map((part) => `${name} ${part.name}`).join(", ")}\n`;
}

/** A command itself, without a name, if it runs alone; and its parts. */
function partsAndOwn(command: CliCommand | CliGroup): readonly PartCommand[] {
  const ownCommand = "run" in command ? [{ ...command, name: "", summary: "" }] : [];
  return [...ownCommand, ...(command.parts ?? [])];
}
