import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Makes a folder and its missing parents. Node's recursive mkdir never ends beneath `/proc`, where no folder can be made. */
export function makeFolder(path: string): void {
  const missingFolders: string[] = [];
  for (let folder = resolve(path); !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missingFolders.unshift(folder);
  for (const folder of missingFolders)
    try {
      mkdirSync(folder);
    } catch (error) {
      // Another process may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
}
