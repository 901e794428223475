import type { Command } from "commander";

/** One command of the program. What it needs beyond its options it imports when it runs. */
export interface CliCommand {
  /** Declares arguments and options. */
  define(command: Command): void;
  /** Resolves to the exit code. */
  run(args: string[], options: Record<string, unknown>): Promise<number>;
}

/** A command as help lists it. The rest of it is loaded when it is named, so that help stays instant. */
export interface ListedCommand {
  name: string;
  summary: string;
  load(): Promise<CliCommand>;
  /** It tells of all the others, which have to be loaded for it. */
  isAboutAll?: true;
}
