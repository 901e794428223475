import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { home, type Report } from "../schemas/index.ts";
import { replaceMarked } from "./marked-part.ts";
import { type PublishedServer, publishedServers } from "./servers/published-servers.ts";
import { rowOf, tableOf } from "./servers/row.ts";

// npx tsx scripts/servers.ts [--write]: installs published MCP servers in temporary folders, calls their tools there, and prints the counts of outcomes.
const page = join(home, "suites", "authoring", "mcp", "README.md");
const program = join(home, "suites", "cli", "main.ts");

/** Installs a server beside a scratch folder, and returns the command that starts it. */
function installServer(root: string, server: PublishedServer): string {
  const folder = mkdtempSync(join(root, "server-"));
  const scratch = join(folder, "scratch");
  mkdirSync(scratch);
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, server.package], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const packageFolder = join(folder, "node_modules", server.package.replace(/(?<=.)@.*$/, ""));
  const { bin } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === "string" ? bin : (Object.values(bin)[0] as string);
  const args = (server.args ?? []).map((arg) => arg.replace("FOLDER", scratch));
  return [process.execPath, join(packageFolder, file), ...args].join(" ");
}

/** Calls the tools of a server with all vectors, and returns its row of the table. */
function runServer(root: string, server: PublishedServer): string[] {
  const command = installServer(root, server);
  const file = join(root, `${basename(server.package)}.json`);
  const skipOptions = (server.without ?? []).flatMap((name) => ["--skip", `mcp/1/${name}/**`]);
  const args = [program, "run", "--mcp", command, "--tool", "*", ...skipOptions, "--quiet", "--report", `json=${file}`];
  spawnSync(process.execPath, [...process.execArgv, ...args], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const row = rowOf(server.package, JSON.parse(readFileSync(file, "utf8")) as Report);
  console.error(row.join(" | "));
  return row;
}

const root = mkdtempSync(join(tmpdir(), "servers-"));
try {
  const rows: string[][] = [];
  for (const server of publishedServers) rows.push(runServer(root, server));
  const table = tableOf(rows);
  if (process.argv.includes("--write"))
    writeFileSync(page, replaceMarked(readFileSync(page, "utf8"), "servers", `\n${table}\n`));
  else console.log(table);
} finally {
  rmSync(root, { recursive: true, force: true });
}
