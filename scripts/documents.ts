import { spawnSync } from "node:child_process";
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
import { marked } from "./marked.ts";

// npx tsx scripts/documents.ts FOLDER [--write]: how real descriptions are read, which are not kept in the repository, and what vectors are made of them within a minute.
// Figures go to FOLDER/figures.jsonl one by one, so that a run that was stopped goes on there. With `npm run build` before it, the built program is measured.
const [folder = ".", ...rest] = process.argv.slice(2);
const page = join(home, "suites", "openapi", "README.md");
const usage = fileURLToPath(new URL("documents/usage.js", import.meta.url));
const built = join(home, "dist", "suites", "cli", "main.js");
const isBuilt = existsSync(built);
/** Seconds of the clock for all of a document, and after which it is given up. */
const deadline = 60;
const bound = 15 * deadline;

/** Makes a pack of a document, and gives the figures of that. */
function measured(file: string): Omit<Figures, "file" | "size"> {
  const out = mkdtempSync(join(tmpdir(), "documents-"));
  const program = isBuilt ? [built] : [...process.execArgv, join(home, "suites", "cli", "main.ts")];
  const args = ["generate", file, "--out", join(out, "pack"), "--deadline", String(deadline), "--unguarded"];
  const { stderr, signal } = spawnSync(process.execPath, ["--import", usage, ...program, ...args], {
    ...{ encoding: "utf8", timeout: bound * 1000, killSignal: "SIGKILL", maxBuffer: 2 ** 26 },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const manifest = join(out, "pack", "vectors", "MANIFEST.json");
  const vectors = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as { count: number }).count : 0;
  rmSync(out, { recursive: true, force: true });
  return signal === null ? { ...figuresOf(stderr), vectors } : { failure: `not within ${bound} s`, vectors };
}

const kept = join(folder, "figures.jsonl");
const lines = existsSync(kept) ? readFileSync(kept, "utf8").trimEnd().split("\n") : [];
const known = lines.map((line) => JSON.parse(line) as Figures);
const paths = readdirSync(folder, { recursive: true }).map(String);
const texts = paths.filter((path) => /\.(json|ya?ml)$/.test(path) && statSync(join(folder, path)).isFile());
const sized = texts
  .map((file) => ({ file, size: statSync(join(folder, file)).size }))
  .map((each) => ({ ...each, version: versionIn(readFileSync(join(folder, each.file), "utf8")) }))
  .filter(({ version }) => version !== "");
sized.sort((one, other) => one.size - other.size);
const rows = sized.map(({ file, size, version }) => {
  const before = known.find((each) => each.file === file && each.size === size);
  const figures = before ?? { file, size, ...measured(resolve(folder, file)) };
  if (before === undefined) appendFileSync(kept, `${JSON.stringify(figures)}\n`);
  return rowOf(figures, version);
});
rows.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
if (rest.includes("--write"))
  writeFileSync(page, marked(readFileSync(page, "utf8"), "documents", `\n${tableOf(rows)}\n`));
else console.log(tableOf(rows));
