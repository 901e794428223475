import type { Config, Report, Run, TargetConfig } from "../../schemas/index.ts";

export interface CommandLine {
  /** How the program is called, such as `npx touchstone`. */
  program?: string | undefined;
  /** Name of the command; `run` when it is not said. */
  verb?: "run" | "fuzz" | "challenge" | "agent" | undefined;
  protocol: string;
  target: TargetConfig;
  seed?: Config["seed"] | undefined;
  timeoutMs?: Config["timeout"] | undefined;
  vectors?: string | undefined;
  /** Whether scenarios are played as well. */
  scenarios?: boolean | undefined;
  /** File of the configuration; false: none, also where one is found. */
  config?: string | false | undefined;
}

/** The command that repeats a run, without filters and reports, for a POSIX shell. Header values and passwords stay out of it. */
export function commandLine({
  program = "npx touchstone",
  verb = "run",
  protocol,
  target,
  seed,
  timeoutMs,
  vectors,
  scenarios,
  config,
}: CommandLine): string {
  const words = [protocol, ...targetOptions(target)];
  if (seed !== undefined) words.push("--seed", String(seed));
  if (timeoutMs !== undefined) words.push("--timeout", String(timeoutMs));
  if (vectors !== undefined) words.push("--vectors", quote(vectors));
  if (scenarios === true) words.push("--scenarios");
  if (config === false) words.push("--no-config");
  else if (config !== undefined) words.push("--config", quote(config));
  return `${program} ${verb} ${words.join(" ")}`;
}

/** The command that repeats a single vector of a run that `command` repeats. */
export function replay(command: string, protocol: string, id: string): string {
  const called = /(touchstone(?: --)? (run|fuzz|challenge|agent)) \S+/;
  const one = command.replace(called, (_, verb: string) => `${verb} ${protocol}`);
  return called.exec(command)?.[2] === "fuzz" ? `${one}${wayTo(id)}` : `${one} --only ${quote(id)}`;
}

/** The command that repeats a single vector of a run; undefined where the report names none. */
export function replayIn(
  { command: whole }: Report,
  { command = whole, protocol }: Run,
  id: string,
): string | undefined {
  return command === "" ? undefined : replay(command, protocol, id);
}

/** The options that lead from a seed to one random message or walk again. */
function wayTo(id: string): string {
  const [, document, path] = /\/([^/]+)\/[a-z]+\/fuzz\/\d+\/([\d:]+)$/.exec(id) ?? [];
  if (path !== undefined) return ` --document ${document} --path ${path}`;
  const [, walk] = /\/scenarios\/walk-(\d+)\//.exec(id) ?? [];
  if (walk !== undefined) return ` --walks 1 --path ${walk}`;
  return id.includes("/scenarios/race-") ? " --walks 1" : "";
}

function targetOptions(target: TargetConfig): string[] {
  switch (target.kind) {
    case "module":
      return ["--module", quote(target.file)];
    case "command":
      return ["--command", quote(target.command)];
    case "http":
      return [
        "--http",
        quote(withoutPassword(target.url)),
        ...Object.keys(target.headers ?? {}).flatMap(header),
        ...Object.entries(target.endpoints ?? {}).flatMap(([name, path]) => ["--endpoint", quote(`${name}=${path}`)]),
      ];
    case "reference":
      return target.variant === undefined ? ["--reference"] : ["--reference", "--variant", quote(target.variant)];
  }
}

/** The value is left to an environment variable: it may be a secret. */
function header(name: string): string[] {
  return ["--header", `"${name}: $${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}"`];
}

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, "$1");
}

/** A word as a POSIX shell takes it whole. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
