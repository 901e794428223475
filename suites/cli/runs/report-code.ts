import { resolve } from "node:path";
import { TouchstoneError } from "../../../schemas/index.ts";
import { isWebAddress } from "../../base/secrets/address.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import { configFor, type RunOptions } from "../options/settings.ts";
import { namesTarget, type TargetOptions } from "../options/target.ts";

// A report is data, and may come from anyone. Code that only a report names is never run.

/**
 * Returns the options of a report if they name only code that the user trusts. A configuration must be that of the working folder, or be
 * on the command line. A module or a program must be the target of the configuration, unless the command line names a target. Throws a
 * usage error otherwise.
 */
export async function withoutUntrustedCode(
  reportOptions: RunOptions,
  commandLine: RunOptions,
  file: string,
): Promise<RunOptions> {
  const config = await trustedConfig(reportOptions.config, commandLine.config, file);
  const { config: _, ...options } = reportOptions;
  const trustedOptions = { ...options, ...(config === undefined ? {} : { config }) };
  const program = programIn(options);
  if (program === undefined) return trustedOptions;
  if (namesTarget(commandLine)) {
    const { [program.option]: __, ...withoutProgram } = trustedOptions;
    return withoutProgram;
  }
  if (await isConfigured(program, commandLine)) return trustedOptions;
  const kind = program.option === "module" ? "module" : "program";
  throw new TouchstoneError("usage", `the report names a ${kind}, which is not run unless you name it too`, {
    where: file,
    hint: `name it if you trust it: --${program.option} ${quoteForShell(program.value)}`,
  });
}

/** The configuration to use from a report: a project of the configuration in the working folder, or false for none. Undefined for the folder's whole configuration, which runs find automatically. */
async function trustedConfig(
  reportConfig: RunOptions["config"],
  namedConfig: RunOptions["config"],
  file: string,
): Promise<RunOptions["config"]> {
  if (typeof reportConfig !== "string") return reportConfig;
  const { findConfig } = await import("../config/find.ts");
  const { splitConfig } = await import("../config/projects.ts");
  const configOfFolder = findConfig(process.cwd());
  const { file: configFile, project } = splitConfig(reportConfig);
  const isOfFolder = configOfFolder !== undefined && isSameFile(configOfFolder, configFile);
  if (!isOfFolder && namedConfig === undefined)
    throw new TouchstoneError("usage", "the report names a configuration, which is not read unless you name it too", {
      where: file,
      hint: `name it if you trust it: --config ${quoteForShell(reportConfig)}`,
    });
  return project === undefined ? undefined : reportConfig;
}

interface TargetProgram {
  option: "module" | "command" | "mcp";
  value: string;
}

/** The target of these options, if it runs as code on this machine. */
function programIn({ module, command, mcp }: TargetOptions): TargetProgram | undefined {
  if (module !== undefined) return { option: "module", value: module };
  if (command !== undefined) return { option: "command", value: command };
  return mcp === undefined || isWebAddress(mcp) ? undefined : { option: "mcp", value: mcp };
}

async function isConfigured({ option, value }: TargetProgram, commandLine: RunOptions): Promise<boolean> {
  const { target } = (await configFor(commandLine)).config;
  switch (option) {
    case "module":
      return target?.kind === "module" && isSameFile(target.file, value);
    case "command":
      return target?.kind === "command" && target.command === value;
    case "mcp":
      return target?.kind === "mcp" && target.server === value;
  }
}

function isSameFile(path: string, otherPath: string): boolean {
  return resolve(path) === resolve(otherPath);
}
