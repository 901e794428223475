import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Makes a folder and its missing parents. Node's recursive mkdir never ends beneath `/proc`, where no folder can be made. */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const each of missing)
    try {
      mkdirSync(each);
    } catch (error) {
      // Another process may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
}
