// Compiles what users get, as few files: each entry, and chunks that entries share. Loading 500 files, one for each module, takes a third of a
// short run. What only some commands need is a chunk that is loaded when it is imported, as with modules; packages stay packages.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { home, kept, sourcesOf } from "./kept.js";

const folders = ["schemas", "generators", "suites"];

/** Entries of package.json, programs that others start, and the parts that write the vectors of the package. */
const isEntry = [
  /^((schemas|generators|suites|suites\/api\/vitest)\/index|schemas\/(archive|outline))\.ts$/,
  /^suites\/cli\/main\.ts$/,
  /^suites\/targets\/module\/(runner|watcher)\.ts$/,
  /^suites\/running\/selftest\/trial\.ts$/,
  /^suites\/protocols\/[^/]+\/reference\/(.*\/)?(main|command)\.ts$/,
];

/** Programs of tests, and modules that they give to `--module`. */
const isOfTests = /\.(program|target|peer|command)\.fixture\.ts$|\/(target|peer|command|semantic)\.fixture\.ts$/;

/** What the HTML report takes in as text. */
const client = join("suites", "reports", "html", "client");

/** Writes the bundle into a folder, and returns whether that was possible. What is wrong is written to stderr. */
export async function bundle(folder, more = /$^/) {
  const { build } = await import("esbuild");
  const paths = sourcesOf(folders, /\.ts$/).map((name) => name.split(sep).join("/"));
  const entries = paths.filter((name) => isEntry.some((each) => each.test(name)) || more.test(name));
  let outputFiles;
  try {
    ({ outputFiles } = await build({
      ...{ entryPoints: entries.map((name) => join(home, name)), outbase: home, outdir: folder, write: false },
      ...{ bundle: true, splitting: true, packages: "external", plugins: [placed], logLevel: "error" },
      ...{ format: "esm", platform: "node", target: "node20", chunkNames: "chunks/[name]-[hash]", charset: "utf8" },
    }));
  } catch {
    // It has been said.
    return false;
  }
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const root = relative(dirname(path), folder).split(sep).join("/");
    writeFileSync(path, text.replaceAll(place, `${root === "" ? "." : root}/`));
  }
  cpSync(join(home, client), join(folder, client), { recursive: true, filter: (path) => !path.endsWith(".json") });
  return true;
}

/** The folder of a bundle of the present sources, with the programs of tests. Throws when it cannot be made. */
export async function bundled() {
  const sources = sourcesOf(folders, /(?<!\.test)\.(ts|js|css|html)$/);
  const words = `built ${readFileSync(join(home, "scripts", "bundle.js"))}`;
  const folder = await kept("built", words, sources, (own) => bundle(own, isOfTests));
  if (folder === undefined) throw new Error("what users get could not be built");
  return folder;
}

/** Stands for the way from a file of the bundle to its top, until that is known. */
const place = "touchstone:place:";

/** A module goes on to know where it is, as if it were a file of its own. */
const placed = {
  name: "placed",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const own = relative(home, path).split(sep).join("/").replace(/\.ts$/, ".js");
      const text = readFileSync(path, "utf8");
      const at = `placedAt(import.meta.dirname, "${place}${own}")`;
      const forms = {
        url: `new URL("${place}${own}", import.meta.url).href`,
        filename: at,
        dirname: `placedAt(import.meta.dirname, "${place}${dirname(own)}")`,
      };
      const contents = text.replace(/import\.meta\.(url|filename|dirname)\b/g, (_, name) => forms[name]);
      const needs = contents.includes("placedAt(") ? 'import { join as placedAt } from "node:path";\n' : "";
      // A program begins with the line that says what runs it.
      const first = /^#!.*\n/.exec(contents)?.[0] ?? "";
      return { contents: `${first}${needs}${contents.slice(first.length)}`, loader: "ts" };
    });
  },
};
