import type { Report, Run } from "../../schemas/index.ts";
import { quoteForShell } from "../base/text/quote.ts";
import { kindOf } from "./kind.ts";
import { extentOptions } from "./options.ts";

/** A call of the program in a command: the program, the subcommand, and the pack, which may be quoted for a shell. */
const callPattern = /(touchstone(?: --)?|main\.ts'?) (run|play|fuzz|challenge|agent) ('(?:[^']|'\\'')*'|\S+)/;

/** The options for the extent of generation, at the end of a command. */
const extentAtEnd = new RegExp(`(?: --(?:${extentOptions.join("|")}) [\\d:]+)+$`);

/** The command that repeats a single vector or scenario of a run, made from the command of the run. A stored vector is replayed. A vector generated for the run, or a scenario with another party, needs the same command, restricted to it. */
export function replay(command: string, protocol: string, id: string): string {
  const [call = "", program = "", verb = "", packName = ""] = callPattern.exec(command) ?? [];
  // A pack is better identified by its folder, or by the document that it was made from, than by its name.
  const isPath = /[/\\']|^\.|\.(json|ya?ml)$/i.test(packName);
  if (verb === "run") {
    const packOption = isPath ? ` --protocol ${packName}` : "";
    return command
      .replace(call, () => `${program} replay ${quoteForShell(id)}${packOption}`)
      .replace(/ --scenarios(?= |$)/, "");
  }
  const restricted = command.replace(call, () => `${program} ${verb} ${isPath ? packName : protocol}`);
  return verb === "fuzz"
    ? `${restricted.replace(extentAtEnd, "")}${pathOptions(id)}`
    : `${restricted} --only ${quoteForShell(id)}`;
}

/** The command that repeats a single vector of a run; undefined if the report has no command. */
export function replayCommandOf({ command: reportCommand }: Report, run: Run, id: string): string | undefined {
  const { command = reportCommand, protocol, readings = [] } = run;
  // Readings of other protocols would be unknown here.
  const ownCommand = command.replace(/ --reading (\S+)/g, (match, name: string) =>
    readings.includes(name) ? match : "",
  );
  return command === "" ? undefined : replay(ownCommand, protocol, id);
}

/** The command without the id, which can be followed by the id of any vector of the run; undefined if each vector needs its own command, or if the report has none. */
export function replayStem(report: Report, run: Run): string | undefined {
  const command = replayCommandOf(report, run, "ID");
  if (command?.endsWith(" --only ID") === true) return command.slice(0, -"ID".length);
  return command?.includes(" replay ID") === true ? `${command.replace(" replay ID", () => " replay")} ` : undefined;
}

/** The options that lead from a seed to the same random message or walk. */
function pathOptions(id: string): string {
  const [, document, path] = /\/([^/]+)\/[a-z]+\/fuzz\/\d+\/([\d:x]+)$/.exec(id) ?? [];
  if (path !== undefined) return ` --document ${document} --path ${path}`;
  const [, walk] = /\/scenarios\/walk-(\d+)\//.exec(id) ?? [];
  if (walk !== undefined) return ` --walks 1 --path ${walk}`;
  return kindOf(id) === "race" ? " --walks 1" : "";
}
