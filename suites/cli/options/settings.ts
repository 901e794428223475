import {
  type Config,
  example,
  exitCodes,
  type FailOn,
  pointer,
  protocolsNamed,
  type TargetConfig,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { isDescription } from "../../authoring/openapi/named.ts";
import { wouldEnd } from "../process/ending.ts";
import { isNamed, type TargetOptions, targetOr } from "./target.ts";

/** Options of a run that a configuration may say as well. */
export interface RunOptions extends TargetOptions {
  only?: string[];
  skip?: string[];
  /** As the command line has it; a configuration calls it `readings`. */
  reading?: string[];
  concurrency?: number;
  timeout?: number;
  seed?: number;
  vectors?: string;
  scenarios?: true;
  report?: string[];
  baseline?: string;
  failOn?: FailOn;
  /** False: none, even if one is found. */
  config?: string | false;
}

/** The settings of a run, from the command line or else from a configuration. */
export interface Settings
  extends Pick<Config, "only" | "skip" | "readings" | "concurrency" | "timeout" | "seed" | "vectors" | "report"> {
  protocol: string;
  target: TargetConfig;
  scenarios: boolean;
  baseline?: string;
  failOn?: FailOn;
  /** The configuration as it was read, and its file. */
  config: Config;
  file?: string;
}

/** The settings of a run. Throws a usage error for an invalid configuration, and when no protocol or no target is named anywhere. */
export async function settingsFrom(named: string | undefined, options: RunOptions): Promise<Settings> {
  const { config, file } = await configFor(options);
  const isTools = (options.mcp ?? (config.target?.kind === "mcp" ? config.target : undefined)) !== undefined;
  // An MCP server lists its own tools.
  const protocol =
    named ?? (options.mcp === undefined ? config.protocol : undefined) ?? (isTools ? toolsOfServer : undefined);
  if (protocol === undefined) {
    throw new TouchstoneError("usage", "no protocol is named", {
      hint: `name one, such as \`touchstone run ${example.protocol}\`, or write a configuration with \`touchstone init\``,
      ...(file === undefined ? {} : { where: file }),
    });
  }
  // Of two mistakes the first one is reported.
  if (protocol !== toolsOfServer && !isDescription(protocol)) protocolsNamed(protocol);
  const target = targetOr(config.target, options);
  // A target of the command line without scenarios is not the target of the configuration.
  const isPlayable = target === config.target || target.kind === "http" || target.kind === "reference";
  const { reading } = options;
  const both = { ...pick(config), ...pick(options), ...(reading === undefined ? {} : { readings: reading }) };
  return {
    ...both,
    protocol,
    target,
    scenarios: options.scenarios === true || (config.scenarios === true && isPlayable),
    config,
    ...(file === undefined ? {} : { file }),
  };
}

/**
 * The configuration that is named, or found in the working directory; an empty one otherwise, and with `isData` also for a module that was
 * merely found: a command that only reads runs no code that the user did not name.
 */
export async function configFor(
  options: TargetOptions & Pick<RunOptions, "config">,
  { isData = false }: { isData?: boolean } = {},
): Promise<{ config: Config; file?: string }> {
  const { config: named } = options;
  if (named === false) return { config: {} };
  const { findConfig, isConfigData } = await import("../config/find.ts");
  const file = named ?? findConfig(process.cwd());
  if (file === undefined || (isData && named === undefined && !isConfigData(file))) return { config: {} };
  const { readConfig } = await import("../config/read.ts");
  wouldEnd({ code: exitCodes.usage, during: `reading the configuration ${file}` });
  try {
    return { config: await readConfig(file, process.env, unlessGiven(options)), file };
  } finally {
    wouldEnd();
  }
}

/** The place of a part of the configuration. */
export async function placeIn(file: string | undefined, at: string): Promise<string> {
  const { placeInConfig } = await import("../config/read.ts");
  return file === undefined ? `configuration (#${at})` : placeInConfig(file, at);
}

/** Only the part of a configuration's target that options do not replace is used. */
function unlessGiven(options: TargetOptions): (at: string) => boolean {
  if (isNamed(options)) return (at) => at !== "/target";
  const given = new Set(options.header?.map(([name]) => pointer.append("/target/headers", name)));
  return (at) => !given.has(at);
}

/** Used in place of a protocol's name: the tools that an MCP server lists. */
export const toolsOfServer = "mcp";

const names = [
  ...(["only", "skip", "readings", "concurrency", "timeout", "seed", "vectors", "report"] as const),
  ...(["baseline", "failOn"] as const),
] as const;
type SharedOptions = Partial<Pick<Config, (typeof names)[number]>>;

function pick(from: SharedOptions): SharedOptions {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
