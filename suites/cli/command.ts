import type { Command } from "commander";

/** One command of the program. It imports everything except its options when it runs. */
export interface CliCommand {
  /** Declares arguments and options. */
  define(command: Command): void;
  /** Resolves to the exit code. */
  run(args: string[], options: Record<string, unknown>): Promise<number>;
  /** Commands under its name, for its results. */
  parts?: readonly PartCommand[];
}

/** One of the commands in a group. */
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

/** A command as help lists it. The rest of it is loaded when it is called, so that help stays instant. */
export interface ListedCommand {
  name: string;
  /** The heading above it. */
  group: string;
  summary: string;
  load(): Promise<CliCommand | CliGroup>;
  /** Whether it describes all other commands, which must be loaded for it. */
  isAboutAll?: true;
  /** The command that replaces this name. The name still works, but help and completions do not show it. */
  replacedBy?: string;
}
