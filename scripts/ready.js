// Makes `npm start` and `npm test` work in a fresh clone: installs the packages in package-lock.json, unless they are already installed.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));

if (!isInstalled()) {
  console.error("installing the locked dependencies");
  // Stdout belongs to the script that follows.
  const { status } = spawnSync("npm", ["ci"], {
    cwd: home,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
}

/** npm writes this record when an installation is complete. Optional packages depend on the platform. */
function isInstalled() {
  const installed = packages(join("node_modules", ".package-lock.json"));
  const locked = packages("package-lock.json") ?? {};
  if (installed === undefined) return false;
  return Object.entries(locked).every(([path, { version, optional, devOptional }]) => {
    return path === "" || optional || devOptional || installed[path]?.version === version;
  });
}

function packages(file) {
  try {
    return JSON.parse(readFileSync(join(home, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}
