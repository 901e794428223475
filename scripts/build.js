// Compiles what users get into dist/.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const dist = join(dirname(scripts), "dist");
const { resolve } = createRequire(import.meta.url);
const compiler = join(dirname(resolve("typescript/package.json")), "bin", "tsc");

// A file that has left the sources must leave the package too.
rmSync(dist, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, "-p", join(scripts, "tsconfig.build.json")], {
  stdio: "inherit",
});
if (status === 0) {
  // What is imported for its effects has no part in types, and its own need not pass the checks of whoever reads ours.
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    const text = readFileSync(join(dist, file), "utf8");
    const typed = text.replace(/^import "[^"]+";\n/gm, "");
    if (typed !== text) writeFileSync(join(dist, file), typed);
  }
  chmodSync(join(dist, "suites", "cli", "main.js"), 0o755);
  // What the HTML report takes in as text.
  const client = join("suites", "reports", "html", "client");
  cpSync(join(dirname(scripts), client), join(dist, client), {
    recursive: true,
    filter: (path) => !path.endsWith(".json"),
  });
}
process.exitCode = status ?? 1;
