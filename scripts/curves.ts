import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { bundled } from "./bundle.js";
import { type CurvePoint, entangledDefinitions, faultsOf } from "./size/curve.ts";
import { runCommand } from "./size/judged.ts";
import { filesToMeasure, generateArgs, linesIn, packIn, tableOf } from "./size/measured-size.ts";

// npx tsx scripts/curves.ts FOLDER [WORD…]: measures how many assertions of each schema in a folder `generate` isolates within 5 to 80 seconds of
// processor time. Adds a schema of 90 entangled definitions, as in MCP and ACP, if it is missing. Figures are appended to FOLDER/curves.jsonl,
// with a hash of the measured sources.
const [folderArgument = ".", ...fileWords] = process.argv.slice(2);
const folder = resolve(folderArgument);
const deadlines = [5, 10, 20, 40, 80];
const zeroCounts = { vectors: 0, documents: 0, isolated: 0, sites: 0 };

interface CurveLine extends CurvePoint {
  built: string;
  name: string;
  documents: number;
  sites: number;
  /** The seconds of processor time. */
  took: number;
  mebibytes: number;
}

mkdirSync(folder, { recursive: true });
const entangledSchema = join(folder, "entangled.schema.json");
if (!existsSync(entangledSchema)) writeFileSync(entangledSchema, JSON.stringify(entangledDefinitions(90), null, 1));
const program = join(await bundled(), "suites", "cli", "main.js");
const builtRoot = basename(join(program, "..", "..", ".."));
const { known, add } = linesIn<CurveLine>(join(folder, "curves.jsonl"));
const chosenDocuments = filesToMeasure(folder, 0).filter(
  ({ name }) => fileWords.length === 0 || fileWords.some((word) => name.includes(word)),
);
// Whether any curve has a fault, for the exit code.
let hasFault = false;
const rows = chosenDocuments.map((chosenDocument) => {
  const lines = deadlines.map((seconds): CurveLine => {
    const earlierLine = known.find(
      (line) => line.built === builtRoot && line.name === chosenDocument.name && line.seconds === seconds,
    );
    if (earlierLine !== undefined) return earlierLine;
    const out = mkdtempSync(join(tmpdir(), "curves-"));
    const pack = join(out, "pack");
    const generateOptions = [
      ...generateArgs(chosenDocument),
      "--out",
      pack,
      "--deadline",
      String(seconds),
      "--unguarded",
    ];
    const { code, seconds: took, mebibytes } = runCommand(program, generateOptions, seconds);
    const line = {
      built: builtRoot,
      name: chosenDocument.name,
      seconds,
      code,
      took,
      mebibytes,
      ...(packIn(pack) ?? zeroCounts),
    };
    rmSync(out, { recursive: true, force: true });
    add(line);
    return line;
  });
  const faults = faultsOf(lines);
  hasFault ||= faults.length > 0;
  const longestRun = lines.at(-1);
  const cells = lines.map(({ isolated, took }) => `${isolated} (${took.toFixed(1)} s)`);
  const maxMebibytes = Math.max(...lines.map(({ mebibytes }) => mebibytes));
  return [
    chosenDocument.name,
    longestRun?.documents ?? 0,
    longestRun?.sites ?? 0,
    ...cells,
    maxMebibytes,
    faults.join("; ") || "none",
  ];
});
console.log(
  tableOf(
    ["schema", "documents", "assertions", ...deadlines.map((deadline) => `${deadline} s`), "MiB", "faults"],
    rows,
  ),
);
process.exitCode = hasFault ? 1 : 0;
