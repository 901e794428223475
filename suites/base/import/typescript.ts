import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Addresses of the modules of tsx that register its hooks, for `import` and for `require`, as it is installed for this file;
 * none when it is not. A thread has none of the main thread's hooks, so it must register them itself, even when the program
 * runs through tsx.
 */
export function tsxFor(file: URL): string[] {
  try {
    const { resolve } = createRequire(file);
    // `require` resolves to the CommonJS twin, which does not find its own hooks.
    return ["tsx/esm/api", "tsx/cjs/api"].map((name) => pathToFileURL(resolve(name).replace(/\.cjs$/, ".mjs")).href);
  } catch {
    return [];
  }
}
