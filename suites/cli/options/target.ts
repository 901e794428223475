import type { Command } from "commander";
import { type Config, type Target, type TargetConfig, TouchstoneError } from "../../../schemas/index.ts";
import { claimsIn, endpoint, header, httpUrl, repeatable } from "./parsers.ts";

export interface TargetOptions {
  module?: string;
  command?: string;
  http?: string;
  mcp?: string;
  tool?: string[];
  reference?: true;
  variant?: string;
  header?: [name: string, value: string][];
  endpoint?: [document: string, path: string][];
  claims?: string[];
}

/** Declares the options that name a target. */
export function withTarget(command: Command): Command {
  return command
    .option("--module <file>", "the implementation is a JavaScript or TypeScript module")
    .option("--command <command>", "the implementation is a command that speaks JSON lines")
    .option("--http <url>", "the implementation is a server at this base URL", httpUrl)
    .option("--mcp <server>", "the implementation is an MCP server: a command, or its http(s) address")
    .option(
      "--tool <name>",
      "with --mcp: a tool that may be called, * for all: calling has effects (repeatable)",
      repeatable((name: string) => name),
    )
    .option("--reference", "the implementation is the built-in reference")
    .option("--variant <name>", "with --reference: one of its variants, see `list variants`")
    .option(
      "--endpoint <endpoint>",
      'with --http: "DOCUMENT=/path", for a path that differs from that of the protocol; * in DOCUMENT is any text (repeatable)',
      repeatable(endpoint),
    )
    .option(
      "--claims <list>",
      "comma-separated capabilities of the implementation, or none; vectors that need others are skipped",
      claimsIn,
    )
    .option(
      "--header <header>",
      'with --http or --mcp: "Name: value", sent with each request (repeatable)',
      repeatable(header),
    );
}

/** The target that the options name, or else the configured one. Claims, tools, headers and endpoints from the options apply to both. */
export function targetOr(configured: TargetConfig | undefined, options: TargetOptions): TargetConfig {
  const { claims, header: headers, endpoint: endpoints } = options;
  if (configured === undefined || namesTarget(options)) return targetOf(options);
  if (claims !== undefined && configured.kind === "reference")
    throw misplacedError("--claims", "an implementation of yours");
  const withClaims = claims === undefined ? configured : { ...configured, claims };
  if (configured.kind === "mcp" && endpoints === undefined) return withTools(withClaims as McpTargetConfig, options);
  if (options.tool !== undefined) throw misplacedError("--tool", "--mcp");
  if (headers === undefined && endpoints === undefined) return withClaims as TargetConfig;
  if (configured.kind !== "http") throw misplacedError(headers === undefined ? "--endpoint" : "--header", "--http");
  return {
    ...configured,
    ...(claims && { claims }),
    ...(headers && { headers: { ...configured.headers, ...Object.fromEntries(headers) } }),
    ...(endpoints && { endpoints: { ...configured.endpoints, ...Object.fromEntries(endpoints) } }),
  };
}

/** Whether options name a target that replaces the configured one. */
export function namesTarget({ module, command, http, mcp, reference, variant }: TargetOptions): boolean {
  return [module, command, http, mcp, reference, variant].some((each) => each !== undefined);
}

type McpTargetConfig = Extract<TargetConfig, { kind: "mcp" }>;

/** Adds the tools and headers of the options to an MCP server; named tools replace the configured ones. */
function withTools(config: McpTargetConfig, { tool: tools, header: headers }: TargetOptions): McpTargetConfig {
  if (headers !== undefined && !/^https?:/i.test(config.server)) throw misplacedError("--header", "an address");
  return {
    ...config,
    ...(tools && { tools }),
    ...(headers && { headers: { ...config.headers, ...Object.fromEntries(headers) } }),
  };
}

/** Returns a function that creates the target. Requests to a server use the credential of the first configured agent, and the time of the clock hook. `onSlow` is called with the reason for an avoidable delay. */
export async function targetFor(
  target: TargetConfig,
  { credentials, hooks, keys = [], refusedWhen = [] }: Config,
  onSlow?: (why: string) => void,
): Promise<() => Target> {
  const { targetFrom } = await import("../../targets/index.ts");
  const clock = hooks?.clock;
  const requestOptions = { credential: credentials?.a, keys, refusedWhen: [refusedWhen].flat() };
  if (target.kind !== "http" || clock === undefined) return () => targetFrom(target, { ...requestOptions, onSlow });
  const { hookFrom, timeFrom } = await import("../../running/scenarios/hooks.ts");
  return () =>
    targetFrom(target, { ...requestOptions, clock: async () => timeFrom(await hookFrom("clock", clock)({})) });
}

/** Whether a repeated run needs the configuration file, because options cannot express all that it says about the target. */
export function needsConfig(target: TargetConfig, config: Config): boolean {
  const { target: configured, credentials, hooks, keys, refusedWhen } = config;
  const hasSecrets = target === configured && "headers" in target && target.headers !== undefined;
  return (
    hasSecrets ||
    (target.kind === "http" && [credentials?.a, hooks?.clock, keys, refusedWhen].some((each) => each !== undefined))
  );
}

/** The target that the options name. Throws a usage error if they name none or several, or have an option of another kind of target. */
export function targetOf(options: TargetOptions): TargetConfig {
  const { module, command, http, mcp, reference, variant, claims, header: headers, endpoint: endpoints } = options;
  const claimsMember = claims === undefined ? {} : { claims };
  const targets: TargetConfig[] = [];
  if (module !== undefined) targets.push({ kind: "module", file: module, ...claimsMember });
  if (command !== undefined) targets.push({ kind: "command", command, ...claimsMember });
  if (http !== undefined) {
    targets.push({
      kind: "http",
      url: http,
      ...claimsMember,
      ...(headers && { headers: Object.fromEntries(headers) }),
      ...(endpoints && { endpoints: Object.fromEntries(endpoints) }),
    });
  }
  if (mcp !== undefined) targets.push(withTools({ kind: "mcp", server: mcp, ...claimsMember }, options));
  if (reference) targets.push({ kind: "reference", ...(variant !== undefined && { variant }) });
  const [target, ...otherTargets] = targets;
  if (target === undefined && variant !== undefined) throw misplacedError("--variant", "--reference");
  if (target === undefined || otherTargets.length > 0) {
    const problem = target === undefined ? "no implementation is named" : `${targets.length} implementations are named`;
    throw new TouchstoneError("usage", `${problem}, expected one`, { hint: waysToNameTarget });
  }
  if (options.tool !== undefined && target.kind !== "mcp") throw misplacedError("--tool", "--mcp");
  if (headers !== undefined && target.kind !== "http" && target.kind !== "mcp")
    throw misplacedError("--header", "--http");
  if (endpoints !== undefined && target.kind !== "http") throw misplacedError("--endpoint", "--http");
  if (claims !== undefined && target.kind === "reference")
    throw misplacedError("--claims", "an implementation of yours");
  if (variant !== undefined && target.kind !== "reference") throw misplacedError("--variant", "--reference");
  return target;
}

const waysToNameTarget = `name it in one of five ways:
    --module FILE     a JavaScript or TypeScript module: a validator, or a schema of a validation library
    --command "CMD"   a program in any language that answers JSON lines
    --http URL        a running server
    --mcp "CMD"       an MCP server, or its address
    --reference       the built-in reference implementation, to see how it works
    \`touchstone init\` writes it down once and for all`;

function misplacedError(option: string, target: string): TouchstoneError {
  return new TouchstoneError("usage", `${option} needs ${target}`, {
    hint: `leave it out, or name ${target}`,
  });
}
