import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { home } from "../schemas/index.ts";
import { type Figures, figuresOf, rowOf, tableOf, versionIn } from "./documents/row.ts";
import { replaceMarked } from "./marked-part.ts";

// npx tsx scripts/documents.ts FOLDER [--write]: how real descriptions are read, which are not kept in the repository, and the vectors that are made from them within ten
// seconds of the processor. Two are measured at a time, and after 22 minutes none is begun. Figures go to FOLDER/figures.jsonl one by one, so that a run that was stopped, by a
// signal too, goes on there: remove that file to measure all again. With `npm run build` before it, the built program is measured.
const [folder = ".", ...rest] = process.argv.slice(2);
const page = join(home, "suites", "authoring", "openapi", "README.md");
const usage = fileURLToPath(new URL("documents/usage.js", import.meta.url));
const builtMain = join(home, "dist", "suites", "cli", "main.js");
const isBuilt = existsSync(builtMain);
/** In seconds of processor time. */
const deadline = 10;
/** Seconds of clock time: a document is given up after the first, and no document is begun after the second. */
const maxSeconds = 20 * 60;
const lastStart = 22 * 60;
const concurrency = 2;

/** Makes a pack from a document, and returns its figures. */
async function measureFile(file: string): Promise<Omit<Figures, "file" | "size">> {
  const out = mkdtempSync(join(tmpdir(), "documents-"));
  const program = isBuilt ? [builtMain] : [...process.execArgv, join(home, "suites", "cli", "main.ts")];
  const args = ["generate", file, "--out", join(out, "pack"), "--deadline", String(deadline), "--unguarded"];
  const child = spawn(process.execPath, ["--import", usage, ...program, ...args], {
    timeout: maxSeconds * 1000,
    killSignal: "SIGKILL",
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    said = (said + part).slice(-maxStderr);
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => child.on("close", (_, by) => resolve(by)));
  const manifest = join(out, "pack", "vectors", "MANIFEST.json");
  const vectors = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as { count: number }).count : 0;
  rmSync(out, { recursive: true, force: true });
  return signal === null ? { ...figuresOf(said), vectors } : { failure: `not within ${maxSeconds} s`, vectors };
}

const maxStderr = 2 ** 26;
const figuresFile = join(folder, "figures.jsonl");
const lines = existsSync(figuresFile) ? readFileSync(figuresFile, "utf8").split("\n") : [];
const knownFigures = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line) as Figures);
const paths = readdirSync(folder, { recursive: true }).map(String);
const texts = paths.filter((path) => /\.(json|ya?ml)$/.test(path) && statSync(join(folder, path)).isFile());
const sizedFiles = texts
  .map((file) => ({ file, size: statSync(join(folder, file)).size }))
  .map((each) => ({ ...each, version: versionIn(readFileSync(join(folder, each.file), "utf8")) }))
  .filter(({ version }) => version !== "");
// Small documents first, so that a stopped run has most of them.
const openFiles = sizedFiles
  .filter(
    ({ file, size }) => !knownFigures.some((knownFigure) => knownFigure.file === file && knownFigure.size === size),
  )
  .sort((one, other) => one.size - other.size);
const startedAt = performance.now();
const worker = async (): Promise<void> => {
  while (performance.now() - startedAt < lastStart * 1000) {
    const next = openFiles.shift();
    if (next === undefined) return;
    const figures = { file: next.file, size: next.size, ...(await measureFile(resolve(folder, next.file))) };
    knownFigures.push(figures);
    appendFileSync(figuresFile, `${JSON.stringify(figures)}\n`);
    console.error(`${next.file}: ${Math.round((performance.now() - startedAt) / 1000)} s, ${openFiles.length} left`);
  }
};
await Promise.all(Array.from({ length: concurrency }, worker));
const rows = sizedFiles.flatMap(({ file, size, version }) => {
  const figures = knownFigures.find((knownFigure) => knownFigure.file === file && knownFigure.size === size);
  return figures === undefined ? [] : [rowOf(figures, version)];
});
rows.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
if (rest.includes("--write") && openFiles.length === 0)
  writeFileSync(page, replaceMarked(readFileSync(page, "utf8"), "documents", `\n${tableOf(rows)}\n`));
else console.log(tableOf(rows));
if (openFiles.length > 0) {
  console.error(
    `${openFiles.length} documents are left, and nothing was written to the page: call it again, and it goes on`,
  );
  process.exitCode = 1;
}
