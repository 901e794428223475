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
import { isDescription } from "../../authoring/openapi/description-names.ts";
import { setEnding } from "../process/ending.ts";
import { namesTarget, type TargetOptions, targetOr } from "./target.ts";

/** Options of a run that a configuration may also contain. */
export interface RunOptions extends TargetOptions {
  only?: string[];
  skip?: string[];
  /** The name on the command line; a configuration calls it `readings`. */
  reading?: string[];
  concurrency?: number;
  timeout?: number;
  seed?: number;
  vectors?: string;
  scenarios?: true;
  report?: string[];
  baseline?: string;
  failOn?: FailOn;
  /** The configuration file; false for no configuration, even if one could be found. */
  config?: string | false;
}

/** The settings of a run. The command line overrides the configuration. */
export interface Settings
  extends Pick<Config, "only" | "skip" | "readings" | "concurrency" | "timeout" | "seed" | "vectors" | "report"> {
  protocol: string;
  target: TargetConfig;
  scenarios: boolean;
  baseline?: string;
  failOn?: FailOn;
  /** The configuration as read, and its file. */
  config: Config;
  file?: string;
}

/** Combines options and configuration. Throws a usage error for an invalid configuration, and if either protocol or target is missing. */
export async function settingsFrom(protocolName: string | undefined, options: RunOptions): Promise<Settings> {
  const { config, file } = await configFor(options);
  const hasMcpServer = (options.mcp ?? (config.target?.kind === "mcp" ? config.target : undefined)) !== undefined;
  // An MCP server on the command line replaces the configured protocol: its tools are tested.
  const protocol =
    protocolName ??
    (options.mcp === undefined ? config.protocol : undefined) ??
    (hasMcpServer ? mcpProtocol : undefined);
  if (protocol === undefined) {
    throw new TouchstoneError("usage", "no protocol is named", {
      hint: `name one, such as \`touchstone run ${example.protocol}\`, or write a configuration with \`touchstone init\``,
      ...(file === undefined ? {} : { where: file }),
    });
  }
  // An unknown protocol is reported before a missing target.
  if (protocol !== mcpProtocol && !isDescription(protocol)) protocolsNamed(protocol);
  const target = targetOr(config.target, options);
  // `scenarios` in the configuration does not apply to a command-line target that cannot play them.
  const isPlayable = target === config.target || target.kind === "http" || target.kind === "reference";
  const { reading } = options;
  const sharedOptions = {
    ...pickShared(config),
    ...pickShared(options),
    ...(reading === undefined ? {} : { readings: reading }),
  };
  return {
    ...sharedOptions,
    protocol,
    target,
    scenarios: options.scenarios === true || (config.scenarios === true && isPlayable),
    config,
    ...(file === undefined ? {} : { file }),
  };
}

/** Reads the configuration that --config names, or the one in the working directory; without either, it is empty. With `isData`, a module is read only if it is named: a command that only reads must not run other code. */
export async function configFor(
  options: TargetOptions & Pick<RunOptions, "config">,
  { isData = false }: { isData?: boolean } = {},
): Promise<{ config: Config; file?: string }> {
  const { config: configOption } = options;
  if (configOption === false) return { config: {} };
  const { findConfig, isConfigData } = await import("../config/find.ts");
  const file = configOption ?? findConfig(process.cwd());
  if (file === undefined || (isData && configOption === undefined && !isConfigData(file))) return { config: {} };
  const { readConfig } = await import("../config/read.ts");
  setEnding({ code: exitCodes.usage, during: `reading the configuration ${file}` });
  try {
    return { config: await readConfig(file, process.env, usedParts(options)), file };
  } finally {
    setEnding();
  }
}

/** Returns the location of a part of the configuration for error messages. */
export async function placeIn(file: string | undefined, path: string): Promise<string> {
  const { placeInConfig } = await import("../config/read.ts");
  return file === undefined ? `configuration (#${path})` : placeInConfig(file, path);
}

/** Returns a function that tells whether a part of the configuration is used. The target, or some of its headers, are not used if options replace them. */
function usedParts(options: TargetOptions): (path: string) => boolean {
  if (namesTarget(options)) return (path) => path !== "/target";
  const replacedPlaces = new Set(options.header?.map(([name]) => pointer.append("/target/headers", name)));
  return (at) => !replacedPlaces.has(at);
}

/** The name that selects the tools of an MCP server in place of a protocol. */
export const mcpProtocol = "mcp";

const sharedNames = [
  "only",
  "skip",
  "readings",
  "concurrency",
  "timeout",
  "seed",
  "vectors",
  "report",
  "baseline",
  "failOn",
] as const;
type SharedOptions = Partial<Pick<Config, (typeof sharedNames)[number]>>;

function pickShared(source: SharedOptions): SharedOptions {
  return Object.fromEntries(sharedNames.flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]]])));
}
