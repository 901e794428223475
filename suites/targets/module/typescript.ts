import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Address of the module of tsx that registers its hooks, as it is installed for this file; undefined when it is not. A thread
 * has none of the main thread's hooks before Node 22, so it must register them itself, even when the program runs through tsx.
 */
export function tsxFor(file: string | URL): string | undefined {
  try {
    // `require` resolves to the CommonJS twin, which does not find its own hooks.
    return pathToFileURL(
      createRequire(file)
        .resolve("tsx/esm/api")
        .replace(/\.cjs$/, ".mjs"),
    ).href;
  } catch {
    return undefined;
  }
}
