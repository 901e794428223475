import type { Config } from "../../schemas/index.ts";

/** Returns the configuration unchanged. With it, an editor can check the configuration. */
export function defineConfig(config: Config): Config {
  return config;
}
