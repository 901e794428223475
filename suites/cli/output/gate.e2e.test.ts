import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Baseline, home, protocolNamed, type Report } from "../../../schemas/index.ts";
import { vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { touchstone } from "../process.fixture.ts";

const vectorFolder = "ahcp/0.3/message";
const sampleMessage = protocolNamed("ahcp").profile.documents[0]?.samples?.[0] ?? null;
const vectors = writeSet([
  {
    path: `${vectorFolder}/valid.json`,
    document: "message",
    tests: [vector({ id: `${vectorFolder}/valid/sample`, data: sampleMessage })],
  },
  {
    path: `${vectorFolder}/invalid.json`,
    document: "message",
    tests: [
      vector({ id: `${vectorFolder}/invalid/number`, valid: false, rule: "AHCP-VER-001", data: 1 }),
      vector({ id: `${vectorFolder}/invalid/text`, valid: false, rule: "AHCP-VER-001", data: "x" }),
      vector({ id: `${vectorFolder}/invalid/list`, valid: false, rule: "AHCP-ENV-007", data: [] }),
    ],
  },
]);
const folder = mkdtempSync(join(tmpdir(), "touchstone gate-"));
const target = join(folder, "validator.mjs");
const baselineFile = join(folder, "known.json");
const reportFile = join(folder, "report.json");

afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(vectors, { recursive: true });
});

function writeTarget(expression: string): void {
  writeFileSync(target, `export default (value) => ${expression};\n`);
}

function run(...args: string[]): ReturnType<typeof touchstone> {
  return touchstone("run", "ahcp", "--vectors", vectors, "--module", target, "--quiet", ...args);
}

/** Runs the command printed below a heading in a shell, and returns its exit code. */
function runPrintedCommand(out: string, heading: string): number | null {
  const lines = out.split("\n");
  const command = lines[lines.indexOf(heading) + 1]?.trim() ?? "";
  return spawnSync("sh", ["-c", command], { cwd: home, encoding: "utf8" }).status;
}

const correctAnswer = 'typeof value === "object" && !Array.isArray(value)';

it("passes for known failures, and fails for new and fixed ones", async () => {
  writeTarget(correctAnswer);
  expect((await run()).code).toBe(0);

  writeTarget(`(${correctAnswer}) || value === 1`);
  const brokenRun = await run();
  expect({ code: brokenRun.code, out: brokenRun.out }).toEqual({
    code: 1,
    out: expect.stringMatching(/^Does not conform: 1 of \d+ vectors violated/),
  });
  expect((await run("--baseline", baselineFile)).err).toContain("the baseline file does not exist");

  const updatedRun = await run("--baseline", baselineFile, "--update-baseline", "--reason", "numbers until 2.0");
  expect(updatedRun).toMatchObject({
    code: 0,
    err: expect.stringMatching(/1 entry, 1 added, 0 removed\n.* is new: .* Commit it/),
  });
  expect((await run("--baseline", baselineFile)).code).toBe(0);

  writeTarget(`(${correctAnswer}) || value === 1 || value === "x"`);
  const worseRun = await touchstone(
    "run",
    "ahcp",
    "--vectors",
    vectors,
    "--module",
    target,
    "--baseline",
    baselineFile,
  );
  expect(worseRun.code).toBe(1);
  expect(worseRun.out).toContain(`${vectorFolder}/invalid/text`);
  expect(worseRun.out).not.toContain(`${vectorFolder}/invalid/number\n`);
  expect(worseRun.out).toMatch(
    /^Does not conform: 1 of \d+ vectors violated, 1 rule broken beside 1 known failure\.$/m,
  );

  writeTarget(correctAnswer);
  const fixedRun = await run("--baseline", baselineFile);
  expect(fixedRun.code).toBe(1);
  expect(fixedRun.out).toContain(
    `stale: ${vectorFolder}/invalid/number: the list says that it is violated; now it conforms`,
  );
  expect(runPrintedCommand(fixedRun.out, "To make the list fit:")).toBe(0);
  expect((JSON.parse(readFileSync(baselineFile, "utf8")) as Baseline).entries).toEqual([]);
  expect((await run("--baseline", baselineFile)).code).toBe(0);
});

