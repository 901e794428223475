import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, example, formatAddress, home } from "../../../schemas/index.ts";
import { runOnce } from "./calls.fixture.ts";
import type { Attack } from "./row.fixture.ts";

// All files in the folder come from a stranger.
let cachedFolder: string | undefined;
const markFile = (folder: string): string => join(folder, "code-was-run");

/** Creates the folder, with packs, modules and configurations that write the mark file when they run. */
function folder(): string {
  if (cachedFolder !== undefined) return cachedFolder;
  cachedFolder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const newFolder = cachedFolder;
  process.on("exit", () => rmSync(newFolder, { recursive: true, force: true }));
  const code = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(markFile(newFolder))}, import.meta.url);\nexport const pack = {};\nexport default {};\n`;
  for (const [name, entry] of Object.entries({
    order: "index.js",
    other: "index.mjs",
    third: "index.ts",
    ".hidden": "index.js",
  })) {
    cpSync(join(home, "suites/packs/pack/example"), join(newFolder, name), { recursive: true });
    rmSync(join(newFolder, name, "index.js"), { force: true });
    writeFileSync(join(newFolder, name, entry), code);
  }
  symlinkSync("order", join(newFolder, "linked"));
  for (const name of ["module.mjs", "their.config.mjs", "touchstone.config.mjs"])
    writeFileSync(join(newFolder, name), code);
  writeFileSync(join(newFolder, "baseline.json"), '{"sets":{},"entries":[]}');
  writeFileSync(join(newFolder, "api.yaml"), "openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths: {}\n");
  mkdirSync(join(newFolder, "set"));
  const document = { protocol: "./order/", version: "1", document: "order", schema: "schema:/order.schema.json" };
  writeFileSync(join(newFolder, "set/MANIFEST.json"), JSON.stringify({ documents: [document], files: [] }));
  cpSync(join(newFolder, "order"), join(newFolder, "order@1"), { recursive: true });
  for (const [name, options] of Object.entries(claimedOptions(newFolder))) {
    writeFileSync(join(newFolder, `${name}.json`), JSON.stringify(report(options)));
    writeFileSync(join(newFolder, `${name}.run.json`), JSON.stringify(report(options, true)));
  }
  return newFolder;
}

const http = { kind: "http", url: "http://127.0.0.1:1" };
const runOptions = (protocol: string): object => ({ verb: "run", protocol, target: http });

/** The options that a stranger's report claims for its run. */
const claimedOptions = (folderPath: string): Record<string, object | undefined> => ({
  "a pack": runOptions("./order"),
  "its profile": runOptions("order/profile.json"),
  "an absolute path": runOptions(join(folderPath, "other")),
  "an indirect path": runOptions("./order/../third"),
  "a link": runOptions("./linked"),
  "a hidden folder": runOptions("./.hidden"),
  "a document": runOptions("api.yaml"),
  "a module": { ...runOptions(example.protocol), target: { kind: "module", file: "module.mjs" } },
  "a command": { ...runOptions(example.protocol), target: { kind: "command", command: "touch code-was-run" } },
  "a server that is a command": {
    ...runOptions(example.protocol),
    target: { kind: "mcp", server: "touch code-was-run" },
  },
  "a configuration file": { ...runOptions(example.protocol), config: "their.config.mjs" },
  "no options": undefined,
});

function report(options: object | undefined, isOfRun = false): object {
  const commonMembers = { document: "order", description: "an order", verdict: "valid", level: "MUST", kind: "vector" };
  const results = [
    { ...commonMembers, id: "order/1/order/valid/a", outcome: "violates", why: "refused" },
    { ...commonMembers, id: "order/1/order/valid/b", outcome: "conforms" },
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

/** Checks that a command runs no foreign code, does not print a command from a report, and does not crash. */
async function findCodeRun(argsOf: readonly string[]): Promise<string[]> {
  const foreignFolder = folder();
  rmSync(markFile(foreignFolder), { force: true });
  const { code, output } = await runOnce(foreignFolder, ...argsOf);
  return [
    ...(existsSync(markFile(foreignFolder)) ? [`it ran code: ${readFileSync(markFile(foreignFolder), "utf8")}`] : []),
    ...(output.includes("touch code-was-run;") ? ["it shows a command that the report made up"] : []),
    ...(code === 4 ? [`it broke down: ${output.slice(-300)}`] : []),
  ];
}

const kind = "code in files that are read" as const;

const reportRows = Object.keys(claimedOptions("/")).flatMap((claim) =>
  Object.entries(commands).flatMap(([name, args]): Attack[] => [
    { kind, name: `${name}: ${claim}`, play: () => findCodeRun(args(`${claim}.json`)) },
    { kind, name: `${name}: ${claim}, of a run`, play: () => findCodeRun(args(`${claim}.run.json`)), isLarge: true },
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
].map((args): Attack => ({ kind, name: args.join(" "), play: () => findCodeRun(args) }));

export const codeRows: readonly Attack[] = [...reportRows, ...otherRows];
