// Runs a program of this folder, such as start.ts, as compiled JavaScript: loading its modules one by one through tsx costs more than all else
// that a short run does. What was compiled is kept, and used as long as nothing that it was compiled of has changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, home } from "./compile.js";

const project = "tsconfig.compiled.json";
const kept = join(home, "node_modules", ".cache", "touchstone", "compiled");
/** Of other branches, and of runs that are still under way. */
const mostKept = 4;

const [program = "start.ts", ...rest] = process.argv.slice(2);
const folder = join(kept, digest());
process.exitCode = existsSync(folder) ? 0 : compileInto(folder);
if (process.exitCode === 0) {
  const file = join(folder, "scripts", program.replace(/\.ts$/, ".js"));
  process.argv.splice(1, process.argv.length, file, ...rest);
  await import(pathToFileURL(file).href);
}

/** Of everything that decides what is compiled. */
function digest() {
  const hash = createHash("sha256");
  const add = (name) => hash.update(`${name}\n`).update(readFileSync(join(home, name)));
  for (const name of ["tsconfig.json", `scripts/${project}`, "package-lock.json"]) add(name);
  for (const name of ["schemas", "generators", "suites", "scripts"])
    for (const file of readdirSync(join(home, name), { recursive: true, encoding: "utf8" }).sort())
      if (/(?<!\.test|\.fixture)\.(ts|js|css|html)$/.test(file)) add(join(name, file));
  return hash.digest("hex").slice(0, 16);
}

/** Whoever runs at the same time sees the folder when it is whole. */
function compileInto(target) {
  const own = `${target}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  const status = compile(project, own);
  if (status === 0 && !existsSync(target)) renameSync(own, target);
  else rmSync(own, { recursive: true, force: true });
  const age = (name) => statSync(join(kept, name)).mtimeMs;
  const others = readdirSync(kept).filter((name) => /^[0-9a-f]+$/.test(name));
  for (const old of others.sort((a, b) => age(b) - age(a)).slice(mostKept))
    rmSync(join(kept, old), { recursive: true, force: true });
  return status;
}
