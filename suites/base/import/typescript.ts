import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** Returns the URLs of the tsx modules that register hooks for `import` and `require`, as resolved from this file; empty if tsx is not installed. A worker thread does not inherit the hooks of the main thread, so it registers its own. */
export function tsxModulesFor(file: URL): string[] {
  try {
    const { resolve } = createRequire(file);
    // `require.resolve` finds the CommonJS build, which does not find its own hooks.
    return ["tsx/esm/api", "tsx/cjs/api"].map((name) => pathToFileURL(resolve(name).replace(/\.cjs$/, ".mjs")).href);
  } catch {
    return [];
  }
}
