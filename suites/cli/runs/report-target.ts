import { type ReportTarget, TouchstoneError } from "../../../schemas/index.ts";
import { isWebAddress } from "../../base/secrets/address.ts";
import { quote } from "../../base/text/quote.ts";
import { variableOf } from "../../results/options.ts";
import type { RunOptions } from "../options/settings.ts";
import type { TargetOptions } from "../options/target.ts";

/** The options that name the target of a report again. A report contains no secrets: their values come from the environment, unless `given` has them. Only the claims apply to a module, a program or an MCP server on the command line. */
export function targetOptionsIn(target: ReportTarget, given: RunOptions): TargetOptions {
  const claims = "claims" in target && target.claims !== undefined ? { claims: target.claims } : {};
  const isReplaced = (given.module ?? given.command ?? given.mcp) !== undefined;
  return { ...(isReplaced ? {} : optionsNaming(target, given)), ...claims };
}

function optionsNaming(target: ReportTarget, given: RunOptions): TargetOptions {
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
      return given.http === undefined ? mcpOptions(target) : {};
    case "http":
      return httpOptions(target, given);
  }
}

function mcpOptions({ server, tools, headers }: Extract<ReportTarget, { kind: "mcp" }>): TargetOptions {
  mustNotReceiveSecrets(server, [...(headers ?? []), ...variablesIn(server)], "--mcp");
  return {
    mcp: fillVariables(server),
    ...(tools === undefined ? {} : { tool: tools }),
    ...(headers === undefined ? {} : { header: headers.map(headerFromEnvironment) }),
  };
}

function httpOptions(
  { url, headers = [], endpoints }: Extract<ReportTarget, { kind: "http" }>,
  given: RunOptions,
): TargetOptions {
  const givenNames = new Set((given.header ?? []).map(([name]) => name.toLowerCase()));
  const missing = headers.filter((name) => !givenNames.has(name.toLowerCase()));
  if (given.http === undefined) mustNotReceiveSecrets(url, [...missing, ...variablesIn(url)], "--http");
  return {
    http: given.http ?? fillVariables(url),
    header: missing.map(headerFromEnvironment),
    ...(endpoints === undefined ? {} : { endpoint: Object.entries(endpoints) }),
  };
}

/** Throws a usage error if values from the environment would be sent to another machine that only the report names: it may belong to anyone. */
function mustNotReceiveSecrets(url: string, secrets: readonly string[], option: string): void {
  if (secrets.length === 0 || !isWebAddress(url)) return;
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

/** `name=$VARIABLE`, or `$VARIABLE` alone, in a query. */
const queryVariable = /([?&](?:[^=&]+=)?)\$([A-Z0-9_]+)(?=&|$)/g;

function variablesIn(url: string): string[] {
  return [...url.matchAll(queryVariable)].map(([, , name = ""]) => name);
}

/** Replaces the variables in the query of a URL by their values. */
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
