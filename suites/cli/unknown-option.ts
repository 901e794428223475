import { Command, CommanderError } from "commander";
import type { CliCommand, CliGroup, PartCommand } from "./command.ts";
import { commands } from "./commands.ts";

/** Suggests commands after an error of the command-line parser: those that have the unknown option, or the subcommands of the named group. Undefined if there is nothing to suggest. */
export async function suggestCommands(error: unknown, [commandName]: readonly string[]): Promise<string | undefined> {
  if (!(error instanceof CommanderError)) return undefined;
  if (error.code === "commander.unknownCommand") return listParts(commandName);
  if (error.code !== "commander.unknownOption") return undefined;
  const [, option] = /'(--[a-z-]+)/.exec(error.message) ?? [];
  const commandsWithOption: string[] = [];
  for (const { name, load, replacedBy } of commands) {
    if (replacedBy !== undefined) continue;
    const command = await load();
    for (const part of allParts(command)) {
      const probe = new Command();
      part.define(probe);
      if (probe.options.some(({ long }) => long === option)) commandsWithOption.push(`${name} ${part.name}`.trim());
    }
  }
  return commandsWithOption.length === 0 ? undefined : `${option} is an option of ${commandsWithOption.join(", ")}\n`;
}

async function listParts(name: string | undefined): Promise<string | undefined> {
  const command = await commands.find((listedCommand) => listedCommand.name === name)?.load();
  if (command === undefined || "run" in command) return undefined;
  return `it is one of: ${command.parts.map((part) => `${name} ${part.name}`).join(", ")}\n`;
}

/** The subcommands of a command, and before them the command itself, under an empty name, if it can run alone. */
function allParts(command: CliCommand | CliGroup): readonly PartCommand[] {
  const ownCommand = "run" in command ? [{ ...command, name: "", summary: "" }] : [];
  return [...ownCommand, ...(command.parts ?? [])];
}
