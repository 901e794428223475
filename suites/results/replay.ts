import type { Report, Run } from "../../schemas/index.ts";
import { quote } from "../base/text/quote.ts";
import { kindOf } from "./kind.ts";
import { extentOptions } from "./options.ts";

const callPattern = /(touchstone(?: --)?|main\.ts'?) (run|play|fuzz|challenge|agent) ('(?:[^']|'\\'')*'|\S+)/;

/** The options for the extent of generation, which come last. */
const extent = new RegExp(`(?: --(?:${extentOptions.join("|")}) [\\d:]+)+$`);

/** The command that repeats a single vector or scenario of the run that `command` repeats. A stored vector is replayed, without reports; a vector generated for the run, or a scenario played with another party, uses that command restricted to it. */
export function replay(command: string, protocol: string, id: string): string {
  const [whole = "", program = "", verb = "", named = ""] = callPattern.exec(command) ?? [];
  // The folder of a pack, or the document that it was made from, identifies the pack better than its name.
  const isOwn = /[/\\']|^\.|\.(json|ya?ml)$/i.test(named);
  if (verb === "run") {
    const packOption = isOwn ? ` --protocol ${named}` : "";
    return command
      .replace(whole, () => `${program} replay ${quote(id)}${packOption}`)
      .replace(/ --scenarios(?= |$)/, "");
  }
  const one = command.replace(whole, () => `${program} ${verb} ${isOwn ? named : protocol}`);
  return verb === "fuzz" ? `${one.replace(extent, "")}${wayTo(id)}` : `${one} --only ${quote(id)}`;
}

/** The command that repeats a single vector of a run; undefined if the report has no command. */
export function replayIn({ command: whole }: Report, run: Run, id: string): string | undefined {
  const { command = whole, protocol, readings = [] } = run;
  // Readings of other protocols would be unknown here.
  const ownCommand = command.replace(/ --reading (\S+)/g, (match, name: string) =>
    readings.includes(name) ? match : "",
  );
  return command === "" ? undefined : replay(ownCommand, protocol, id);
}

/** The beginning of that command, to be followed by the id of any vector of the run; undefined if each vector has its own command, or if there is none. */
export function replayStem(report: Report, run: Run): string | undefined {
  const command = replayIn(report, run, "ID");
  if (command?.endsWith(" --only ID") === true) return command.slice(0, -"ID".length);
  return command?.includes(" replay ID") === true ? `${command.replace(" replay ID", () => " replay")} ` : undefined;
}

/** The options that lead from a seed to the same random message or walk. */
function wayTo(id: string): string {
  const [, document, path] = /\/([^/]+)\/[a-z]+\/fuzz\/\d+\/([\d:x]+)$/.exec(id) ?? [];
  if (path !== undefined) return ` --document ${document} --path ${path}`;
  const [, walk] = /\/scenarios\/walk-(\d+)\//.exec(id) ?? [];
  if (walk !== undefined) return ` --walks 1 --path ${walk}`;
  return kindOf(id) === "race" ? " --walks 1" : "";
}
