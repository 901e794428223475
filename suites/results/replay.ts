import type { Report, Run } from "../../schemas/index.ts";
import { quote } from "./command-line.ts";
import { kindOf } from "./kind.ts";

/** The command that repeats a single vector of a run that `command` repeats. */
export function replay(command: string, protocol: string, id: string): string {
  const called = /(touchstone(?: --)? (run|play|fuzz|challenge|agent)) ('(?:[^']|'\\'')*'|\S+)/;
  // The folder of a pack, or the document of which it is made, says more than its name.
  const one = command.replace(called, (_, verb: string, __: string, named: string) =>
    /[/\\']|^\.|\.(json|ya?ml)$/i.test(named) ? `${verb} ${named}` : `${verb} ${protocol}`,
  );
  return called.exec(command)?.[2] === "fuzz" ? `${one}${wayTo(id)}` : `${one} --only ${quote(id)}`;
}

/** The command that repeats a single vector of a run; undefined where the report names none. */
export function replayIn(
  { command: whole }: Report,
  { command = whole, protocol, readings = [] }: Run,
  id: string,
): string | undefined {
  // Those of other protocols would be unknown here.
  const mine = command.replace(/ --reading (\S+)/g, (said, name: string) => (readings.includes(name) ? said : ""));
  return command === "" ? undefined : replay(mine, protocol, id);
}

/** The options that lead from a seed to one random message or walk again. */
function wayTo(id: string): string {
  const [, document, path] = /\/([^/]+)\/[a-z]+\/fuzz\/\d+\/([\d:]+)$/.exec(id) ?? [];
  if (path !== undefined) return ` --document ${document} --path ${path}`;
  const [, walk] = /\/scenarios\/walk-(\d+)\//.exec(id) ?? [];
  if (walk !== undefined) return ` --walks 1 --path ${walk}`;
  return kindOf(id) === "race" ? " --walks 1" : "";
}
