import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { bundled } from "./bundle.js";
import { type CurvePoint, entangledDefinitions, faultsOf } from "./size/curve.ts";
import { linesIn, measuredIn, packIn, tableOf, wordsFor } from "./size/kept.ts";

// npx tsx scripts/curves.ts FOLDER [WORD…]: how many assertions of each schema in a folder `generate` isolates within 5 to 80 seconds. 90 entangled definitions,
// the shape of A2A, MCP and ACP, are put there if they are not there. Figures go to FOLDER/curves.jsonl one by one, by the sources that were measured.
const [given = ".", ...words] = process.argv.slice(2);
const folder = resolve(given);
const deadlines = [5, 10, 20, 40, 80];
const nothing = { vectors: 0, documents: 0, isolated: 0, sites: 0 };
/** Seconds that a command may be late. */
const grace = 60;

interface CurveLine extends CurvePoint {
  built: string;
  name: string;
  documents: number;
  sites: number;
  /** Seconds that it took, of the clock. */
  took: number;
}

mkdirSync(folder, { recursive: true });
const own = join(folder, "entangled.schema.json");
if (!existsSync(own)) writeFileSync(own, JSON.stringify(entangledDefinitions(90), null, 1));
const program = join(await bundled(), "suites", "cli", "main.js");
const built = basename(join(program, "..", "..", ".."));
const { known, add } = linesIn<CurveLine>(join(folder, "curves.jsonl"));
const chosen = measuredIn(folder, 0).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
// Whether the program ends with an error.
let isWrong = false;
const rows = chosen.map((each) => {
  const lines = deadlines.map((seconds): CurveLine => {
    const before = known.find((line) => line.built === built && line.name === each.name && line.seconds === seconds);
    if (before !== undefined) return before;
    const out = mkdtempSync(join(tmpdir(), "curves-"));
    const pack = join(out, "pack");
    const begun = performance.now();
    const args = [program, ...wordsFor(each), "--out", pack, "--deadline", String(seconds)];
    const { status } = spawnSync(process.execPath, args, {
      stdio: "ignore",
      timeout: (seconds + grace) * 1000,
      killSignal: "SIGKILL",
    });
    const took = Math.round((performance.now() - begun) / 100) / 10;
    const line = { built, name: each.name, seconds, code: status, took, ...(packIn(pack) ?? nothing) };
    rmSync(out, { recursive: true, force: true });
    add(line);
    return line;
  });
  const faults = faultsOf(lines);
  isWrong ||= faults.length > 0;
  const last = lines.at(-1);
  const cells = lines.map(({ isolated, took }) => `${isolated} (${took} s)`);
  return [each.name, last?.documents ?? 0, last?.sites ?? 0, ...cells, faults.join("; ") || "none"];
});
console.log(tableOf(["schema", "documents", "assertions", ...deadlines.map((each) => `${each} s`), "faults"], rows));
process.exitCode = isWrong ? 1 : 0;
