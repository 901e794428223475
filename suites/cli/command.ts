import type { Command } from "commander";

/** One command of the program. To keep help fast, its module imports only what its options need; `run` imports the rest. */
export interface CliCommand {
  /** Declares arguments and options. */
  define(command: Command): void;
  /** Resolves to the exit code. */
  run(args: string[], options: Record<string, unknown>): Promise<number>;
  /** Its subcommands, which work with its results. */
  parts?: readonly PartCommand[];
}

/** A subcommand of a command or of a group. */
export interface PartCommand extends CliCommand {
  name: string;
  summary: string;
}

/** Commands under one name, each with its own help. */
export interface CliGroup {
  /** Printed below the help of the group. */
  help?: string;
  parts: readonly PartCommand[];
}

/** A command as help lists it. Its module is loaded when the command is called, so that help is fast. */
export interface ListedCommand {
  name: string;
  /** The heading of its group in the help. */
  group: string;
  summary: string;
  load(): Promise<CliCommand | CliGroup>;
  /** Whether all other commands must be loaded before it runs. */
  needsAllCommands?: true;
  /** The command that replaces this name. The name still works, but help and completions do not show it. */
  replacedBy?: string;
}
