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

const message = "ahcp/0.3/message";
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const data = protocolNamed("ahcp").profile.documents[0]?.samples?.[0] ?? null;
const vectors = writeSet([
  {
    path: `${message}/valid.json`,
    document: "message",
    tests: Array.from({ length: 60 }, (_, index) => vector({ id: `${message}/valid/${index}`, data })),
  },
  {
    path: `${message}/invalid.json`,
    document: "message",
    tests: [1, "x", null].map((invalidData) =>
      vector({ id: `${message}/invalid/${invalidData}`, valid: false, rule: "AHCP-VER-001", data: invalidData }),
    ),
  },
]);

function at(name: string): string {
  return join(folder, name);
}

function module(name: string, text: string): string[] {
  writeFileSync(at(name), text);
  return ["run", "ahcp", "--no-config", "--vectors", vectors, "--module", at(name)];
}

const objects = module("objects.mjs", 'export default (value) => typeof value === "object" && value !== null;');
const lenient = module("lenient.mjs", 'export default (value) => typeof value === "object" || value === "x";');

function read(name: string): Report {
  return JSON.parse(readFileSync(at(name), "utf8"));
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

describe("a killed run", () => {
  const file = at("killed.jsonl");
  const answers = 25;

  it("leaves a line for each result so far, from which every format can be made", async () => {
    const stuckModule = `let asked = 0; export default () => ++asked <= ${answers} || new Promise(() => {});`;
    const options = ["--concurrency", "1", "--timeout", "600000", "--report", `jsonl=${file}`];
    const args = [program, ...module("stuck.mjs", stuckModule), ...options];
    const child = spawn(process.execPath, args, { cwd: home, stdio: "ignore" });
    const exit = once(child, "exit");
    const patience = Date.now() + 40_000;
    while (linesOf(file).length < 1 + answers && child.exitCode === null && Date.now() < patience) await sleep(20);
    child.kill("SIGKILL");
    expect(await exit).toEqual([null, "SIGKILL"]);

    const { code, out, err } = await touchstone("report", "render", file, "--report", `json=${at("killed.json")}`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Interrupted: .*\n.*: 25 of 25 conform$/m);
    expect(read("killed.json")).toMatchObject({ complete: false, exitCode: 3, counts: { conforms: answers } });
    const junit = await touchstone("report", "render", file, "--report", "junit");
    expect(junit.out).toContain('<error type="run" message="Interrupted');
  });

  it("can be read even if its last line is torn", async () => {
    truncateSync(file, readFileSync(file).length - 30);
    const { out } = await touchstone("report", "render", file, "--report", "badge");
    expect(JSON.parse(out)).toMatchObject({ message: "incomplete, 24 of 24 conform", isError: true });
  });
});

describe("a run that ends normally", () => {
  it("has the same report in lines as in JSON", async () => {
    const bothReports = [
      "--report",
      `jsonl=${at("all.jsonl")}`,
      "--report",
      `json=${at("all.json")}`,
      "--report",
      "jsonl",
    ];
    const { code, out } = await touchstone(...lenient, ...bothReports);
    expect(code).toBe(1);
    const rendered = await touchstone("report", "render", at("all.jsonl"), "--report", "json");
    expect(JSON.parse(rendered.out)).toEqual(read("all.json"));
    const sortLines = (lines: string[]): string[] => [...lines].sort();
    expect(sortLines(linesOf(at("all.jsonl")))).toEqual(sortLines(out.split("\n").slice(0, -1)));
  });
});

describe("a report written to files", () => {
  it("is not shown again except for the summary, unless requested", async () => {
    const file = ["--report", `json=${at("known.json")}`];
    const ran = await touchstone(...lenient, ...file);
    expect(ran.out).toContain(" replay ");
    const render = async (...args: string[]) =>
      (await touchstone("report", "render", at("known.json"), "--report", `badge=${at("badge.json")}`, ...args)).out;
    const rendering = await render();
    expect(rendering).toMatch(/^Does not conform: [\s\S]* {2}AHCP-VER-001 2 of 3 vectors violated/);
    expect(rendering).not.toContain(" replay ");
    for (const args of [["--report", "terminal"], ["--verbose"]]) expect(await render(...args)).toContain(" replay ");
    expect(JSON.parse(readFileSync(at("badge.json"), "utf8")).message).toBe("2 violated, 61 of 63 conform");
  });
});

describe("shards", () => {
  it("are merged into the report of the whole run, and end with its code", async () => {
    for (const index of [1, 2, 3])
      await touchstone(...lenient, "--shard", `${index}/3`, "--report", `jsonl=${at(`part-${index}.jsonl`)}`);
    const parts = [3, 1, 2].map((index) => at(`part-${index}.jsonl`));
    const merging = ["report", "merge", ...parts, "--vectors", vectors, "--report", `json=${at("merged.json")}`];
    expect((await touchstone(...merging)).code).toBe(1);
    await touchstone(...lenient, "--report", `json=${at("whole.json")}`);
    const { started: _, durationMs: __, ...mergedReport } = read("whole.json");
    expect(read("merged.json")).toMatchObject(mergedReport);
    expect(read("merged.json").runs[0]).not.toHaveProperty("shard");
    const { code, err } = await touchstone("report", "merge", ...parts.slice(1), "--vectors", vectors);
    expect(code).toBe(2);
    expect(err).toContain("shard 3 of 3 is missing");
  });
});

describe("report diff", () => {
  it("ends with 1 for new failures, and with 0 for the same or better", async () => {
    await touchstone(...objects, "--report", `json=${at("good.json")}`);
    await touchstone(...lenient, "--report", `json=${at("bad.json")}`);
    const worse = await touchstone("report", "diff", at("good.json"), at("bad.json"));
    expect(worse.code).toBe(1);
    expect(worse.out).toMatch(
      /^Worse: 2 vectors newly failing, 0 fixed\.\n\n2 vectors fail now and did not before\n {2}AHCP-VER-001 MUST .*\n {4}ahcp\/0\.3\/message\/invalid\/x: /,
    );
    writeFileSync(
      at("other.json"),
      readFileSync(at("good.json"), "utf8")
        .replaceAll(/"ahcp("|\/0\.3)/g, '"snap$1')
        .replaceAll('"0.3"', '"1.0"'),
    );
    const better = await touchstone("report", "diff", at("bad.json"), at("good.json"), "--json");
    expect(better.code).toBe(0);
    expect(JSON.parse(better.out)).toMatchObject({ failing: [], fixed: [{ now: "conforms" }, { now: "conforms" }] });
  });

  it("does not pass for a part of the vectors", async () => {
    await touchstone(...objects, "--shard", "1/3", "--report", `json=${at("part.json")}`);
    const { code, out } = await touchstone("report", "diff", at("good.json"), at("part.json"));
    expect(code).toBe(1);
    expect(out).toMatch(/vectors are not shown\n {2}shard 1\/3 was run: \d+\n/);
  });

  it.each([
    ["one report", ["diff", at("good.json")], /missing required argument 'new'/],
    ["a missing file", ["render", at("none.json")], /does not exist/],
    [
      "a file that is not a report",
      ["render", at("objects.mjs")],
      /objects\.mjs:1:1: found "export", expected a value/,
    ],
    [
      "two reports of other vectors",
      ["diff", at("good.json"), at("other.json")],
      /the reports have no result in common: .*of snap 1\.0/,
    ],
    [
      "a format of a difference",
      ["diff", at("good.json"), at("bad.json"), "--report", "html"],
      /unknown option '--report'/,
    ],
    ["vectors to render", ["render", at("good.json"), "--vectors", "x"], /unknown option '--vectors'/],
    ["data to render", ["render", at("good.json"), "--json"], /unknown option '--json'/],
    [
      "data to merge",
      ["merge", at("good.json"), "--json"],
      /unknown option '--json'[\s\S]*--json is an option of .*list/,
    ],
    [
      "another word",
      ["show", at("good.json")],
      /unknown command 'show'[\s\S]*it is one of: report render, report merge, report diff/,
    ],
  ])("ends with 2 for %s", async (_, args, output) => {
    const { code, out, err } = await touchstone("report", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(output);
  });
});
