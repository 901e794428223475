import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { example, type Manifest, ownVectors, version } from "../../schemas/index.ts";
import { commands } from "./commands.ts";
import { codeOf } from "./failure.ts";

const firstSteps = `
First steps:
  touchstone run ${example.protocol} --reference               how a run looks when all is well
  touchstone serve ${example.protocol}                         an implementation to play with, over HTTP
  touchstone init --http http://127.0.0.1:8080  try yours out, and write a configuration for it
  touchstone run --report html=report.html      what conforms and what does not, rule by rule
  touchstone explain ${example.rule}               what a rule demands, how it is tested, how to fix it

Exit codes: 0 conforms, 1 violations, 2 usage, 3 target could not be run, 4 internal.`;

/** Runs a command line, results on stdout and the rest on stderr. Resolves to the exit code and never rejects. */
export async function cli(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = new Command("touchstone")
    .description("Says rule by rule whether an implementation conforms to an agent-message protocol.")
    .version(isVersionAsked(args) ? versions() : version)
    .exitOverride()
    .showHelpAfterError("(--help shows what there is)")
    .addHelpText("after", firstSteps);
  const isWhole = commands.some(({ name, isAboutAll }) => isAboutAll === true && args.includes(name));
  for (const { name, summary, load } of commands) {
    const sub = program.command(name).description(summary);
    if (!isWhole && !args.includes(name)) continue;
    const command = await load();
    command.define(sub);
    sub.action(async () => {
      code = await command.run(sub.args, sub.opts());
    });
  }
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return codeOf(error);
  }
}

function isVersionAsked([first]: readonly string[]): boolean {
  return first === "--version" || first === "-V";
}

/** The version of the package, and which vectors came with it: the digest of their manifest. */
function versions(): string {
  try {
    const { version: set, digest } = JSON.parse(readFileSync(join(ownVectors, "MANIFEST.json"), "utf8")) as Manifest;
    return `${version}\nvectors ${set} ${digest}`;
  } catch {
    return `${version}\nvectors: they are missing`;
  }
}
