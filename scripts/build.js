// Compiles the published files into dist/.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.js";

const scripts = dirname(fileURLToPath(import.meta.url));
const home = dirname(scripts);
const dist = join(home, "dist");

const { resolve } = createRequire(import.meta.url);
const compiler = join(dirname(resolve("typescript/package.json")), "bin", "tsc");

// A file that was deleted from the sources must not stay in the package.
rmSync(dist, { recursive: true, force: true });
const project = join(scripts, "tsconfig.build.json");
const types = [compiler, "-p", project, "--outDir", dist, "--emitDeclarationOnly"];
const { status } = spawnSync(process.execPath, types, { stdio: ["ignore", 2, 2] });
const isBuilt = status === 0 && (await bundle(dist));
if (isBuilt) {
  pruneDeclarations();
  await packVectors();
  chmodSync(join(dist, "suites", "cli", "main.js"), 0o755);
}
process.exitCode = isBuilt ? 0 : 1;

/** Deletes the declarations that no entry of the package needs. */
function pruneDeclarations() {
  const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const entryDeclarations = Object.values(exports).flatMap((entry) =>
    entry.endsWith(".js") ? [join(home, entry.replace(/\.js$/, ".d.ts"))] : [],
  );
  const reached = new Set(entryDeclarations);
  for (const file of reached) {
    const text = readFileSync(file, "utf8");
    // A side-effect import contributes no types, and its declarations may not compile with the settings of our users.
    const typesOnly = text.replace(/^import "[^"]+";\n/gm, "");
    if (typesOnly !== text) writeFileSync(file, typesOnly);
    for (const [, path] of typesOnly.matchAll(/(?:from|import\() ?"(\.[^"]+)\.[jt]s"/g))
      reached.add(join(dirname(file), `${path}.d.ts`));
  }
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const file = join(dist, name);
    if (name.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
}

/** Writes the vector set, compressed by protocol: uncompressed it would be nine tenths of the package. Also writes outlines, for lists that only count. */
async function packVectors() {
  const { packArchive, archiveOf } = await import("../dist/schemas/archive.js");
  const { outlinesFile, packOutlines } = await import("../dist/schemas/outline.js");
  const archives = new Map();
  for (const name of readdirSync(join(home, "vectors"), { recursive: true, encoding: "utf8" }).sort()) {
    if (!name.endsWith(".json")) continue;
    const bytes = readFileSync(join(home, "vectors", name));
    const path = name.split(sep).join("/");
    if (!path.includes("/")) write(path, bytes);
    else archives.set(archiveOf(path), [...(archives.get(archiveOf(path)) ?? []), [path, bytes]]);
  }
  for (const [name, files] of archives) {
    write(name, packArchive(files));
    const [protocol, version] = name.replace(/\.br$/, "").split("/");
    write(outlinesFile(protocol, version), packOutlines(files.map(([, bytes]) => JSON.parse(bytes.toString("utf8")))));
  }
}

function write(path, bytes) {
  const file = join(dist, "vectors", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
