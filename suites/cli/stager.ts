import { readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Config,
  closest,
  isObject,
  readJson,
  readYaml,
  type TargetConfig,
  TouchstoneError,
} from "../../schemas/index.ts";
import type { Stager } from "../run/scenarios.ts";
import { needs } from "../scenarios/scenario.ts";

/** What scenarios are played against. Undefined without scenarios. Throws a usage error for a target that cannot be played against. */
export async function stagerFor(
  target: TargetConfig,
  { scenarios, config }: { scenarios: boolean; config: string | undefined },
): Promise<Stager | undefined> {
  if (!scenarios) {
    if (config !== undefined) throw new TouchstoneError("usage", "--config goes only with --scenarios");
    return undefined;
  }
  if (target.kind === "reference") {
    if (config !== undefined)
      throw new TouchstoneError("usage", "--config goes only with --http: the reference has its own");
    const { variant } = target;
    return async () => {
      const { stagedReference } = await import("../scenarios/index.ts");
      return stagedReference(variant === undefined ? {} : { variant });
    };
  }
  if (target.kind !== "http") throw new TouchstoneError("usage", "--scenarios goes only with --http and --reference");
  const { url } = target;
  const { credentials, hooks, receiver, callbackAuth, profile, timeScale } =
    config === undefined ? {} : await configIn(config);
  const given = Object.entries({ credentials, hooks, receiver, callbackAuth, profile, timeScale }).filter(([, value]) => value !== undefined);
  return async () => ({ setting: { url, ...Object.fromEntries(given) }, close: async () => {} });
}

/** Reads a configuration. Throws a usage error for a file that is none. */
async function configIn(file: string): Promise<Config> {
  const path = resolve(file);
  const wrong = (what: string, hint: string, cause?: unknown): TouchstoneError =>
    new TouchstoneError("usage", what, { where: file, hint, cause });
  let config: unknown;
  try {
    config = await valueIn(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw wrong(
      `the configuration cannot be read: ${why}`,
      "give a JSON or YAML file, or a module with a default export",
      error,
    );
  }
  if (!isObject(config)) throw wrong("the configuration is no object", 'begin with { "credentials": …, "hooks": … }');
  const { hooks = {}, credentials = {}, profile = "development", timeScale = 1 } = config;
  if (!isObject(hooks) || !isObject(credentials)) throw wrong("credentials and hooks are objects", "name each of them");
  const names: readonly string[] = needs;
  const strange = Object.keys(hooks).find((name) => !names.includes(name));
  if (strange !== undefined)
    throw wrong(`there is no hook "${strange}"`, `${closest(strange, names)}hooks are named after what they do`);
  for (const [name, given] of Object.entries(credentials)) {
    if (!/^[ab]$/.test(name)) throw wrong(`there is no credential "${name}"`, "the two agents are a and b");
    if (!isObject(given) || typeof given.agent !== "string")
      throw wrong(`the credential "${name}" names no agent`, 'add "agent"');
  }
  if (profile !== "development" && profile !== "production")
    throw wrong("the profile is neither", "development or production");
  if (typeof timeScale !== "number" || timeScale <= 0) throw wrong("timeScale is no factor", "give a number above 0");
  return config as Config;
}

async function valueIn(path: string): Promise<unknown> {
  switch (extname(path)) {
    case ".json":
      return readJson(readFileSync(path), path).value;
    case ".yaml":
    case ".yml":
      return (await readYaml(readFileSync(path), path)).value;
    default: {
      const { importing } = await import("../targets/module/import.ts");
      return (await importing(pathToFileURL(path))).default;
    }
  }
}
