import { Argument, type Command } from "commander";
import type { CliCommand } from "../command.ts";

const names = ["bash", "zsh", "fish"];

const help = `
Examples:
  source <(touchstone completions bash)                                          in ~/.bashrc
  touchstone completions zsh > ~/.zfunc/_touchstone                              with ~/.zfunc in $fpath, before compinit
  touchstone completions fish > ~/.config/fish/completions/touchstone.fish`;

// The command as declared: its program is the one to complete.
let completedProgram: Command | undefined;

export const completions: CliCommand = {
  define(command) {
    completedProgram = command;
    command.addArgument(new Argument("<shell>", "the shell").choices(names)).addHelpText("after", help);
  },
  async run([shell = ""]) {
    const { shapeOf, shells } = await import("../completions/index.ts");
    // All commands belong to the same program.
    const program = (completedProgram as Command).parent as Command;
    const { listings } = await import("../output/listings.ts");
    const shape = shapeOf(
      program,
      listings.map((listing) => listing.name),
    );
    process.stdout.write(shells[shell]?.(shape) ?? "");
    return 0;
  },
};
