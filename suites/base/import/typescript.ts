import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** The URLs of tsx's modules that register its hooks, for `import` and for `require`, as installed for this file; empty if it is not installed. A thread has none of the main thread's hooks, so it must register them itself, even when the program runs through tsx. */
export function tsxFor(file: URL): string[] {
  try {
    const { resolve } = createRequire(file);
    // `require` resolves to the CommonJS twin, which does not find its own hooks.
    return ["tsx/esm/api", "tsx/cjs/api"].map((name) => pathToFileURL(resolve(name).replace(/\.cjs$/, ".mjs")).href);
  } catch {
    return [];
  }
}
