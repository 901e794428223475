import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { home, type Protocol, protocolsNamed } from "../../schemas/index.ts";
import { loadVectors } from "../../suites/index.ts";
import { round, table } from "./table.ts";

/** A module that writes the peak memory of its process, in KiB, to file descriptor 3. */
const preload = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from "node:fs"; process.on("exit", () => { try { writeSync(3, process.resourceUsage().maxRSS + "\\n"); } catch {} });`,
)}`;

const mebibyte = 2 ** 20;

/** Prints the peak memory and the time of each command on the protocol with the most vectors, with the size of its input. */
export async function memory(): Promise<void> {
  const vectorCounts = protocolsNamed("all").map((protocol) => ({
    protocol,
    count: loadVectors(protocol).files.reduce((sum, { tests }) => sum + tests.length, 0),
  }));
  const [largestProtocol] = vectorCounts.sort((a, b) => b.count - a.count);
  if (largestProtocol === undefined) return;
  const { name } = largestProtocol.protocol;
  const vectors = bytesIn(vectorsOf(largestProtocol.protocol));
  const schemas = bytesIn(largestProtocol.protocol.folder);
  const folder = mkdtempSync(join(tmpdir(), "touchstone-memory-"));
  try {
    const module = join(folder, "accepts.mjs");
    writeFileSync(module, "export default () => true;\n");
    const report = join(folder, "report.json");
    const baseline = join(folder, "baseline.json");
    const rowFor = (args: string[], bytes: number, codes = [0]): MemoryRow => ({ args, bytes: () => bytes, codes });
    const reportRow = (args: string[]): MemoryRow => ({ args, bytes: () => bytesIn(report), codes: [0] });
    const rows: MemoryRow[] = [
      rowFor(["run", name, "--module", module, "--quiet", "--report", `json=${report}`], vectors, [1]),
      rowFor(["run", name, "--reference", "--quiet"], vectors, [0]),
      rowFor(["play", name, "--reference", "--quiet"], vectors),
      reportRow(["report", "render", report, "--report", `html=${join(folder, "page.html")}`]),
      reportRow(["report", "render", report, "--report", `sarif=${join(folder, "a.sarif")}`]),
      reportRow(["report", "diff", report, report]),
      reportRow(["baseline", "update", baseline, report, "--reason", "known"]),
      reportRow(["baseline", "check", baseline, report]),
      rowFor(["list", "vectors", "--protocol", name], vectors),
      rowFor(["check", "--unguarded"], bytesIn(join(home, "vectors"))),
      rowFor(["coverage", name, "--unguarded"], vectors + schemas),
      rowFor(
        [
          "lint",
          "--unguarded",
          "--ref",
          largestProtocol.protocol.folder,
          ...schemaFiles(largestProtocol.protocol.folder),
        ],
        schemas,
        [0, 1],
      ),
      rowFor(["selftest", name], vectors),
      rowFor(["challenge", name, "--module", module, "--quiet"], schemas, [1]),
    ];
    console.log(`${name}: ${largestProtocol.count} vectors\n`);
    const tableRows = rows.map((row) => measureRow(row, folder));
    console.log(table(["command", "reads MiB", "peak MiB", "s", "ends with"], tableRows));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface MemoryRow {
  args: string[];
  /** The size of the input, after the rows before it have been measured. */
  bytes: () => number;
  /** The exit codes of a successful run. */
  codes: readonly number[];
}

function measureRow({ args, bytes, codes }: MemoryRow, cwd: string): string[] {
  const startedAt = performance.now();
  const main = join(home, "dist", "suites", "cli", "main.js");
  const { output, status } = spawnSync(process.execPath, ["--import", preload, main, ...args], {
    cwd,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: 1_200_000,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const peak =
    Math.max(
      0,
      ...String(output?.[3] ?? "")
        .split("\n")
        .map(Number),
    ) * 1024;
  const exitText = status !== null && codes.includes(status) ? String(status) : `${status}: unexpected`;
  return [args.slice(0, 2).join(" "), round(bytes() / mebibyte), round(peak / mebibyte), round(seconds), exitText];
}

function vectorsOf({ name, version }: Protocol): string {
  return join(home, "vectors", name, version);
}

/** Bytes of a file, or of all files in a folder. */
function bytesIn(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return Number.NaN;
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

function schemaFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".schema.json") && !file.includes("records"))
    .map((file) => join(folder, file));
}
