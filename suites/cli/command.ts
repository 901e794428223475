import type { Command } from "commander";

/** One command of the program. What it needs beyond its options it imports when it runs, so that help stays instant. */
export interface CliCommand {
  name: string;
  summary: string;
  /** Declares arguments and options. */
  define(command: Command): void;
  /** Resolves to the exit code. */
  run(args: string[], options: Record<string, unknown>): Promise<number>;
}
