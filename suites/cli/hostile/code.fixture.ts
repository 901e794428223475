import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, example, formatAddress, home } from "../../../schemas/index.ts";
import { runOnce } from "./calls.fixture.ts";
import type { Attack } from "./row.fixture.ts";

// All files in the folder come from a stranger.
let folderMade: string | undefined;
const mark = (folder: string): string => join(folder, "code-was-run");

/** The folder, with packs, modules and configurations that leave a mark when they run. */
function folder(): string {
  if (folderMade !== undefined) return folderMade;
  folderMade = mkdtempSync(join(tmpdir(), "touchstone-"));
  const ownFolder = folderMade;
  process.on("exit", () => rmSync(ownFolder, { recursive: true, force: true }));
  const code = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(mark(ownFolder))}, import.meta.url);\nexport const pack = {};\nexport default {};\n`;
  for (const [name, entry] of Object.entries({
    order: "index.js",
    other: "index.mjs",
    third: "index.ts",
    ".hidden": "index.js",
  })) {
    cpSync(join(home, "suites/packs/pack/example"), join(ownFolder, name), { recursive: true });
    rmSync(join(ownFolder, name, "index.js"), { force: true });
    writeFileSync(join(ownFolder, name, entry), code);
  }
  symlinkSync("order", join(ownFolder, "linked"));
  for (const name of ["module.mjs", "their.config.mjs", "touchstone.config.mjs"])
    writeFileSync(join(ownFolder, name), code);
  writeFileSync(join(ownFolder, "baseline.json"), '{"sets":{},"entries":[]}');
  writeFileSync(join(ownFolder, "api.yaml"), "openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths: {}\n");
  mkdirSync(join(ownFolder, "set"));
  const document = { protocol: "./order/", version: "1", document: "order", schema: "schema:/order.schema.json" };
  writeFileSync(join(ownFolder, "set/MANIFEST.json"), JSON.stringify({ documents: [document], files: [] }));
  cpSync(join(ownFolder, "order"), join(ownFolder, "order@1"), { recursive: true });
  for (const [name, options] of Object.entries(shapes(ownFolder))) {
    writeFileSync(join(ownFolder, `${name}.json`), JSON.stringify(report(options)));
    writeFileSync(join(ownFolder, `${name}.run.json`), JSON.stringify(report(options, true)));
  }
  return ownFolder;
}

const http = { kind: "http", url: "http://127.0.0.1:1" };
const of = (protocol: string): object => ({ verb: "run", protocol, target: http });

/** How strangers' reports claim that their runs were called. */
const shapes = (ownFolder: string): Record<string, object | undefined> => ({
  "a pack": of("./order"),
  "its profile": of("order/profile.json"),
  "an absolute path": of(join(ownFolder, "other")),
  "a way round": of("./order/../third"),
  "a link": of("./linked"),
  "a hidden folder": of("./.hidden"),
  "a document": of("api.yaml"),
  "a module": { ...of(example.protocol), target: { kind: "module", file: "module.mjs" } },
  "a command": { ...of(example.protocol), target: { kind: "command", command: "touch code-was-run" } },
  "a server that is a command": { ...of(example.protocol), target: { kind: "mcp", server: "touch code-was-run" } },
  "a configuration": { ...of(example.protocol), config: "their.config.mjs" },
  "no options": undefined,
});

function report(options: object | undefined, isOfRun = false): object {
  const line = { document: "order", description: "an order", verdict: "valid", level: "MUST", kind: "vector" };
  const results = [
    { ...line, id: "order/1/order/valid/a", outcome: "violates", why: "refused" },
    { ...line, id: "order/1/order/valid/b", outcome: "conforms" },
  ];
  const counts = count(results as Parameters<typeof count>[0]);
  const reportedOptions = options === undefined ? {} : { options };
  const run = {
    protocol: "order",
    version: "1",
    target: { kind: "http", name: "a" },
    filter: { only: [], skip: [] },
    counts,
    results,
    set: { digest: `sha256-${"A".repeat(43)}=`, count: 2 },
    ...(isOfRun ? { command: "touchstone run ./order", ...reportedOptions } : {}),
  };
  const head = {
    $schema: formatAddress("report"),
    tool: { name: "touchstone", version: "0.1.0" },
    started: "2026-01-15T09:30:00.000Z",
  };
  const command = "touch code-was-run; touchstone run ./order --module module.mjs";
  return {
    ...head,
    durationMs: 1,
    complete: true,
    command,
    counts,
    exitCode: 1,
    runs: [run],
    ...(isOfRun ? {} : reportedOptions),
  };
}

const commands: Record<string, (file: string) => string[]> = {
  "report render": (file) => [
    "report",
    "render",
    file,
    "--report",
    "html=out.html",
    "--report",
    "sarif=out.sarif",
    "--report",
    "junit=out.xml",
  ],
  "report merge": (file) => ["report", "merge", file],
  "report diff": (file) => ["report", "diff", file, file],
  "report render --site": (file) => ["report", "render", "--site", "site", `a@1=${file}`],
  "baseline check": (file) => ["baseline", "check", "baseline.json", file],
  "replay --from": (file) => ["replay", "order/1/order/valid/a", "--no-config", "--from", file],
  certify: (file) => ["certify", file, "--name", "a", "--release", "1"],
};

/** Checks that a command runs no foreign code, prints no line from a stranger, and does not crash. */
async function findCodeRun(words: readonly string[]): Promise<string[]> {
  const ownFolder = folder();
  rmSync(mark(ownFolder), { force: true });
  const { code, output } = await runOnce(ownFolder, ...words);
  return [
    ...(existsSync(mark(ownFolder)) ? [`it ran code: ${readFileSync(mark(ownFolder), "utf8")}`] : []),
    ...(output.includes("touch code-was-run;") ? ["it shows a command that the report made up"] : []),
    ...(code === 4 ? [`it broke down: ${output.slice(-300)}`] : []),
  ];
}

const kind = "code in files that are read" as const;

const reportRows = Object.keys(shapes("/")).flatMap((shape) =>
  Object.entries(commands).flatMap(([name, words]): Attack[] => [
    { kind, name: `${name}: ${shape}`, play: () => findCodeRun(words(`${shape}.json`)) },
    { kind, name: `${name}: ${shape}, of a run`, play: () => findCodeRun(words(`${shape}.run.json`)), isLarge: true },
  ]),
);

const otherRows = [
  ["explain", "ORDER-SUM-001"],
  ["explain", "order/1/order/valid/sample"],
  ["replay", "nosuch/1/a/valid/b", "--no-config", "--reference"],
  ["replay", "order/1/order/valid/sample", "--no-config", "--module", "absent.mjs"],
  ["validate", "a pack.json"],
  ["verify", "a pack.json", "--key", "a pack.json"],
  ["check", "order/vectors", "--unguarded"],
  ["coverage", "set", "--unguarded"],
  ["check", "set", "--unguarded"],
  ["explain", "order@1/1/order/valid/sample"],
].map((words): Attack => ({ kind, name: words.join(" "), play: () => findCodeRun(words) }));

export const codeRows: readonly Attack[] = [...reportRows, ...otherRows];
