import { type ReportTarget, TouchstoneError } from "../../../schemas/index.ts";
import { isWebAddress } from "../../base/secrets/address.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import { variableOf } from "../../results/options.ts";
import type { RunOptions } from "../options/settings.ts";
import type { TargetOptions } from "../options/target.ts";

/** The options that name the target of a report. A report contains no secrets: their values come from the environment, unless the command line has them. If the command line names a module, a program or an MCP server, only the claims are used. */
export function targetOptionsIn(target: ReportTarget, commandLine: RunOptions): TargetOptions {
  const claims = "claims" in target && target.claims !== undefined ? { claims: target.claims } : {};
  const isReplaced = (commandLine.module ?? commandLine.command ?? commandLine.mcp) !== undefined;
  return { ...(isReplaced ? {} : optionsNaming(target, commandLine)), ...claims };
}

function optionsNaming(target: ReportTarget, commandLine: RunOptions): TargetOptions {
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
      return commandLine.http === undefined ? mcpOptions(target) : {};
    case "http":
      return httpOptions(target, commandLine);
  }
}

function mcpOptions({ server, tools, headers }: Extract<ReportTarget, { kind: "mcp" }>): TargetOptions {
  requireTrustedHost(server, [...(headers ?? []), ...variablesIn(server)], "--mcp");
  return {
    mcp: fillVariables(server),
    ...(tools === undefined ? {} : { tool: tools }),
    ...(headers === undefined ? {} : { header: headers.map(headerFromEnvironment) }),
  };
}

function httpOptions(
  { url, headers = [], endpoints }: Extract<ReportTarget, { kind: "http" }>,
  commandLine: RunOptions,
): TargetOptions {
  const namedHeaders = new Set((commandLine.header ?? []).map(([name]) => name.toLowerCase()));
  const missingHeaders = headers.filter((name) => !namedHeaders.has(name.toLowerCase()));
  if (commandLine.http === undefined) requireTrustedHost(url, [...missingHeaders, ...variablesIn(url)], "--http");
  return {
    http: commandLine.http ?? fillVariables(url),
    header: missingHeaders.map(headerFromEnvironment),
    ...(endpoints === undefined ? {} : { endpoint: Object.entries(endpoints) }),
  };
}

/** Throws a usage error if secrets from the environment would be sent to another machine that only the report names. */
function requireTrustedHost(url: string, secrets: readonly string[], option: string): void {
  if (secrets.length === 0 || !isWebAddress(url)) return;
  const { hostname } = new URL(url);
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return;
  throw new TouchstoneError(
    "usage",
    `the report names ${hostname}, which gets no secrets from the environment unless you name it too`,
    {
      where: option,
      hint: `name it if you trust it: ${option} ${quoteForShell(url)}`,
    },
  );
}

/** `name=$VARIABLE`, or `$VARIABLE` alone, in a query. */
const queryVariable = /([?&](?:[^=&]+=)?)\$([A-Z0-9_]+)(?=&|$)/g;

function variablesIn(url: string): string[] {
  return [...url.matchAll(queryVariable)].map(([, , name = ""]) => name);
}

/** Replaces the variables in the query of a URL with their values. */
function fillVariables(url: string): string {
  return url.replace(
    queryVariable,
    (_, start: string, name: string) => `${start}${encodeURIComponent(environmentValue(name, "--http", "--http"))}`,
  );
}

function headerFromEnvironment(name: string): [name: string, value: string] {
  return [name, environmentValue(variableOf(name), `--header "${name}: …"`, "--header")];
}

function environmentValue(variable: string, where: string, option: string): string {
  const value = process.env[variable];
  if (value !== undefined) return value;
  throw new TouchstoneError("usage", `the environment variable ${variable} is not set`, {
    where,
    hint: `a report contains no secrets: export ${variable}=…, or give ${option} yourself`,
  });
}
