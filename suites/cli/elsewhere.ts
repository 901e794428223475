import { Command, CommanderError } from "commander";
import { commands } from "./commands.ts";

/** Which commands have the option that the parser of the command line did not know; undefined for another error, or where none has it. */
export async function elsewhere(error: unknown): Promise<string | undefined> {
  if (!(error instanceof CommanderError) || error.code !== "commander.unknownOption") return undefined;
  const [, option] = /'(--[a-z-]+)/.exec(error.message) ?? [];
  const having: string[] = [];
  for (const { name, load } of commands) {
    const command = await load();
    for (const part of "run" in command ? [{ ...command, name: "" }] : command.parts) {
      const probe = new Command();
      part.define(probe);
      if (probe.options.some(({ long }) => long === option)) having.push(`${name} ${part.name}`.trim());
    }
  }
  return having.length === 0 ? undefined : `${option} is an option of ${having.join(", ")}\n`;
}
