import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { home } from "../schemas/index.ts";
import { bundled } from "./bundle.js";
import { linesIn, measuredIn, packIn, tableOf, wordsFor } from "./size/kept.ts";

// npx tsx scripts/large.ts FOLDER [WORD…]: the results of `generate`, `lint`, `coverage` and `run` for each schema of 200 kB and more in a folder: exit codes,
// seconds of the processor, memory, and different verdicts of two other validators, @exodus/schemasafe and Python's jsonschema. Figures go to FOLDER/large.jsonl one
// by one.
const [given = ".", ...words] = process.argv.slice(2);
const folder = resolve(given);
const least = 200_000;
const deadline = 60;
const usage = fileURLToPath(new URL("documents/usage.js", import.meta.url));
const program = join(await bundled(), "suites", "cli", "main.js");
const built = basename(join(program, "..", "..", ".."));

interface Done {
  code: number | null;
  seconds: number;
  mebibytes: number;
  /** Seconds of the clock beyond its deadline. */
  late?: number;
}

interface LargeLine {
  built: string;
  name: string;
  size: number;
  vectors: number;
  done: Record<string, Done>;
  /** Vectors that a validator judges otherwise, by its name; null if it could not be asked. */
  differing: Record<string, number | null>;
}

function runCommand(args: readonly string[]): Done {
  const begun = performance.now();
  const { status, stderr, signal } = spawnSync(process.execPath, ["--import", usage, program, ...args], {
    encoding: "utf8",
    timeout: 15 * deadline * 1000,
    killSignal: "SIGKILL",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  const { seconds = 0, mebibytes = 0 } = last.startsWith("{") ? (JSON.parse(last) as Partial<Done>) : {};
  const late = Math.max(0, Math.round((performance.now() - begun) / 100) / 10 - deadline);
  return { code: signal === null ? status : null, seconds, mebibytes, late };
}

const judge = `import { validator } from ${JSON.stringify(import.meta.resolve("@exodus/schemasafe"))};
const known = new Map();
const placed = (text) => text.replaceAll('"schema:/', '"http://schema.example/');
export const claims = [];
export default (instance, { document, schema, schemas }) => {
  if (!known.has(document)) {
    const all = JSON.parse(placed(JSON.stringify(schemas)));
    const id = JSON.parse(placed(JSON.stringify(schema)));
    const own = all.find(({ $id }) => $id === id);
    known.set(document, validator(own, { mode: "lax", schemas: all, formatAssertion: false }));
  }
  return known.get(document)(instance);
};
`;

/** How many results violate in a report, of all that were judged; null if none was. */
function differingIn(report: string): number | null {
  try {
    const { counts } = JSON.parse(readFileSync(report, "utf8")) as { counts: Record<string, number> };
    const { conforms = 0, violates = 0 } = counts;
    return conforms + violates === 0 ? null : violates;
  } catch {
    return null;
  }
}

const { known, add } = linesIn<LargeLine>(join(folder, "large.jsonl"));
const chosen = measuredIn(folder, least).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
// Whether the program ends with an error.
let isWrong = false;
const rows = chosen.map((each) => {
  const line = known.find((one) => one.built === built && one.name === each.name) ?? measureFile(each);
  const { done, differing } = line;
  const codes = Object.values(done).map(({ code }) => code ?? "killed");
  isWrong ||= line.vectors === 0 || codes.some((code) => code !== 0 && code !== 1);
  isWrong ||= Object.values(differing).some((count) => (count ?? 0) > 0);
  const most = (of: "late" | "mebibytes"): number => Math.max(...Object.values(done).map((one) => one[of] ?? 0));
  const others = Object.values(differing).map((count) => count ?? "–");
  const seconds = Object.values(done).map((one) => one.seconds.toFixed(1));
  return [
    each.name,
    Math.round(each.size / 1024),
    line.vectors,
    codes.join(" "),
    seconds.join(" "),
    most("late").toFixed(1),
    Math.round(most("mebibytes")),
    ...others,
  ];
});
console.log(
  tableOf(
    [
      "file",
      "KiB",
      "vectors",
      "exit codes: generate, lint, coverage",
      "s of each",
      "s late at most",
      "MiB at most",
      "schemasafe",
      "jsonschema",
    ],
    rows,
  ),
);
process.exitCode = isWrong ? 1 : 0;

function measureFile(each: (typeof chosen)[number]): LargeLine {
  const out = mkdtempSync(join(tmpdir(), "large-"));
  const pack = join(out, "pack");
  const limit = ["--deadline", String(deadline), "--unguarded"];
  const done = {
    generate: runCommand([...wordsFor(each), "--out", pack, ...limit]),
    lint: runCommand(["lint", each.path, ...limit]),
    coverage: runCommand(["coverage", pack, ...limit]),
  };
  const module = join(out, "judge.mjs");
  writeFileSync(module, judge);
  const python = `python3 -W ignore ${join(home, "suites", "adapters", "python-jsonschema.py")}`;
  const asked = (name: string, target: readonly string[]): number | null => {
    const report = join(out, `${name}.json`);
    runCommand(["run", pack, ...target, "--report", `json=${report}`, "--deadline", String(deadline)]);
    return differingIn(report);
  };
  const differing = each.isDescription
    ? { schemasafe: null, jsonschema: null }
    : { schemasafe: asked("schemasafe", ["--module", module]), jsonschema: asked("jsonschema", ["--command", python]) };
  const line = { built, name: each.name, size: each.size, vectors: packIn(pack)?.vectors ?? 0, done, differing };
  mkdirSync(folder, { recursive: true });
  add(line);
  rmSync(out, { recursive: true, force: true });
  return line;
}
