import { existsSync, readFileSync } from "node:fs";
import { isPackPath, type ReportOptions, type ReportTarget, TouchstoneError } from "../../schemas/index.ts";
import { isDescription } from "../openapi/named.ts";
import { readReport } from "../reports/read.ts";
import { remembers } from "../results/command-line.ts";
import { variableOf } from "../results/options.ts";
import type { RunOptions } from "./settings.ts";
import type { TargetOptions } from "./target.ts";

/**
 * The options of the run in a report that has a result, as they would be given again. The value of a header is the environment's, unless
 * `given` has it. Throws a usage error for a report that does not say how its run was called, and for a variable that is not set.
 */
export async function recalled(
  file: string,
  id: string,
  given: RunOptions,
): Promise<RunOptions & { protocol?: string }> {
  if (!existsSync(file))
    throw new TouchstoneError("usage", "there is no such report", {
      where: file,
      hint: "a run writes it with --report json=FILE",
    });
  const report = await readReport(readFileSync(file, "utf8"), file);
  const mine = report.runs.filter(({ protocol }) => id.startsWith(`${protocol}/`));
  const run = mine.find(({ results }) => results.some((result) => result.id.startsWith(id))) ?? mine[0];
  const options = run?.options ?? report.options;
  if (options === undefined) throw unrepeatable(file, "the report does not say how its run was called");
  const isRepeatable = options.verb === "run" || options.verb === "play";
  if (!isRepeatable || options.target.kind === "hooks")
    throw unrepeatable(file, `the report is of touchstone ${options.verb}`);
  // Of several protocols each has readings of its own.
  const before = optionsFrom({ ...options, readings: run?.readings ?? [] }, given);
  const header = [...(before.header ?? []), ...(given.header ?? [])];
  const isOwn = isPackPath(options.protocol) || isDescription(options.protocol);
  const pack = isOwn ? { protocol: options.protocol } : {};
  const failOn = report.failOn === undefined ? {} : { failOn: report.failOn };
  return { ...before, ...failOn, ...given, ...(header.length === 0 ? {} : { header }), ...pack };
}

function unrepeatable(file: string, what: string): TouchstoneError {
  return new TouchstoneError("usage", what, { where: file, hint: "name the target, and no report" });
}

function optionsFrom(
  { verb, target, seed, timeoutMs, vectors, readings, config }: ReportOptions,
  given: RunOptions,
): RunOptions {
  return {
    ...targetFrom(target, given),
    ...(seed === undefined || remembers(verb, target) ? {} : { seed }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(vectors === undefined ? {} : { vectors }),
    ...(readings === undefined ? {} : { reading: readings }),
    ...(config === undefined ? {} : { config }),
  };
}

function targetFrom(target: ReportTarget, given: RunOptions): TargetOptions {
  const named = namedBy(target, given);
  return "claims" in target && target.claims !== undefined ? { ...named, claims: target.claims } : named;
}

function namedBy(target: ReportTarget, given: RunOptions): TargetOptions {
  switch (target.kind) {
    case "module":
      return { module: target.file };
    case "command":
      return { command: target.command };
    case "hooks":
      return {};
    case "reference":
      return { reference: true, ...(target.variant === undefined ? {} : { variant: target.variant }) };
    case "mcp":
      return {
        mcp: filled(target.server),
        ...(target.tools === undefined ? {} : { tool: target.tools }),
        ...(target.headers === undefined
          ? {}
          : { header: target.headers.map((name) => [name, inEnvironment(name)] as [string, string]) }),
      };
    case "http": {
      const { url, headers = [], endpoints } = target;
      const own = new Set((given.header ?? []).map(([name]) => name.toLowerCase()));
      const missing = headers.filter((name) => !own.has(name.toLowerCase()));
      return {
        http: given.http ?? filled(url),
        header: missing.map((name) => [name, inEnvironment(name)]),
        ...(endpoints === undefined ? {} : { endpoint: Object.entries(endpoints) }),
      };
    }
  }
}

/** An address with the values of its query, for which a report has variables. */
function filled(url: string): string {
  return url.replace(/([?&][^=&]+=)\$([A-Z0-9_]+)(?=&|$)/g, (_, part: string, name: string) => {
    return `${part}${encodeURIComponent(variable(name, "--http", "--http"))}`;
  });
}

function inEnvironment(header: string): string {
  return variable(variableOf(header), `--header "${header}: …"`, "--header");
}

function variable(name: string, where: string, option: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw new TouchstoneError("usage", `the environment has no ${name}`, {
    where,
    hint: `a report keeps no secrets: export ${name}=…, or give ${option} yourself`,
  });
}
