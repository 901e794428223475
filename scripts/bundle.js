// Compiles the published files into a few bundles: one per entry, and chunks that entries share. Loading 500 separate modules would be a third
// of a short run. Code that only some commands need is in chunks that are imported on demand. Packages of many small files are included in the
// chunks, with their licences in a file; other packages stay separate.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { home, keepFolder, sourcesOf } from "./kept.js";

const folders = ["schemas", "generators", "suites"];

/** Entries of package.json, programs that others start, and the parts that write the package's vectors. */
const entryPatterns = [
  /^((schemas|generators|suites|suites\/api\/vitest)\/index|schemas\/(archive|outline))\.ts$/,
  /^suites\/cli\/main\.ts$/,
  /^suites\/targets\/module\/(runner|watcher)\.ts$/,
  /^suites\/running\/selftest\/trial\.ts$/,
  /^suites\/protocols\/[^/]+\/reference\/(.*\/)?(main|command)\.ts$/,
];

/** Programs of tests, and modules that they pass to `--module`. */
const testPrograms = /\.(program|target|peer|command)\.fixture\.ts$|\/(target|peer|command|semantic)\.fixture\.ts$/;

/** Packages of many small files, which are slower to find and open than to compile. */
const insidePackages = /^(ajv|ajv-formats|yaml|commander|@hyperjump\/[^/]+)(\/|$)/;

/** CommonJS packages that are loaded with `require`, because Node would parse them to find their exports: for refa, a tenth of a short run. */
const requiredPackages = /^(refa|@eslint-community\/regexpp)$/;

/** Files that the HTML report includes as text. */
const client = join("suites", "reports", "html", "client");

/** Writes the bundle into a folder, and returns whether that succeeded. Errors are written to stderr. */
export async function bundle(folder, additionalEntries = /$^/) {
  const { build } = await import("esbuild");
  const paths = sourcesOf(folders, /\.ts$/).map((name) => name.split(sep).join("/"));
  const entries = paths.filter(
    (name) => entryPatterns.some((pattern) => pattern.test(name)) || additionalEntries.test(name),
  );
  let outputFiles;
  let metafile;
  try {
    ({ outputFiles, metafile } = await build({
      entryPoints: entries.map((name) => join(home, name)),
      outbase: home,
      outdir: folder,
      write: false,
      bundle: true,
      splitting: true,
      metafile: true,
      plugins: [setModulePath, packages],
      logLevel: "error",
      format: "esm",
      platform: "node",
      target: "node20",
      chunkNames: "chunks/[name]-[hash]",
      charset: "utf8",
      // Names are kept, so that stack traces are readable. Without indentation the package is an eighth smaller.
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 160,
    }));
  } catch {
    // esbuild has already printed the error.
    return false;
  }
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const root = relative(dirname(path), folder).split(sep).join("/");
    writeFileSync(path, withRequire(text.replace(printedPlaceholder, `${root === "" ? "." : root}/`)));
  }
  writeFileSync(join(folder, "LICENSES.txt"), licencesOf(Object.keys(metafile.inputs)));
  cpSync(join(home, client), join(folder, client), { recursive: true, filter: (path) => !path.endsWith(".json") });
  return true;
}

/** The folder with a bundle of the current sources and the programs of tests. Throws if it cannot be made. */
export async function bundled() {
  const sources = sourcesOf(folders, /(?<!\.test)\.(ts|js|css|html)$/);
  const cacheKey = `built ${readFileSync(join(home, "scripts", "bundle.js"))}`;
  const folder = await keepFolder("built", cacheKey, sources, (partialFolder) => bundle(partialFolder, testPrograms));
  if (folder === undefined) throw new Error("the package for users could not be built");
  return folder;
}

/** A placeholder for the path from a file of the bundle to its top, which is unknown before bundling. */
const topPlaceholder = "touchstone:place:";

/** The placeholder as esbuild prints it: its limit of a line's length may break a string anywhere. */
const printedPlaceholder = new RegExp([...topPlaceholder].join("(?:\\\\\n)?"), "g");

/**
 * Replaces `import.meta` paths, so that a bundled module finds its location as if it was a separate file. Turns `createRequire` into `require`,
 * so that esbuild includes the required packages and evaluates them on demand.
 */
const setModulePath = {
  name: "placed",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const bundledPath = relative(home, path).split(sep).join("/").replace(/\.ts$/, ".js");
      const text = readFileSync(path, "utf8");
      const pathExpression = `placedAt(import.meta.dirname, "${topPlaceholder}${bundledPath}")`;
      const replacements = {
        url: `new URL("${topPlaceholder}${bundledPath}", import.meta.url).href`,
        filename: pathExpression,
        dirname: `placedAt(import.meta.dirname, "${topPlaceholder}${dirname(bundledPath)}")`,
      };
      const textWithRequire = text
        .replace(/^const require = createRequire\(import\.meta\.url\);\n/m, "")
        .replaceAll("createRequire(import.meta.url)(", "require(");
      const contents = textWithRequire.replace(
        /import\.meta\.(url|filename|dirname)\b/g,
        (_, name) => replacements[name],
      );
      const joinImport = contents.includes("placedAt(") ? 'import { join as placedAt } from "node:path";\n' : "";
      // The line that names the interpreter must stay the first line.
      const interpreterLine = /^#!.*\n/.exec(contents)?.[0] ?? "";
      return { contents: `${interpreterLine}${joinImport}${contents.slice(interpreterLine.length)}`, loader: "ts" };
    });
  },
};

const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

/**
 * Includes packages of many small files and the packages on which only these depend. A CommonJS chunk that is imported on demand has only a
 * default export, so a module with named exports is put in front of it.
 */
const packages = {
  name: "packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: insidePackages }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, namespace: "by name" } : undefined,
    );
    onLoad({ filter: /^/, namespace: "by name" }, async ({ path }) => ({
      contents: `export { ${(await namesOf(path)).join(", ")} } from "${path}";`,
      resolveDir: home,
    }));
    onResolve({ filter: requiredPackages }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: "required" } : undefined,
    );
    onLoad({ filter: /^/, namespace: "required" }, async ({ path }) => ({
      contents: `export const { ${(await namesOf(path)).filter((name) => name !== "default").join(", ")} } = require("${path}");`,
      resolveDir: home,
    }));
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === "entry-point" || insidePackages.test(path)) return undefined;
      const isOfPackage = importer.includes(`${sep}node_modules${sep}`) && !Object.hasOwn(dependencies, path);
      return isOfPackage ? undefined : { path, external: true };
    });
  },
};

/** The names that a package exports, including `default`. */
async function namesOf(path) {
  return Object.keys(await import(path)).filter((name) => /^\w+$/.test(name) && name !== "__esModule");
}

/** Defines `require` in a chunk with a CommonJS package, because an ES module does not have it. */
function withRequire(text) {
  if (!/\bvar __require ?=/.test(text)) return text;
  return `import { createRequire as requireOf } from "node:module";\nconst require = requireOf(import.meta.url);\n${text}`;
}

/** The licences of the packages that contain these files, each once. */
function licencesOf(files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(home, folder, "package.json"), "utf8"));
      const file = readdirSync(join(home, folder)).find((name) => /^licen[cs]e/i.test(name));
      const text = file === undefined ? "" : readFileSync(join(home, folder, file), "utf8").trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(72)}\n\n`);
}
