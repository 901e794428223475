import type { Config } from "../../schemas/index.ts";

/** Returns a configuration unchanged, so that the editor checks it. */
export function defineConfig(config: Config): Config {
  return config;
}
