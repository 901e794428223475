import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report, Result } from "../../schemas/index.ts";
import { runCommand } from "../packs/pack/walk.fixture.ts";
import { type McpFixture, mcpFixture } from "../targets/mcp.fixture.ts";
import { runInOwnProcess, touchstone } from "./process.fixture.ts";

let fixture: McpFixture;
let folder: string;
beforeAll(() => {
  fixture = mcpFixture();
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
});
afterAll(() => {
  fixture.remove();
  rmSync(folder, { recursive: true });
});

const timeout = 300_000;
let reports = 0;

/** Runs the tools of a server, by default all of them, and reads the report. */
async function run(server: string, ...args: string[]): Promise<{ code: number; err: string; report: Report }> {
  const file = join(folder, `${++reports}.json`);
  const tools = args.includes("--tool") ? [] : ["--tool", "*"];
  const runArgs = ["run", "--mcp", server, ...tools, ...args, "--no-config", "--quiet", "--report", `json=${file}`];
  const { code, err } = await runInOwnProcess(...runArgs);
  if (!existsSync(file)) throw new Error(err);
  return { code, err, report: JSON.parse(readFileSync(file, "utf8")) as Report };
}
const resultsOf = (report: Report): Result[] => report.runs.flatMap(({ results }) => results);
const sitesOf = (report: Report): Set<string> =>
  new Set(resultsOf(report).flatMap(({ outcome, site = "" }) => (outcome === "violates" ? [site] : [])));

describe("the tools of an MCP server", () => {
  it("are tested, and a violation can be replayed", { timeout }, async () => {
    const server = fixture.command(`
      const right = wrong.draw_line;
      wrong.draw_line = (input) => Array.isArray(input.points) && input.points.length < 2 ? undefined : right(input);`);
    const { code, err, report } = await run(server, "--tool", "draw_line", "--tool", "set_title");
    expect(code).toBe(1);
    expect(err).toMatch(/^1 tool is not called: count\nmaking vectors of 2 tools\n/);
    expect(err).not.toMatch(/^(loading|compiling|judging|texts)/m);
    expect(sitesOf(report)).toEqual(new Set(["schema:/draw-line.schema.json#/properties/points/minItems"]));
    const [violation] = resultsOf(report).filter(({ outcome }) => outcome === "violates");
    const reportFile = join(folder, `${reports}.json`);
    const replayRun = await runInOwnProcess(
      "replay",
      violation?.id ?? "",
      "--from",
      reportFile,
      "--mcp",
      server,
      "--tool",
      "draw_line",
    );
    expect([replayRun.code, replayRun.out]).toEqual([1, expect.stringMatching(/^STILL FAILING/)]);
    const skippedResults = resultsOf(report).filter(({ outcome }) => outcome === "skipped");
    expect(skippedResults.map(({ why }) => why)).toEqual(
      skippedResults.map(() => expect.stringContaining("__proto__")),
    );
    expect([report.counts.errored, report.counts.warns]).toEqual([0, 0]);
  });

  it("are listed but not called if no tool is named", { timeout }, async () => {
    const calledFile = join(folder, "called");
    const server = fixture.command(`
      import { writeFileSync } from "node:fs";
      tools[0].annotations = { readOnlyHint: true };
      on["tools/call"] = () => writeFileSync(${JSON.stringify(calledFile)}, "");`);
    const { code, out } = await touchstone("run", "--mcp", server, "--no-config");
    expect(code).toBe(2);
    expect(out).toMatch(
      /3 tools.*\n {2}draw_line {2}\(changes nothing, according to the server\)\n {2}set_title\n {2}count\n/,
    );
    expect(out).toMatch(/run mcp --mcp .* --tool draw_line\n/);
    expect(existsSync(calledFile)).toBe(false);
  });

  it("are called only if they are named", { timeout }, async () => {
    const namesFile = join(folder, "names");
    const server = fixture.command(`
      import { appendFileSync } from "node:fs";
      const call = on["tools/call"];
      on["tools/call"] = (message) => { appendFileSync(${JSON.stringify(namesFile)}, message.params.name + "\\n"); call(message); };`);
    const { code, report } = await run(server, "--tool", "count");
    const testedResults = resultsOf(report).filter(({ outcome }) => outcome !== "skipped");
    expect([code, testedResults.length]).toEqual([0, readFileSync(namesFile, "utf8").trim().split("\n").length]);
    expect(new Set(readFileSync(namesFile, "utf8").trim().split("\n"))).toEqual(new Set(["count"]));
    const misspeltRun = await touchstone("run", "--mcp", server, "--tool", "cuont", "--no-config");
    expect([misspeltRun.code, misspeltRun.err]).toEqual([2, expect.stringMatching(/no tool "cuont"[\s\S]*count/)]);
  });
});

