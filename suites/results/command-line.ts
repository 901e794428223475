import type { ReportOptions, ReportTarget } from "../../schemas/index.ts";
import { programName } from "../base/text/program.ts";
import { quoteForShell } from "../base/text/quote.ts";
import { optionsOf, type RunCall, variableOf } from "./options.ts";

/** Formats the command that repeats a run, without filters and reports, for a POSIX shell. It does not contain header values or passwords. */
export function commandLine(call: RunCall): string {
  const { config } = call;
  const isConfigured = call.isConfigured === true && config !== undefined && config !== false;
  return commandFromOptions(optionsOf(call), { ...call, isConfigured });
}

/** Formats the same command from the options in a report. `isConfigured` leaves the target to the configuration. Every argument is quoted, so that a shell does not execute anything in it. */
export function commandFromOptions(
  { verb, protocol, target, side, seed, timeoutMs, vectors, readings, scenarios, config, runs, walk }: ReportOptions,
  {
    program: programCall = programName(),
    isConfigured = false,
    extent = {},
  }: Pick<RunCall, "program" | "isConfigured" | "extent"> = {},
): string {
  const args = [quoteArgument(protocol), ...(isConfigured ? [] : targetArguments(target))];
  if (side !== undefined) args.push("--side", quoteForShell(side));
  if (seed !== undefined && !remembersMessages(verb, target)) args.push("--seed", String(seed));
  if (timeoutMs !== undefined) args.push("--timeout", String(timeoutMs));
  if (vectors !== undefined) args.push("--vectors", quoteForShell(vectors));
  for (const reading of readings ?? []) args.push("--reading", quoteForShell(reading));
  if (scenarios === true) args.push("--scenarios");
  if (config === false) args.push("--no-config");
  else if (config !== undefined) args.push("--config", quoteForShell(config));
  if (runs !== undefined) args.push("--runs", String(runs));
  if (walk !== undefined) args.push("--walk", quoteForShell(walk));
  for (const [name, value] of Object.entries(extent))
    if (value !== undefined) args.push(`--${name}`, quoteForShell(String(value)));
  return `${programCall} ${verb} ${args.join(" ")}`;
}

/** Writes an argument so that it is not taken for an option, even if it begins with a hyphen. */
function quoteArgument(word: string): string {
  return word.startsWith("-") ? `./${quoteForShell(word)}` : quoteForShell(word);
}

/** The call of a run, for its repetition: as a command line, and as options. */
export interface DescribedCall {
  command: string;
  options: ReportOptions;
}

/** Describes a call as a report contains it: as a command for a shell, and as options for programs. */
export function describeCall(call: RunCall): DescribedCall {
  return { command: commandLine(call), options: optionsOf(call) };
}

/** Whether the target remembers messages. A server that accepted a message refuses its keys and ids for others, so a repeated run must not use the same seed. */
export function remembersMessages(verb: ReportOptions["verb"], { kind }: Pick<ReportTarget, "kind">): boolean {
  return kind === "http" && (verb === "run" || verb === "play");
}

function targetArguments(target: ReportTarget): string[] {
  const claims = "claims" in target ? target.claims : undefined;
  const claimArguments = claims === undefined ? [] : ["--claims", claims.length === 0 ? "none" : claims.join(",")];
  return [...targetOptions(target), ...claimArguments];
}

function targetOptions(target: ReportTarget): string[] {
  switch (target.kind) {
    case "module":
      return ["--module", quoteForShell(target.file)];
    case "command":
      return ["--command", quoteForShell(target.command)];
    case "http":
      return [
        "--http",
        keepVariables(target.url),
        ...headerArguments(target.headers),
        ...Object.entries(target.endpoints ?? {}).flatMap(([name, path]) => [
          "--endpoint",
          quoteForShell(`${name}=${path}`),
        ]),
      ];
    case "mcp":
      return [
        "--mcp",
        keepVariables(target.server),
        ...(target.tools ?? []).flatMap((name) => ["--tool", quoteForShell(name)]),
        ...headerArguments(target.headers),
      ];
    case "hooks":
      return [];
    case "reference":
      return target.variant === undefined
        ? ["--reference"]
        : ["--reference", "--variant", quoteForShell(target.variant)];
  }
}

function headerArguments(names: readonly string[] = []): string[] {
  return names.flatMap((name) => {
    const value = `$${variableOf(name)}`;
    // Within double quotes a shell executes text in backticks, which a header's name may contain.
    return ["--header", /^[\w-]+$/.test(name) ? `"${name}: ${value}"` : `${quoteForShell(`${name}: `)}"${value}"`];
  });
}

/** Matches a variable such as `$TOKEN` that is the whole value of a query parameter, or a whole parameter. */
const queryVariable = /(?<=[?&](?:[^=&]+=)?)(\$[A-Z0-9_]+)(?=&|$)/;

/** Leaves the variables in the query of a URL to the shell, and quotes the other parts. */
function keepVariables(url: string): string {
  const quoteText = (text: string): string => (text === "" ? "" : quoteForShell(text));
  // Splitting by a pattern with a group yields text and variables alternately.
  const parts = url.split(queryVariable);
  return parts.map((part, index) => (index % 2 === 1 ? `"${part}"` : quoteText(part))).join("");
}
