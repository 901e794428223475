import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { home, protocolNamed, type Report } from "../../../schemas/index.ts";
import { program } from "../../base/process/built.fixture.ts";
import { vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { touchstone } from "../process.fixture.ts";

const messagePath = "ahcp/0.3/message";
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const data = protocolNamed("ahcp").profile.documents[0]?.samples?.[0] ?? null;
const vectors = writeSet([
  {
    path: `${messagePath}/valid.json`,
    document: "message",
    tests: Array.from({ length: 60 }, (_, index) => vector({ id: `${messagePath}/valid/${index}`, data })),
  },
  {
    path: `${messagePath}/invalid.json`,
    document: "message",
    tests: [1, "x", null].map((invalidData) =>
      vector({ id: `${messagePath}/invalid/${invalidData}`, valid: false, rule: "AHCP-VER-001", data: invalidData }),
    ),
  },
]);

function pathOf(name: string): string {
  return join(folder, name);
}

function moduleArgs(name: string, text: string): string[] {
  writeFileSync(pathOf(name), text);
  return ["run", "ahcp", "--no-config", "--vectors", vectors, "--module", pathOf(name)];
}

const objectsArgs = moduleArgs("objects.mjs", 'export default (value) => typeof value === "object" && value !== null;');
const lenientArgs = moduleArgs("lenient.mjs", 'export default (value) => typeof value === "object" || value === "x";');

function readReport(name: string): Report {
  return JSON.parse(readFileSync(pathOf(name), "utf8"));
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

describe("a killed run", () => {
  const fileArgs = pathOf("killed.jsonl");
  const answerCount = 25;

  it("leaves a line for each result so far, which report render converts to every format", async () => {
    const stuckModule = `let asked = 0; export default () => ++asked <= ${answerCount} || new Promise(() => {});`;
    const options = ["--concurrency", "1", "--timeout", "600000", "--report", `jsonl=${fileArgs}`];
    const args = [program, ...moduleArgs("stuck.mjs", stuckModule), ...options];
    const child = spawn(process.execPath, args, { cwd: home, stdio: "ignore" });
    const exit = once(child, "exit");
    const waitUntil = Date.now() + 40_000;
    while (linesOf(fileArgs).length < 1 + answerCount && child.exitCode === null && Date.now() < waitUntil)
      await sleep(20);
    child.kill("SIGKILL");
    expect(await exit).toEqual([null, "SIGKILL"]);

    const { code, out, err } = await touchstone(
      "report",
      "render",
      fileArgs,
      "--report",
      `json=${pathOf("killed.json")}`,
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Interrupted: .*\n.*: 25 of 25 conform$/m);
    expect(readReport("killed.json")).toMatchObject({
      complete: false,
      exitCode: 3,
      counts: { conforms: answerCount },
    });
    const junitReport = await touchstone("report", "render", fileArgs, "--report", "junit");
    expect(junitReport.out).toContain('<error type="run" message="Interrupted');
  });

  it("leaves a report that can be read even if its last line is incomplete", async () => {
    truncateSync(fileArgs, readFileSync(fileArgs).length - 30);
    const { out } = await touchstone("report", "render", fileArgs, "--report", "badge");
    expect(JSON.parse(out)).toMatchObject({ message: "incomplete, 24 of 24 conform", isError: true });
  });
});

describe("a run that ends normally", () => {
  it("writes the same report as JSON lines and as JSON", async () => {
    const bothReports = [
      "--report",
      `jsonl=${pathOf("all.jsonl")}`,
      "--report",
      `json=${pathOf("all.json")}`,
      "--report",
      "jsonl",
    ];
    const { code, out } = await touchstone(...lenientArgs, ...bothReports);
    expect(code).toBe(1);
    const renderedReport = await touchstone("report", "render", pathOf("all.jsonl"), "--report", "json");
    expect(JSON.parse(renderedReport.out)).toEqual(readReport("all.json"));
    const sortLines = (lines: string[]): string[] => [...lines].sort();
    expect(sortLines(linesOf(pathOf("all.jsonl")))).toEqual(sortLines(out.split("\n").slice(0, -1)));
  });
});

describe("a report written to files", () => {
  it("is shown only as a summary, unless the terminal report or --verbose is requested", async () => {
    const file = ["--report", `json=${pathOf("known.json")}`];
    const result = await touchstone(...lenientArgs, ...file);
    expect(result.out).toContain(" replay ");
    const render = async (...args: string[]) =>
      (await touchstone("report", "render", pathOf("known.json"), "--report", `badge=${pathOf("badge.json")}`, ...args))
        .out;
    const summary = await render();
    expect(summary).toMatch(/^Does not conform: [\s\S]* {2}AHCP-VER-001 2 of 3 vectors violated/);
    expect(summary).not.toContain(" replay ");
    for (const args of [["--report", "terminal"], ["--verbose"]]) expect(await render(...args)).toContain(" replay ");
    expect(JSON.parse(readFileSync(pathOf("badge.json"), "utf8")).message).toBe("2 violated, 61 of 63 conform");
  });
});

describe("shards", () => {
  it("are merged into the report of the whole run, with its exit code", async () => {
    for (const index of [1, 2, 3])
      await touchstone(...lenientArgs, "--shard", `${index}/3`, "--report", `jsonl=${pathOf(`part-${index}.jsonl`)}`);
    const parts = [3, 1, 2].map((index) => pathOf(`part-${index}.jsonl`));
    const mergeArgs = ["report", "merge", ...parts, "--vectors", vectors, "--report", `json=${pathOf("merged.json")}`];
    expect((await touchstone(...mergeArgs)).code).toBe(1);
    await touchstone(...lenientArgs, "--report", `json=${pathOf("whole.json")}`);
    const { started: _, durationMs: __, ...mergedReport } = readReport("whole.json");
    expect(readReport("merged.json")).toMatchObject(mergedReport);
    expect(readReport("merged.json").runs[0]).not.toHaveProperty("shard");
    const { code, err } = await touchstone("report", "merge", ...parts.slice(1), "--vectors", vectors);
    expect(code).toBe(2);
    expect(err).toContain("shard 3 of 3 is missing");
  });
});

describe("report diff", () => {
  it("exits with 1 for new failures, and with 0 for fixed ones", async () => {
    await touchstone(...objectsArgs, "--report", `json=${pathOf("good.json")}`);
    await touchstone(...lenientArgs, "--report", `json=${pathOf("bad.json")}`);
    const worseDiff = await touchstone("report", "diff", pathOf("good.json"), pathOf("bad.json"));
    expect(worseDiff.code).toBe(1);
    expect(worseDiff.out).toMatch(
      /^Worse: 2 vectors newly failing, 0 fixed\.\n\n2 vectors fail now and did not before\n {2}AHCP-VER-001 MUST .*\n {4}ahcp\/0\.3\/message\/invalid\/x: /,
    );
    writeFileSync(
      pathOf("other.json"),
      readFileSync(pathOf("good.json"), "utf8")
        .replaceAll(/"ahcp("|\/0\.3)/g, '"snap$1')
        .replaceAll('"0.3"', '"1.0"'),
    );
    const betterDiff = await touchstone("report", "diff", pathOf("bad.json"), pathOf("good.json"), "--json");
    expect(betterDiff.code).toBe(0);
    expect(JSON.parse(betterDiff.out)).toMatchObject({
      failing: [],
      fixed: [{ now: "conforms" }, { now: "conforms" }],
    });
  });

  it("exits with 1 if results are missing", async () => {
    await touchstone(...objectsArgs, "--shard", "1/3", "--report", `json=${pathOf("part.json")}`);
    const { code, out } = await touchstone("report", "diff", pathOf("good.json"), pathOf("part.json"));
    expect(code).toBe(1);
    expect(out).toMatch(/vectors are not shown\n {2}shard 1\/3 was run: \d+\n/);
  });

  it.each([
    ["one report", ["diff", pathOf("good.json")], /missing required argument 'new'/],
    ["a missing file", ["render", pathOf("none.json")], /does not exist/],
    [
      "a file that is not a report",
      ["render", pathOf("objects.mjs")],
      /objects\.mjs:1:1: found "export", expected a value/,
    ],
    [
      "two reports of different protocols",
      ["diff", pathOf("good.json"), pathOf("other.json")],
      /the reports have no result in common: .*of snap 1\.0/,
    ],
    [
      "--report for diff",
      ["diff", pathOf("good.json"), pathOf("bad.json"), "--report", "html"],
      /unknown option '--report'/,
    ],
    ["--vectors for render", ["render", pathOf("good.json"), "--vectors", "x"], /unknown option '--vectors'/],
    ["--json for render", ["render", pathOf("good.json"), "--json"], /unknown option '--json'/],
    [
      "--json for merge",
      ["merge", pathOf("good.json"), "--json"],
      /unknown option '--json'[\s\S]*--json is an option of .*list/,
    ],
    [
      "an unknown subcommand",
      ["show", pathOf("good.json")],
      /unknown command 'show'[\s\S]*it is one of: report render, report merge, report diff/,
    ],
  ])("exits with 2 for %s", async (_, args, message) => {
    const { code, out, err } = await touchstone("report", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });
});