describe("a hostile server", () => {
  it("fails because of tools with broken schemas, while its other tools are tested", { timeout }, async () => {
    const server = fixture.command(`
      tools[0].inputSchema = { type: "object", properties: { a: { $ref: "#/nowhere" }, b: { $ref: "file:///etc/hosts" } } };
      tools[1].inputSchema = 5;`);
    const { code, err, report } = await run(server);
    expect(code).toBe(1);
    expect(err).toMatch(/the tool draw_line cannot be tested, its schema is broken/);
    expect(err).toMatch(/the tool set_title cannot be tested, its schema is broken: it is not an object/);
    expect(report.counts.violates).toBe(0);
    expect(new Set(resultsOf(report).map(({ document }) => document))).toEqual(new Set(["count"]));
  });

  it("fails because of tools without a valid input, while its other tools are tested", { timeout }, async () => {
    const server = fixture.command(`
      tools[0].inputSchema = { type: "object", properties: { a: { type: "number", minimum: 5, maximum: 3 } }, required: ["a"] };
      tools[1].inputSchema = { type: "objekt" };`);
    const { code, err, report } = await run(server);
    expect(err).toMatch(/the tool draw_line cannot be tested, no valid input was found: none of the tried/);
    expect(err).toMatch(/the tool set_title cannot be tested: its schema asserts nothing of an object/);
    expect(new Set(resultsOf(report).map(({ document }) => document))).toEqual(new Set(["count"]));
    expect([report.counts.violates, code]).toEqual([0, 1]);
    const pack = join(folder, "half");
    const generateRun = await runInOwnProcess("generate", "--mcp", server, "--out", pack, "--effort", "1");
    expect([generateRun.code, generateRun.err]).toEqual([
      1,
      expect.stringMatching(/the tool draw_line cannot be tested/),
    ]);
    expect((await touchstone("list", "documents", "--protocol", pack)).code).toBe(0);
  });

  it.each([
    ["a server that exits", "on.initialize = () => process.exit(0);", /exited with code 0/],
    [
      "a server with an endless tool list",
      `on["tools/list"] = (message) => answer(message, { tools, nextCursor: "a" });`,
      /twice|never ends/,
    ],
  ])("is reported with exit code 3: %s", { timeout }, async (_, code, message) => {
    const result = await touchstone("run", "--mcp", fixture.command(code), "--tool", "*", "--no-config");
    expect([result.code, result.err]).toEqual([3, expect.stringMatching(message)]);
  });
});

it("runs a pack that was generated from tools until their schemas change", { timeout }, async () => {
  const pack = join(folder, "tools");
  const server = fixture.command();
  const generateRun = await runInOwnProcess(
    "generate",
    "--mcp",
    server,
    "--tool",
    "draw_line",
    "--out",
    pack,
    "--effort",
    "1",
  );
  expect([generateRun.code, generateRun.out]).toEqual([0, expect.stringMatching(/--mcp "COMMAND" --tool draw_line/)]);
  const result = await runInOwnProcess("run", pack, "--mcp", server, "--tool", "draw_line", "--no-config");
  expect([result.code, result.out]).toEqual([0, expect.stringMatching(/Conforms/)]);
  const changedServer = fixture.command("points.minItems = 3;");
  const changedRun = await touchstone("run", pack, "--mcp", changedServer, "--tool", "draw_line", "--no-config");
  expect([changedRun.code, changedRun.out]).toEqual([
    3,
    expect.stringMatching(/changed the schemas of the tool draw_line/),
  ]);
});

it("writes a configuration with the named tools by init --mcp", { timeout }, async () => {
  const projectFolder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const server = fixture.command().replaceAll('"', "");
  const output = await runCommand(projectFolder, `npx touchstone init --mcp "${server}" --tool count`);
  expect(output).toMatch(/It answers: (\d+) of \1 vectors of mcp conform/);
  const config = readFileSync(join(projectFolder, "touchstone.config.yaml"), "utf8");
  expect(config).toContain(`protocol: "mcp"`);
  expect(config).toContain(`  kind: mcp\n  server: ${JSON.stringify(server)}\n  tools: ["count"]\n`);
  rmSync(projectFolder, { recursive: true });
});

it("starts the configured webServer before it lists the tools", { timeout }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const config = join(folder, "touchstone.config.json");
  const webServer = { command: "echo no tools; exit 7", url: "http://127.0.0.1:9" };
  writeFileSync(config, JSON.stringify({ target: { kind: "mcp", server: "http://127.0.0.1:9/mcp" }, webServer }));
  const { code, err } = await touchstone("run", "--config", config);
  expect([code, err]).toEqual([
    3,
    expect.stringMatching(/it ended with exit code 7 before it answered[\s\S]*no tools/),
  ]);
  rmSync(folder, { recursive: true });
});

it("fuzzes a server with inputs from the schemas of its tools", { timeout }, async () => {
  const fuzzArgs = ["--tool", "draw_line", "--no-config", "--runs", "100", "--seed", "1"];
  const correctRun = await touchstone("fuzz", "--mcp", fixture.command(), ...fuzzArgs);
  expect(correctRun.code).toBe(0);
  const lenientServer = fixture.command(
    `wrong.draw_line = ({ points }) => Array.isArray(points) ? undefined : "points must be array";`,
  );
  const { code, out } = await touchstone("fuzz", "--mcp", lenientServer, ...fuzzArgs);
  expect([code, out]).toEqual([1, expect.stringMatching(/expected {2}refused\n {4}got {7}accepted\n/)]);
});

it.each([
  [["run", "--tool", "x", "--module", "y.mjs", "ahcp"], /--tool needs --mcp/],
  [["run", "ahcp", "--mcp", "cat", "--tool", "x", "--header", "A: b"], /--header needs an address/],
  [["run", "ahcp", "--mcp", "true", "--tool", "x"], /ahcp has no document that is the input of a tool/],
  [["generate", "--mcp", "true", "--schema", "x.json"], /--schema and --mcp are two sources/],
  [["generate", "--tool", "x", "--schema", "x.json"], /--tool needs --mcp/],
])("exits with 2 for %j", { timeout }, async (args, message) => {
  const { code, err } = await touchstone(...args, ...(args[0] === "run" ? ["--no-config"] : []));
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});
