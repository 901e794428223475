import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isPackPath, type ReportOptions, type ReportTarget, TouchstoneError } from "../../../schemas/index.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";
import { bytesIn } from "../../base/format/bytes.ts";
import { isWebAddress } from "../../base/secrets/address.ts";
import { quote } from "../../base/text/quote.ts";
import { readReport } from "../../reports/reading/report-reader.ts";
import { remembersMessages } from "../../results/command-line.ts";
import { variableOf } from "../../results/options.ts";
import { configFor, type RunOptions } from "../options/settings.ts";
import { isNamed, type TargetOptions } from "../options/target.ts";

/** The options of the run in a report that has a result, as they would be given again. The value of a header comes from the environment, unless `given` has it. Throws a usage error for a report that does not say how its run was called, and for a variable that is not set. */
export async function refuseForeignHost(
  file: string,
  id: string,
  given: RunOptions,
): Promise<RunOptions & { protocol?: string }> {
  if (!existsSync(file))
    throw new TouchstoneError("usage", "the report file does not exist", {
      where: file,
      hint: "a run writes it with --report json=FILE",
    });
  const report = await readReport(bytesIn(file).toString("utf8"), file);
  const mine = report.runs.filter(({ protocol }) => id.startsWith(`${protocol}/`));
  const run = mine.find(({ results }) => results.some((result) => result.id.startsWith(id))) ?? mine[0];
  const options = run?.options ?? report.options;
  if (options === undefined) throw unrepeatableRun(file, "the report does not say how its run was called");
  const isRepeatable = options.verb === "run" || options.verb === "play";
  if (!isRepeatable || options.target.kind === "hooks")
    throw unrepeatableRun(file, `the report is of touchstone ${options.verb}`);
  // Each of several protocols has its own readings.
  const before = await allowHost(optionsFrom({ ...options, readings: run?.readings ?? [] }, given), given, file);
  const header = [...(before.header ?? []), ...(given.header ?? [])];
  const isOwn = isPackPath(options.protocol) || isDescription(options.protocol);
  const pack = isOwn ? { protocol: options.protocol } : {};
  const failOn = report.failOn === undefined ? {} : { failOn: report.failOn };
  return { ...before, ...failOn, ...given, ...(header.length === 0 ? {} : { header }), ...pack };
}

/** The options of a report without those that run code: a report is data, and may come from anyone. A module, a command, a server that is one, and a configuration count only if the command line or the configuration in this folder names them too. */
async function allowHost(before: RunOptions, given: RunOptions, file: string): Promise<RunOptions> {
  const { config, module, command, mcp, ...rest } = before;
  const program = mcp !== undefined && !isWebAddress(mcp) ? mcp : undefined;
  const asked = Object.entries({ module, command, mcp: program }).filter(([, value]) => value !== undefined);
  const isOther = isNamed(given);
  const kept = { ...rest, ...(mcp === undefined || program !== undefined ? {} : { mcp }) };
  const { findConfig } = await import("../config/find.ts");
  const { splitConfig } = await import("../config/projects.ts");
  const found = config === undefined ? undefined : findConfig(process.cwd());
  const named = typeof config === "string" ? splitConfig(config) : undefined;
  if (
    typeof config === "string" &&
    given.config === undefined &&
    (found === undefined || !isSame(found, named?.file ?? ""))
  )
    throw new TouchstoneError("usage", "the report names a configuration, which is not read unless you name it too", {
      where: file,
      hint: `name it if you trust it: --config ${quote(config)}`,
    });
  const isWhole = named !== undefined && named.project === undefined;
  const own = { ...(config === undefined || isWhole ? {} : { config }), ...kept };
  if ((given.module ?? given.command ?? given.mcp) !== undefined) {
    const { mcp: _, http: __, header: ___, endpoint: ____, reference: _____, variant: ______, ...plain } = own;
    return plain;
  }
  if (isOther || asked.length === 0) return own;
  const { target } = (await configFor(given)).config;
  const isOurs = (name: string, value: string): boolean =>
    (name === "module" && target?.kind === "module" && isSame(target.file, value)) ||
    (name === "command" && target?.kind === "command" && target.command === value) ||
    (name === "mcp" && target?.kind === "mcp" && target.server === value);
  for (const [name, value = ""] of asked)
    if (!isOurs(name, value))
      throw new TouchstoneError(
        "usage",
        `the report names a ${name === "module" ? "module" : "program"}, which is not run unless you name it too`,
        {
          where: file,
          hint: `name it if you trust it: --${name} ${quote(value)}`,
        },
      );
  return { ...own, ...Object.fromEntries(asked) };
}

function isSame(one: string, other: string): boolean {
  return resolve(one) === resolve(other);
}

function unrepeatableRun(file: string, what: string): TouchstoneError {
  return new TouchstoneError("usage", what, { where: file, hint: "name the target instead of the report" });
}

function optionsFrom(
  { verb, target, seed, timeoutMs, vectors, readings, config }: ReportOptions,
  given: RunOptions,
): RunOptions {
  return {
    ...targetFrom(target, given),
    ...(seed === undefined || remembersMessages(verb, target) ? {} : { seed }),
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
      if ((given.module ?? given.command ?? given.mcp ?? given.http) !== undefined) return {};
      mayHear(target.server, [...(target.headers ?? []), ...variablesIn(target.server)], "--mcp");
      return {
        mcp: fillUrl(target.server),
        ...(target.tools === undefined ? {} : { tool: target.tools }),
        ...(target.headers === undefined
          ? {}
          : { header: target.headers.map((name) => [name, inEnvironment(name)] as [string, string]) }),
      };
    case "http": {
      const { url, headers = [], endpoints } = target;
      const own = new Set((given.header ?? []).map(([name]) => name.toLowerCase()));
      const missing = headers.filter((name) => !own.has(name.toLowerCase()));
      if ((given.module ?? given.command ?? given.mcp) !== undefined) return {};
      if (given.http === undefined) mayHear(url, [...missing, ...variablesIn(url)], "--http");
      return {
        http: given.http ?? fillUrl(url),
        header: missing.map((name) => [name, inEnvironment(name)]),
        ...(endpoints === undefined ? {} : { endpoint: Object.entries(endpoints) }),
      };
    }
  }
}

/** Throws a usage error if values from the environment would be sent to a host that only the report names: it may belong to anyone. */
function mayHear(url: string, names: readonly string[], option: string): void {
  if (names.length === 0 || !isWebAddress(url)) return;
  const { hostname } = new URL(url);
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return;
  throw new TouchstoneError(
    "usage",
    `the report names ${hostname}, which gets no secrets from the environment unless you name it too`,
    {
      where: option,
      hint: `name it if you trust it: ${option} ${quote(url)}`,
    },
  );
}

function variablesIn(url: string): string[] {
  return [...url.matchAll(inQuery)].map(([, , name = ""]) => name);
}

/** A value in a query that is a variable. */
const inQuery = /([?&](?:[^=&]+=)?)\$([A-Z0-9_]+)(?=&|$)/g;

/** Fills the values into the query of an address, for which a report has variables. */
function fillUrl(url: string): string {
  return url.replace(inQuery, (_, part: string, name: string) => {
    return `${part}${encodeURIComponent(variable(name, "--http", "--http"))}`;
  });
}

function inEnvironment(header: string): string {
  return variable(variableOf(header), `--header "${header}: …"`, "--header");
}

function variable(name: string, where: string, option: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw new TouchstoneError("usage", `the environment variable ${name} is not set`, {
    where,
    hint: `a report keeps no secrets: export ${name}=…, or give ${option} yourself`,
  });
}
