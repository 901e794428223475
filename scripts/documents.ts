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

// npx tsx scripts/documents.ts FOLDER [--write]: reads real API descriptions, which are not part of the repository, and measures the vectors
// that are made from each within ten seconds of processor time. Measures two at a time, and starts none after 22 minutes. Figures are
// appended to FOLDER/figures.jsonl, so that a stopped run can continue: delete that file to measure all again. Measures the built program if
// `npm run build` has made it.
const [folder = ".", ...options] = process.argv.slice(2);
const page = join(home, "suites", "authoring", "openapi", "README.md");
const usage = fileURLToPath(new URL("documents/usage.js", import.meta.url));
const builtMain = join(home, "dist", "suites", "cli", "main.js");
const isBuilt = existsSync(builtMain);
/** The time for each document, in seconds of processor time. */
const deadline = 10;
/** The seconds of clock time after which a document is aborted. */
const maxSeconds = 20 * 60;
/** The seconds of clock time after which no document is started. */
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
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    stderr = (stderr + part).slice(-maxStderr);
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("close", (_, endSignal) => resolve(endSignal)),
  );
  const manifest = join(out, "pack", "vectors", "MANIFEST.json");
  const vectors = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as { count: number }).count : 0;
  rmSync(out, { recursive: true, force: true });
  return signal === null ? { ...figuresOf(stderr), vectors } : { failure: `not within ${maxSeconds} s`, vectors };
}

const maxStderr = 2 ** 26;
const figuresFile = join(folder, "figures.jsonl");
const lines = existsSync(figuresFile) ? readFileSync(figuresFile, "utf8").split("\n") : [];
const knownFigures = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line) as Figures);
const paths = readdirSync(folder, { recursive: true }).map(String);
const descriptionFiles = paths.filter((path) => /\.(json|ya?ml)$/.test(path) && statSync(join(folder, path)).isFile());
const sizedFiles = descriptionFiles
  .map((file) => ({ file, size: statSync(join(folder, file)).size }))
  .map((entry) => ({ ...entry, version: versionIn(readFileSync(join(folder, entry.file), "utf8")) }))
  .filter(({ version }) => version !== "");
// Small documents first, so that a stopped run has most of them.
const remainingFiles = sizedFiles
  .filter(
    ({ file, size }) => !knownFigures.some((knownFigure) => knownFigure.file === file && knownFigure.size === size),
  )
  .sort((first, second) => first.size - second.size);
const startedAt = performance.now();
const worker = async (): Promise<void> => {
  while (performance.now() - startedAt < lastStart * 1000) {
    const nextFile = remainingFiles.shift();
    if (nextFile === undefined) return;
    const figures = {
      file: nextFile.file,
      size: nextFile.size,
      ...(await measureFile(resolve(folder, nextFile.file))),
    };
    knownFigures.push(figures);
    appendFileSync(figuresFile, `${JSON.stringify(figures)}\n`);
    console.error(
      `${nextFile.file}: ${Math.round((performance.now() - startedAt) / 1000)} s, ${remainingFiles.length} left`,
    );
  }
};
await Promise.all(Array.from({ length: concurrency }, worker));
const rows = sizedFiles.flatMap(({ file, size, version }) => {
  const figures = knownFigures.find((knownFigure) => knownFigure.file === file && knownFigure.size === size);
  return figures === undefined ? [] : [rowOf(figures, version)];
});
rows.sort(([first = ""], [second = ""]) => (first < second ? -1 : 1));
if (options.includes("--write") && remainingFiles.length === 0)
  writeFileSync(page, replaceMarked(readFileSync(page, "utf8"), "documents", `\n${tableOf(rows)}\n`));
else console.log(tableOf(rows));
if (remainingFiles.length > 0) {
  console.error(
    `${remainingFiles.length} documents are left, and nothing was written to the page: run the same command again to continue`,
  );
  process.exitCode = 1;
}
