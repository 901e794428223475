import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { example, type Manifest, ownVectors, TouchstoneError, version } from "../../schemas/light-entry.ts";
import { hideSecrets } from "../base/secrets/output-filter.ts";
import { renameProgram } from "../base/text/program.ts";
import type { CliCommand, CliGroup } from "./command.ts";
import { commands } from "./commands.ts";
import { alignColumns } from "./output/columns.ts";
import { printError } from "./process/failure.ts";

const firstSteps = `
First steps:
  touchstone run ${example.protocol} --reference               a run without failures
  touchstone serve ${example.protocol}                         an implementation to play with, over HTTP
  touchstone init --http http://127.0.0.1:8080  try yours out, and write a configuration for it
  touchstone generate --schema FILE.json        vectors of a schema of your own, to run against your implementation
  touchstone run --report html=report.html      the result, rule by rule
  touchstone explain ${example.rule}               a rule: its demand, its tests, how to fix a violation

Exit codes: 0 conforms, 1 violations, 2 usage, 3 target could not be run, 4 internal.`;

/** Runs a command line. Prints results on stdout and everything else on stderr. Resolves to the exit code; never rejects. */
export async function cli(args: readonly string[]): Promise<number> {
  await registerSecrets(args);
  let code = 0;
  const program = new Command("touchstone")
    .description("Says rule by rule whether an implementation conforms to a protocol, a JSON Schema or an API.")
    .version(asksForVersion(args) ? describeVersions() : version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(alignColumns(renameProgram(text))),
      // The error of the parser repeats unknown arguments, which may contain a secret.
      writeErr: (text) =>
        process.stderr.write(hideSecrets(renameProgram(text.replace(/'(--[\w-]+)=[^']*'/g, "'$1=…'")))),
    })
    .showHelpAfterError("(--help shows all commands and options)")
    .addHelpText("after", firstSteps);
  const loadsEverything = commands.some(
    ({ name, needsAllCommands }) => needsAllCommands === true && args.includes(name),
  );
  const attach = (command: CliCommand, parent: Command): void => {
    command.define(parent);
    parent.action(async () => {
      code = await command.run(parent.args, parent.opts());
    });
  };
  const loadedByName = new Map<string, CliCommand | CliGroup>();
  for (const { name, group, summary, load, replacedBy } of commands) {
    const isReplaced = replacedBy !== undefined;
    if (isReplaced && !args.includes(name)) continue;
    const subcommand = program.commandsGroup(group).command(name, { hidden: isReplaced }).description(summary);
    if (!loadsEverything && !args.includes(name)) continue;
    const command = await load();
    loadedByName.set(name, command);
    const isPartCalled = command.parts?.some((part) => part.name === args[args.indexOf(name) + 1]) === true;
    // If a part is called, the command itself must not parse the options of the part.
    if ("run" in command && !isPartCalled) attach(command, subcommand);
    else if (!("run" in command)) subcommand.addHelpText("after", command.help ?? "");
    if (command.parts === undefined) continue;
    subcommand.helpCommand(false);
    for (const part of command.parts) attach(part, subcommand.command(part.name).description(part.summary));
  }
  // Called last, so that help lists the help command under the last heading.
  program.helpCommand(true);
  try {
    await program.parseAsync(await withHelpLast(args, loadedByName), { from: "user" });
    return code;
  } catch (error) {
    const { suggestCommands } = await import("./unknown-option.ts");
    process.stderr.write((await suggestCommands(error, args)) ?? "");
    return printError(error);
  }
}

/** Converts `help NAME…` to `NAME… --help`. Throws a usage error for help on an unknown command. */
async function withHelpLast(
  args: readonly string[],
  loadedCommands: ReadonlyMap<string, CliCommand | CliGroup>,
): Promise<string[]> {
  const isHelp = args[0] === "help";
  if (!isHelp && !args.some((arg) => arg === "--help" || arg === "-h")) return [...args];
  const topics = isHelp ? args.slice(1) : args;
  const [name, part] = topics;
  if (name === undefined || name.startsWith("-")) return isHelp ? ["--help"] : [...args];
  await requireCommand(
    name,
    commands.map((listedCommand) => listedCommand.name),
    "touchstone",
  );
  const command = loadedCommands.get(name);
  const parts = command?.parts?.map((partCommand) => partCommand.name) ?? [];
  if (command !== undefined && !("run" in command) && part !== undefined && !part.startsWith("-"))
    await requireCommand(part, parts, `touchstone ${name}`);
  return isHelp ? [name, ...(part !== undefined && parts.includes(part) ? [part] : []), "--help"] : [...args];
}

/** Registers the logins in addresses as secrets, so that no output shows them. They may be anywhere on a command line, even among unknown arguments. */
async function registerSecrets(args: readonly string[]): Promise<void> {
  const addresses = args.filter((arg) => /:[/\\]{2}|https?:/i.test(arg));
  if (addresses.length === 0) return;
  const { rememberSecrets, secretsIn } = await import("../base/secrets/index.ts");
  rememberSecrets(secretsIn(addresses));
}

async function requireCommand(name: string, names: readonly string[], parent: string): Promise<void> {
  if (names.includes(name)) return;
  const { nearestName } = await import("../../schemas/index.ts");
  throw new TouchstoneError("usage", `unknown command "${name}"`, {
    hint: `${nearestName(name, names)}${parent} --help shows all`,
  });
}

function asksForVersion([first]: readonly string[]): boolean {
  return first === "--version" || first === "-V";
}

/** The version of the package, and the version and digest of its vectors. */
function describeVersions(): string {
  try {
    const { version: vectorsVersion, digest } = JSON.parse(
      readFileSync(join(ownVectors, "MANIFEST.json"), "utf8"),
    ) as Manifest;
    return `${version}\nvectors ${vectorsVersion} ${digest}`;
  } catch {
    return `${version}\nvectors: they are missing`;
  }
}
