import { type Config, protocolsNamed, TouchstoneError } from "../../../schemas/index.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";
import { configNames, findConfig } from "../../cli/config/find.ts";
import { readConfig } from "../../cli/config/read.ts";
import { conformance } from "./conformance.ts";
import type { ConformanceOptions } from "./options.ts";

/** Calls `conformance` with the protocol, the target and all other settings of a configuration file; `options` override the file. Without a path, it reads the configuration of the working directory. Await it at the top of a test file: `await conformanceFrom()`. Throws a usage error for an invalid configuration, or one without a protocol or target. */
export async function conformanceFrom(path?: string, options: ConformanceOptions = {}): Promise<void> {
  const file = path ?? findConfig(process.cwd());
  if (file === undefined)
    throw new TouchstoneError("usage", "no configuration was found", {
      where: process.cwd(),
      hint: `write ${configNames.join(", ")}, for example with \`touchstone init\`, or give the name of its file`,
    });
  const config = await readConfig(file, process.env);
  const { protocol, target } = config;
  if (protocol === undefined || target === undefined)
    throw new TouchstoneError("usage", `the configuration names no ${protocol === undefined ? "protocol" : "target"}`, {
      where: file,
      hint: "add it",
    });
  if (isDescription(protocol))
    throw new TouchstoneError("usage", "an API description cannot be run in Vitest", {
      where: file,
      hint: "run it with `touchstone run`, or name a protocol or the folder of a pack",
    });
  const merged = { ...optionsIn(config), ...options };
  for (const namedProtocol of protocolsNamed(protocol)) conformance(namedProtocol, target, merged);
}

function optionsIn({ timeout, protocol: _, target: __, ...config }: Config): ConformanceOptions {
  const optionNames = [
    "only",
    "skip",
    "readings",
    "vectors",
    "baseline",
    "failOn",
    "seed",
    "concurrency",
    "scenarios",
    "credentials",
    "hooks",
    "receiver",
    "callbackAuth",
    "profile",
    "timeScale",
    "bounds",
    "options",
    "keys",
    "refusedWhen",
    "retry",
    "webServer",
  ] as const;
  const chosen = optionNames.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]]));
  return { ...(Object.fromEntries(chosen) as ConformanceOptions), ...(timeout && { timeoutMs: timeout }) };
}
