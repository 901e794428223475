import type { Config } from "../../schemas/index.ts";

/** A configuration as it is, checked by the editor. */
export function defineConfig(config: Config): Config {
  return config;
}
