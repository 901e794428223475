import { Argument, type Command } from "commander";
import type { CliCommand } from "../command.ts";

const shellNames = ["bash", "zsh", "fish"];

const help = `
Examples:
  source <(touchstone completions bash)                                          in ~/.bashrc
  touchstone completions zsh > ~/.zfunc/_touchstone                              with ~/.zfunc in $fpath, before compinit
  touchstone completions fish > ~/.config/fish/completions/touchstone.fish`;

/** This command as declared; its parent is the program to complete. */
let completedProgram: Command | undefined;

export const completions: CliCommand = {
  define(command) {
    completedProgram = command;
    command.addArgument(new Argument("<shell>", "the shell").choices(shellNames)).addHelpText("after", help);
  },
  async run([shell = ""]) {
    const { shapeOf, shells } = await import("../completions/index.ts");
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
