import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { bundled } from "./bundle.js";
import { type CommandRun, foreignVerdicts, runCommand } from "./size/judged.ts";
import { filesToMeasure, generateArgs, limitsIn, linesIn, packIn, tableOf } from "./size/measured-size.ts";

// npx tsx scripts/large.ts FOLDER [--deadline SECONDS] [WORD…]: runs `generate`, `lint`, `coverage` and `run` on each schema of at least 200 kB in a
// folder. Prints exit codes, seconds of processor time, memory, and the number of vectors that @exodus/schemasafe and Python's jsonschema judge
// differently. Figures are appended to FOLDER/large.jsonl.
const [folderArgument = ".", ...options] = process.argv.slice(2);
const { deadline, words } = limitsIn(options);
const folder = resolve(folderArgument);
const minBytes = 200_000;
const program = join(await bundled(), "suites", "cli", "main.js");
const builtRoot = basename(join(program, "..", "..", ".."));

interface LargeLine {
  built: string;
  /** Seconds of processor time. */
  deadline: number;
  name: string;
  size: number;
  vectors: number;
  /** The result of each command. */
  done: Record<string, CommandRun>;
  /** The number of vectors that each validator judges differently; null if it could not be asked. */
  differing: Record<string, number | null>;
}

const { known, add } = linesIn<LargeLine>(join(folder, "large.jsonl"));
const chosenDocuments = filesToMeasure(folder, minBytes).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
// Whether any file has a fault, for the exit code.
let hasFault = false;
const rows = chosenDocuments.map((chosenDocument) => {
  const isEarlierLine = (line: LargeLine): boolean =>
    line.built === builtRoot && line.deadline === deadline && line.name === chosenDocument.name;
  const line = known.find(isEarlierLine) ?? measureFile(chosenDocument);
  const { done, differing } = line;
  const codes = Object.values(done).map(({ code }) => code ?? "killed");
  hasFault ||= line.vectors === 0 || codes.some((code) => code !== 0 && code !== 1);
  hasFault ||= Object.values(differing).some((count) => (count ?? 0) > 0);
  const maxOf = (figure: "late" | "mebibytes"): number =>
    Math.max(...Object.values(done).map((run) => run[figure] ?? 0));
  const differences = Object.values(differing).map((count) => count ?? "–");
  const seconds = Object.values(done).map((run) => run.seconds.toFixed(1));
  return [
    chosenDocument.name,
    Math.round(chosenDocument.size / 1024),
    line.vectors,
    codes.join(" "),
    seconds.join(" "),
    maxOf("late").toFixed(1),
    Math.round(maxOf("mebibytes")),
    ...differences,
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
process.exitCode = hasFault ? 1 : 0;

function measureFile(measuredSize: (typeof chosenDocuments)[number]): LargeLine {
  const out = mkdtempSync(join(tmpdir(), "large-"));
  const pack = join(out, "pack");
  const limit = ["--deadline", String(deadline), "--unguarded"];
  const run = (args: readonly string[]): CommandRun => runCommand(program, args, deadline);
  const done = {
    generate: run([...generateArgs(measuredSize), "--out", pack, ...limit]),
    lint: run(["lint", measuredSize.path, ...limit]),
    coverage: run(["coverage", pack, ...limit]),
  };
  const differing = measuredSize.isDescription
    ? { schemasafe: null, jsonschema: null }
    : foreignVerdicts(program, pack, { deadline });
  const { name, size } = measuredSize;
  const line = { built: builtRoot, deadline, name, size, vectors: packIn(pack)?.vectors ?? 0, done, differing };
  mkdirSync(folder, { recursive: true });
  add(line);
  rmSync(out, { recursive: true, force: true });
  return line;
}
