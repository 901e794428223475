import type { Command } from "commander";
import { failLevels, known } from "../../../schemas/index.ts";
import { formats } from "../../reports/index.ts";

/** What can stand in a place: these words, a file, or something that nobody can guess. */
export type Candidates = readonly string[] | "files" | "anything";

export interface Flag {
  /** With its dashes. */
  name: string;
  says: string;
  /** Absent for one that takes no value. */
  value?: { name: string; candidates: Candidates };
}

export interface Shape {
  name: string;
  commands: { name: string; says: string; flags: Flag[]; places: { name: string; candidates: Candidates }[] }[];
}

/** A program as its commands declare it; `listings` are the words that `list` takes. */
export function shapeOf(program: Command, listings: readonly string[]): Shape {
  const places: WordsByPlace = { ...everywhere, "list what": listings };
  return {
    name: program.name(),
    commands: program.commands.map((command) => ({
      name: command.name(),
      says: command.description(),
      places: command.registeredArguments.map((each) => ({
        name: each.name(),
        candidates: each.argChoices ?? candidates(places, each.name(), command.name()),
      })),
      flags: [
        ...command.options.map(({ long, description, flags, argChoices }): Flag => {
          const [, name] = /[<[]([^>\]]+)/.exec(flags) ?? [];
          const flag = { name: long ?? flags, says: description };
          return name === undefined
            ? flag
            : { ...flag, value: { name, candidates: argChoices ?? candidates(places, name, command.name()) } };
        }),
        { name: "--help", says: "display help for command" },
      ],
    })),
  };
}

/** By what a place is called in the help. */
function candidates(places: WordsByPlace, name: string, command: string): Candidates {
  const words = places[`${command} ${name}`] ?? places[name];
  if (words !== undefined) return words;
  return /^(file|dir|path|report|folder|config)/.test(name) ? "files" : "anything";
}

const protocols = known.map((each) => each.name);
type WordsByPlace = Readonly<Record<string, Candidates>>;

const everywhere: WordsByPlace = {
  protocol: [...protocols, "all"],
  name: "anything",
  level: failLevels,
  "coverage what": "files",
  "list name": [...protocols, "all"],
  "init name": protocols,
  "validate name": protocols,
  "format[=file": formats.map((each) => each.name),
  format: formats.map((each) => each.name),
};
