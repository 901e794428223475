import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** The URLs of the modules of tsx that register its hooks for `import` and `require`, as installed for this file; empty if it is not installed. A worker thread does not inherit the hooks of the main thread, so it registers its own. */
export function tsxModulesFor(file: URL): string[] {
  try {
    const { resolve } = createRequire(file);
    // `require` resolves to the CommonJS twin, which does not find its own hooks.
    return ["tsx/esm/api", "tsx/cjs/api"].map((name) => pathToFileURL(resolve(name).replace(/\.cjs$/, ".mjs")).href);
  } catch {
    return [];
  }
}
