// Compiles a program of this folder, such as start.ts, into one JavaScript file and runs it, because loading its modules through tsx is slower
// than the rest of a short run. The compiled file is reused until one of its sources changes.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { home, keepFolder, sourcesOf } from "./kept.js";

/** Programs that run in separate processes. */
const separatePrograms = /^(suites[\\/]protocols[\\/].*[\\/]main|scripts[\\/]start[\\/]worker)\.ts$/;

/** Files that the HTML report includes as text. */
const client = join("suites", "reports", "html", "client");

const [program = "start.ts", ...programArgs] = process.argv.slice(2);
const sources = sourcesOf(["schemas", "generators", "suites", "scripts"]);
const folder = await keepFolder("compiled", program, sources, compile);
process.exitCode = folder === undefined ? 1 : 0;
if (folder !== undefined) {
  const file = join(folder, "scripts", program.replace(/\.ts$/, ".js"));
  process.argv.splice(1, process.argv.length, file, ...programArgs);
  await import(pathToFileURL(file).href);
}

/** Compiles into `outFolder`, which will be renamed to `target`. Returns whether that succeeded. */
async function compile(outFolder, target) {
  const { build } = await import("esbuild");
  const entries = [join("scripts", program), ...sources.filter((name) => separatePrograms.test(name))];
  // A module finds other files by its own path, so each gets the path that it would have as a separate file.
  const setModulePath = {
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
      entryPoints: entries.map((name) => join(home, name)),
      outbase: home,
      outdir: outFolder,
      plugins: [setModulePath],
      bundle: true,
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      platform: "node",
      target: "node20",
      logLevel: "error",
    });
  } catch {
    // esbuild has already printed the error.
    return false;
  }
  for (const entry of entries.map((name) => name.replace(/\.ts$/, ""))) {
    const [cached, file] = [join(home, "scripts", "cached.js"), join(target, `${entry}.cjs`)];
    const launch = `import { run } from ${JSON.stringify(pathToFileURL(cached).href)};\n\nrun(${JSON.stringify(file)});\n`;
    writeFileSync(join(outFolder, `${entry}.js`), launch);
  }
  if (existsSync(join(home, client))) cpSync(join(home, client), join(outFolder, client), { recursive: true });
  return true;
}