it("updates the baseline from a report, but never from a partial run", async () => {
  writeTarget("true");
  const finalRun = await run("--baseline", baselineFile, "--report", `json=${reportFile}`, "--report", "terminal");
  expect(finalRun.code).toBe(1);
  expect(runPrintedCommand(finalRun.out, "To accept the new failures for now:")).toBe(0);
  const { entries } = JSON.parse(readFileSync(baselineFile, "utf8")) as Baseline;
  expect(entries.map(({ id, reason }) => [id?.split("/").at(-1), reason])).toEqual([
    ["number", "…"],
    ["text", "…"],
    ["list", "…"],
  ]);
  const check = await touchstone("baseline", "check", baselineFile, reportFile);
  expect({ code: check.code, out: check.out }).toEqual({ code: 0, out: expect.stringContaining("3 known failures") });

  const warnedReport = join(folder, "warned.json");
  const storedReport = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  const conformingResult = storedReport.runs[0]?.results.find(({ outcome }) => outcome === "conforms");
  Object.assign(conformingResult ?? {}, { outcome: "warns", level: "SHOULD", why: "unwise", vector: { data: 1 } });
  writeFileSync(warnedReport, JSON.stringify(storedReport));
  const showCheck = async (...args: string[]) =>
    (await touchstone("baseline", "check", baselineFile, warnedReport, ...args)).out;
  expect(await showCheck()).not.toContain("unwise");
  expect(await showCheck("--verbose")).toContain("unwise");

  const baselineBefore = readFileSync(baselineFile, "utf8");
  expect((await run("--baseline", baselineFile, "--only", `${vectorFolder}/valid`)).code).toBe(0);
  const partialReport = join(folder, "part.json");
  writeTarget(correctAnswer);
  await run("--only", vectorFolder, "--report", `json=${partialReport}`);
  const refusedUpdate = await touchstone("baseline", "update", baselineFile, partialReport);
  expect(refusedUpdate).toMatchObject({
    code: 2,
    err: expect.stringContaining("a baseline can only be made from a whole run"),
  });
  const partialUpdate = await run("--baseline", baselineFile, "--update-baseline", "--skip", vectorFolder);
  expect(partialUpdate).toMatchObject({ code: 2, err: expect.stringContaining("needs a whole run"), out: "" });
  const playArgs = ["--reference", "--only", "AHCP-CAN-004", "--baseline", baselineFile, "--update-baseline"];
  const playedRun = await touchstone("play", "ahcp", ...playArgs);
  expect(playedRun).toMatchObject({ code: 2, err: expect.stringContaining("needs a whole run"), out: "" });
  expect(readFileSync(baselineFile, "utf8")).toBe(baselineBefore);
});

it("leaves the baseline unchanged if the target cannot be reached, and exits with 3", async () => {
  const unusedBaseline = join(folder, "untouched.json");
  const words = ["--update-baseline", "--baseline", unusedBaseline, "--reason", "later", "--no-config"];
  const { code, err, out } = await touchstone("run", "ahcp", "--http", "http://127.0.0.1:9", "--quiet", ...words);
  expect({ code, is: existsSync(unusedBaseline) }).toEqual({ code: 3, is: false });
  expect(err).toContain("stays as it is: the run failed at open");
  expect(out).toContain("ECONNREFUSED");
});

it("rejects an invalid baseline with the place of the fault, before anything is run", async () => {
  const invalidBaseline = join(folder, "wrong.json");
  writeFileSync(invalidBaseline, '{\n  "$schema": "",\n  "sets": { "ahcp": "sha256-x" },\n  "entries": []\n}\n');
  const { code, err, out } = await run("--baseline", invalidBaseline, "--report", `json=${join(folder, "never.json")}`);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/wrong\.json:3:\d+ \(#\/sets\/ahcp\): "sha256-x" has not the form/);
  expect(existsSync(join(folder, "never.json"))).toBe(false);
  writeFileSync(invalidBaseline, '{ "entries": [] }');
  const runWithMissingMembers = await run("--baseline", invalidBaseline);
  expect(runWithMissingMembers.err).toMatch(
    /wrong\.json:1:1: it has no "\$schema"\n {2}add "\$schema"\n {2}also: it has no "sets"\n.* baseline update FILE REPORT --reason "…" writes a whole list/,
  );
});
