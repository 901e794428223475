import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Report } from "../schemas/index.ts";
import { bundled } from "./bundle.js";
import { writePack } from "./rpc/pack.ts";
import { libraries, parties, type RpcParty } from "./rpc/parties.ts";
import { type RpcRow, rowOf, rpcTable } from "./rpc/row.ts";

// npx tsx scripts/rpc.ts [WORD…]: installs JSON-RPC libraries in a temporary folder, and makes a pack of two methods. Runs vectors and scenarios
// against correct servers over each library, with its options, and against servers with one injected mistake each. Words choose servers by
// library, option or mistake. Needs the npm registry, or the libraries in the folder that TOUCHSTONE_RPC names. Fails if a correct server
// violates more than its library itself does, or if a mistake is not found.
const serverWords = process.argv.slice(2);
const chosenParties = parties.filter(
  (party) =>
    serverWords.length === 0 ||
    serverWords.some((word) => Object.values(party).some((value) => String(value).includes(word))),
);
const program = join(await bundled(), "suites", "cli", "main.js");
const root = mkdtempSync(join(tmpdir(), "rpc-"));
const folder = process.env.TOUCHSTONE_RPC ?? root;

function callProgram(...args: readonly string[]): void {
  spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

/** Starts all servers in one process. Returns the port of each, or the reason why it could not be started. */
async function startAll(servers: readonly RpcParty[]): Promise<{ child: ChildProcess; ports: (number | string)[] }> {
  const file = join(folder, "serve.mjs");
  copyFileSync(fileURLToPath(new URL("rpc/serve.js", import.meta.url)), file);
  const child = spawn(process.execPath, [file, JSON.stringify(servers)], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  return { child, ports: JSON.parse(line) as (number | string)[] };
}

function playParty(party: RpcParty, port: number): RpcRow {
  const file = join(root, "report.json");
  rmSync(file, { force: true });
  callProgram(
    "run",
    "pack",
    "--http",
    `http://127.0.0.1:${port}`,
    "--scenarios",
    "--quiet",
    "--report",
    `json=${file}`,
  );
  return rowOf(party, JSON.parse(readFileSync(file, "utf8")) as Report);
}

/** Installs the libraries, makes the pack, and plays it against each server. */
async function playAll(): Promise<RpcRow[]> {
  if (folder === root) {
    writeFileSync(join(root, "package.json"), '{ "private": true }\n');
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    execFileSync("npm", ["install", ...options, ...libraries], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  }
  writePack(join(root, "pack"));
  callProgram("generate", "./pack", "--effort", "1");
  const { child, ports } = await startAll(chosenParties);
  try {
    return chosenParties.map((party, index): RpcRow => {
      const port = ports[index];
      if (typeof port !== "number") throw new Error(`${party.library} was not started: ${port}`);
      const row = playParty(party, port);
      console.error(rpcTable([row]).split("\n").at(-1));
      return row;
    });
  } finally {
    child.kill();
  }
}

try {
  const rows = await playAll();
  console.log(rpcTable(rows));
  process.exitCode = rows.every(({ isFine }) => isFine) ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
