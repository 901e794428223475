import type { Command, Option } from "commander";
import { builtInPacks, failLevels } from "../../../schemas/index.ts";
import { formats } from "../../reports/index.ts";

/** The possible values of an argument or an option: fixed strings, files, names that `list` prints, or anything. */
export type Candidates = readonly string[] | "files" | "anything" | { lists: readonly string[] };

export interface Flag {
  /** The name, with its dashes. */
  name: string;
  description: string;
  /** Absent for an option without a value. */
  value?: { name: string; candidates: Candidates };
}

export interface CompletionShape {
  name: string;
  /** The names of the built-in protocols. */
  protocols: readonly string[];
  /** All commands. A subcommand has a name of two words, such as `report merge`; its group accepts the names of its subcommands. */
  commands: {
    name: string;
    description: string;
    flags: Flag[];
    positionals: { name: string; candidates: Candidates }[];
  }[];
}

/** Collects the commands of a program with their options and arguments. `listings` are the names that `list` accepts. */
export function shapeOf(program: Command, listings: readonly string[]): CompletionShape {
  const places: CandidatesByName = { ...candidatesByName, "list what": listings };
  const commands = program.commands.flatMap((command) => [command, ...command.commands]);
  return {
    name: program.name(),
    protocols,
    commands: commands.map((command) => {
      const isPart = command.parent !== program;
      const name = isPart ? `${command.parent?.name()} ${command.name()}` : command.name();
      const parts = command.commands.map((part) => part.name());
      return {
        name,
        description: command.description(),
        positionals:
          parts.length > 0 && command.registeredArguments.length === 0
            ? [{ name: "part", candidates: parts }]
            : command.registeredArguments.map((registeredArgument) => ({
                name: registeredArgument.name(),
                candidates: registeredArgument.argChoices ?? candidatesFor(places, registeredArgument.name(), name),
              })),
        flags: [...command.options.filter(({ hidden }) => !hidden).map((option) => flagOf(option, places, name)), help],
      };
    }),
  };
}

const help: Flag = { name: "--help", description: "display help for command" };

function flagOf({ long, description, flags, argChoices }: Option, places: CandidatesByName, command: string): Flag {
  const [, name] = /[<[]([^>\]]+)/.exec(flags) ?? [];
  const flag = { name: long ?? flags, description };
  if (name === undefined) return flag;
  const values = argChoices ?? candidatesByFlag[flag.name] ?? candidatesFor(places, name, command);
  return { ...flag, value: { name, candidates: values } };
}

/** The values of options that the help does not list. */
const candidatesByFlag: Readonly<Record<string, Candidates>> = {
  "--variant": { lists: ["variants"] },
  "--document": { lists: ["documents"] },
  "--reading": { lists: ["readings"] },
  "--fault": { lists: ["faults"] },
  "--family": { lists: ["families"] },
  "--only": { lists: ["rules", "vectors"] },
  "--skip": { lists: ["rules", "vectors"] },
};

/** The candidates for an argument or a value, by its name in the help. */
function candidatesFor(places: CandidatesByName, name: string, command: string): Candidates {
  const knownCandidates = places[`${command} ${name}`] ?? places[name];
  if (knownCandidates !== undefined) return knownCandidates;
  return /^(file|old|new|dir|path|report|folder|config)/.test(name) ? "files" : "anything";
}

const protocols = builtInPacks.map((builtInPack) => builtInPack.name);
type CandidatesByName = Readonly<Record<string, Candidates>>;

/** Each key is the name of an argument or a value as the help shows it, with or without the command before it. */
const candidatesByName: CandidatesByName = {
  protocol: [...protocols, "all"],
  name: "anything",
  "explain name": { lists: ["rules", "vectors", "readings"] },
  "replay id": { lists: ["vectors"] },
  "replay name": [...protocols],
  level: failLevels,
  "coverage what": "files",
  "list name": [...protocols, "all"],
  "init name": protocols,
  "validate name": protocols,
  "format[=file": formats.map((format) => format.name),
  format: formats.map((format) => format.name),
};
