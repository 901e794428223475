// Runs a program of this folder, such as start.ts, as JavaScript in one file: loading its modules one by one, through tsx, costs more than all
// else that a short run does. What was compiled is kept, and used as long as nothing that it was compiled of has changed.
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const kept = join(home, "node_modules", ".cache", "touchstone", "compiled");
/** One of another branch, or of a run that is still under way, besides. */
const mostKept = 2;

/** What programs start in processes of their own. */
const startedByOthers = /^(suites[\\/]protocols[\\/].*[\\/]main|scripts[\\/]start[\\/]worker)\.ts$/;

/** What the HTML report takes in as text. */
const client = join("suites", "reports", "html", "client");

const [program = "start.ts", ...rest] = process.argv.slice(2);
const sources = sourcesOf(["schemas", "generators", "suites", "scripts"]);
const folder = join(kept, digest());
process.exitCode = existsSync(folder) ? 0 : await compileInto(folder);
if (process.exitCode === 0) {
  const file = join(folder, "scripts", program.replace(/\.ts$/, ".js"));
  process.argv.splice(1, process.argv.length, file, ...rest);
  await import(pathToFileURL(file).href);
}

function sourcesOf(folders) {
  const isSource = /(?<!\.test|\.fixture)\.(ts|js|css|html)$/;
  return folders.flatMap((each) =>
    readdirSync(join(home, each), { recursive: true, encoding: "utf8" })
      .filter((name) => isSource.test(name))
      .sort()
      .map((name) => join(each, name)),
  );
}

/** Of everything that decides what is compiled. */
function digest() {
  const hash = createHash("sha256").update(`${program}\n`);
  for (const name of ["package-lock.json", ...sources]) hash.update(`${name}\n`).update(readFileSync(join(home, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Whoever runs at the same time sees the folder when it is whole. */
async function compileInto(target) {
  const own = `${target}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  const isCompiled = await compile(own, target);
  if (isCompiled && !existsSync(target)) renameSync(own, target);
  else rmSync(own, { recursive: true, force: true });
  const age = (name) => statSync(join(kept, name)).mtimeMs;
  const others = readdirSync(kept).filter((name) => /^[0-9a-f]+$/.test(name));
  for (const old of others.sort((a, b) => age(b) - age(a)).slice(mostKept))
    rmSync(join(kept, old), { recursive: true, force: true });
  return isCompiled ? 0 : 1;
}

/** Compiles into `own` what will be in `target`, and tells whether that is possible. */
async function compile(own, target) {
  const { build } = await import("esbuild");
  const entries = [join("scripts", program), ...sources.filter((name) => startedByOthers.test(name))];
  // Modules know where they are by what becomes of them, as they do where each is a file of its own.
  const placed = {
    name: "placed",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = join(target, relative(home, path)).replace(/\.ts$/, ".js");
        const meta = { url: pathToFileURL(file).href, filename: file, dirname: dirname(file) };
        const text = readFileSync(path, "utf8");
        const contents = text.replace(/import\.meta\.(url|filename|dirname)\b/g, (_, name) =>
          JSON.stringify(meta[name]),
        );
        return { contents, loader: "ts" };
      });
    },
  };
  try {
    await build({
      ...{ entryPoints: entries.map((name) => join(home, name)), outbase: home, outdir: own, plugins: [placed] },
      ...{ bundle: true, format: "cjs", outExtension: { ".js": ".cjs" }, platform: "node", target: "node20" },
      logLevel: "error",
    });
  } catch {
    // It has been said.
    return false;
  }
  for (const entry of entries.map((name) => name.replace(/\.ts$/, ""))) {
    const [cached, file] = [join(home, "scripts", "cached.js"), join(target, `${entry}.cjs`)];
    const launch = `import { run } from ${JSON.stringify(pathToFileURL(cached).href)};\n\nrun(${JSON.stringify(file)});\n`;
    writeFileSync(join(own, `${entry}.js`), launch);
  }
  if (existsSync(join(home, client))) cpSync(join(home, client), join(own, client), { recursive: true });
  return true;
}
