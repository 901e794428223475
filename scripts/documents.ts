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
import { outlineOf } from "./documents/outline.ts";
import { type Figures, rowOf, tableOf, wholeOf } from "./documents/row.ts";
import { marked } from "./marked.ts";

// npx tsx scripts/documents.ts FOLDER [--kept] [--write]: how real OpenAPI documents are read, which are not kept in the repository. Figures go to
// FOLDER/figures.jsonl one by one, so that a run that was stopped goes on there.
const [folder = ".", ...rest] = process.argv.slice(2);
const page = join(home, "suites", "openapi", "README.md");
const usage = fileURLToPath(new URL("documents/usage.js", import.meta.url));
const program = join(home, "suites", "cli", "main.ts");
/** Seconds of the clock after which a part is given up. */
const bound = 300;
/** Seconds of the clock that vectors of one operation may take. */
const deadline = 30;

/** Makes a pack of a document, and gives what was said. */
function made(file: string, out: string, options: readonly string[]): { said: string; isLate: boolean } {
  const args = [
    ...process.execArgv,
    "--import",
    usage,
    program,
    "generate",
    file,
    "--out",
    out,
    "--unguarded",
    ...options,
  ];
  const { stderr, signal } = spawnSync(process.execPath, args, {
    ...{ encoding: "utf8", timeout: bound * 1000, killSignal: "SIGKILL", maxBuffer: 2 ** 26 },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return { said: stderr, isLate: signal !== null };
}

const parts: Record<"outline" | "whole" | "few", (file: string, out: string, own: Figures) => Promise<object>> = {
  outline: (file) => outlineOf(file),
  whole: async (file, out) => {
    const { said, isLate } = made(file, out, ["--deadline", "1"]);
    return isLate ? { failure: `not within ${bound} s` } : wholeOf(said);
  },
  few: async (file, out, { outline }) => {
    // An operation that takes a name is seldom one of those that take nothing, of which one vector is made.
    const all = outline.failure === undefined ? outline.names : [];
    const names = [...all.filter((name) => /^GET .*\{[^#?]*$/.test(name)), ...all].slice(0, 1);
    const { said, isLate } = made(file, out, [
      ...names.flatMap((name) => ["--only", name]),
      "--deadline",
      String(deadline),
    ]);
    const manifest = join(out, "vectors", "MANIFEST.json");
    if (!existsSync(manifest)) return { failure: isLate ? `not within ${bound} s` : "none" };
    const { count } = JSON.parse(readFileSync(manifest, "utf8")) as { count: number };
    return { ...wholeOf(said), vectors: count };
  },
};

const kept = join(folder, "figures.jsonl");
type Kept = Pick<Figures, "file"> & Partial<Figures> & { size: number };
const lines = existsSync(kept) ? readFileSync(kept, "utf8").trimEnd().split("\n") : [];
const known = lines.map((line) => JSON.parse(line) as Kept);
const files = readdirSync(folder).filter((name) => /\.(json|ya?ml)$/.test(name));
const sized = files.map((name) => ({ file: resolve(folder, name), size: statSync(join(folder, name)).size }));
sized.sort((one, other) => one.size - other.size);
const figures = new Map(sized.map(({ file }) => [file, { file } as Figures]));
// Part by part, since the last one takes longest; with --kept only what was measured before.
for (const part of ["outline", "few", "whole"] as const)
  for (const { file, size } of sized) {
    const own = figures.get(file) as Figures;
    const before = known.find((each) => each.file === file && each.size === size && each[part] !== undefined);
    if (before === undefined && rest.includes("--kept")) continue;
    const out = mkdtempSync(join(tmpdir(), "documents-"));
    const found = before?.[part] ?? (await parts[part](file, out, own));
    rmSync(out, { recursive: true, force: true });
    Object.assign(own, { [part]: found });
    if (before === undefined) appendFileSync(kept, `${JSON.stringify({ file, size, [part]: found })}\n`);
  }
const rows = [...figures.values()]
  .filter(({ whole, few }) => whole ?? few)
  .map(rowOf)
  .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
if (rest.includes("--write"))
  writeFileSync(page, marked(readFileSync(page, "utf8"), "documents", `\n${tableOf(rows)}\n`));
else console.log(tableOf(rows));
