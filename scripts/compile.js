// Compiles sources: build.js into what users get, compiled.js into what is run here.
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));

/** The folder of the clone. */
export const home = dirname(scripts);

const { resolve } = createRequire(import.meta.url);
const compiler = join(dirname(resolve("typescript/package.json")), "bin", "tsc");

/** What the HTML report takes in as text. */
const client = join("suites", "reports", "html", "client");

/** Compiles what a tsconfig.json in this folder names into `folder`, and returns the compiler's status. */
export function compile(project, folder) {
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(scripts, project), "--outDir", folder], {
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) {
    cpSync(join(home, client), join(folder, client), {
      recursive: true,
      filter: (path) => !path.endsWith(".json"),
    });
  }
  return status ?? 1;
}
