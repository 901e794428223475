import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Baseline, home, protocolNamed, type Report } from "../../../schemas/index.ts";
import { vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { touchstone } from "../process.fixture.ts";

const message = "ahcp/0.3/message";
const data = protocolNamed("ahcp").profile.documents[0]?.samples?.[0] ?? null;
const vectors = writeSet([
  { path: `${message}/valid.json`, document: "message", tests: [vector({ id: `${message}/valid/sample`, data })] },
  {
    path: `${message}/invalid.json`,
    document: "message",
    tests: [
      vector({ id: `${message}/invalid/number`, valid: false, rule: "AHCP-VER-001", data: 1 }),
      vector({ id: `${message}/invalid/text`, valid: false, rule: "AHCP-VER-001", data: "x" }),
      vector({ id: `${message}/invalid/list`, valid: false, rule: "AHCP-ENV-007", data: [] }),
    ],
  },
]);
const folder = mkdtempSync(join(tmpdir(), "touchstone gate-"));
const target = join(folder, "validator.mjs");
const list = join(folder, "known.json");
const report = join(folder, "report.json");

afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(vectors, { recursive: true });
});

function implemented(judge: string): void {
  writeFileSync(target, `export default (value) => ${judge};\n`);
}

function run(...args: string[]): ReturnType<typeof touchstone> {
  return touchstone("run", "ahcp", "--vectors", vectors, "--module", target, "--quiet", ...args);
}

/** Runs the command under a heading of the output in a shell, as printed; returns its exit code. */
function done(out: string, heading: string): number | null {
  const lines = out.split("\n");
  const command = lines[lines.indexOf(heading) + 1]?.trim() ?? "";
  return spawnSync("sh", ["-c", command], { cwd: home, encoding: "utf8" }).status;
}

const correctAnswer = 'typeof value === "object" && !Array.isArray(value)';

it("passes for known failures, and fails for new and fixed ones", async () => {
  implemented(correctAnswer);
  expect((await run()).code).toBe(0);

  implemented(`(${correctAnswer}) || value === 1`);
  const brokenRun = await run();
  expect({ code: brokenRun.code, out: brokenRun.out }).toEqual({
    code: 1,
    out: expect.stringMatching(/^Does not conform: 1 of \d+ vectors violated/),
  });
  expect((await run("--baseline", list)).err).toContain("the baseline file does not exist");

  const accepted = await run("--baseline", list, "--update-baseline", "--reason", "numbers until 2.0");
  expect(accepted).toMatchObject({
    code: 0,
    err: expect.stringMatching(/1 entry, 1 added, 0 removed\n.* is new: .* Commit it/),
  });
  expect((await run("--baseline", list)).code).toBe(0);

  implemented(`(${correctAnswer}) || value === 1 || value === "x"`);
  const worse = await touchstone("run", "ahcp", "--vectors", vectors, "--module", target, "--baseline", list);
  expect(worse.code).toBe(1);
  expect(worse.out).toContain(`${message}/invalid/text`);
  expect(worse.out).not.toContain(`${message}/invalid/number\n`);
  expect(worse.out).toMatch(/^Does not conform: 1 of \d+ vectors violated, 1 rule broken beside 1 known failure\.$/m);

  implemented(correctAnswer);
  const fixed = await run("--baseline", list);
  expect(fixed.code).toBe(1);
  expect(fixed.out).toContain(`stale: ${message}/invalid/number: the list says that it is violated; now it conforms`);
  expect(done(fixed.out, "To make the list fit:")).toBe(0);
  expect((JSON.parse(readFileSync(list, "utf8")) as Baseline).entries).toEqual([]);
  expect((await run("--baseline", list)).code).toBe(0);
});

it("updates the baseline from a report, but never from a partial run", async () => {
  implemented("true");
  const finalRun = await run("--baseline", list, "--report", `json=${report}`, "--report", "terminal");
  expect(finalRun.code).toBe(1);
  expect(done(finalRun.out, "To accept the new failures for now:")).toBe(0);
  const { entries } = JSON.parse(readFileSync(list, "utf8")) as Baseline;
  expect(entries.map(({ id, reason }) => [id?.split("/").at(-1), reason])).toEqual([
    ["number", "…"],
    ["text", "…"],
    ["list", "…"],
  ]);
  const check = await touchstone("baseline", "check", list, report);
  expect({ code: check.code, out: check.out }).toEqual({ code: 0, out: expect.stringContaining("3 known failures") });

  const warnedReport = join(folder, "warned.json");
  const value = JSON.parse(readFileSync(report, "utf8")) as Report;
  const conformingResult = value.runs[0]?.results.find(({ outcome }) => outcome === "conforms");
  Object.assign(conformingResult ?? {}, { outcome: "warns", level: "SHOULD", why: "unwise", vector: { data: 1 } });
  writeFileSync(warnedReport, JSON.stringify(value));
  const showCheck = async (...args: string[]) =>
    (await touchstone("baseline", "check", list, warnedReport, ...args)).out;
  expect(await showCheck()).not.toContain("unwise");
  expect(await showCheck("--verbose")).toContain("unwise");

  const before = readFileSync(list, "utf8");
  expect((await run("--baseline", list, "--only", `${message}/valid`)).code).toBe(0);
  const part = join(folder, "part.json");
  implemented(correctAnswer);
  await run("--only", message, "--report", `json=${part}`);
  const refusedUpdate = await touchstone("baseline", "update", list, part);
  expect(refusedUpdate).toMatchObject({
    code: 2,
    err: expect.stringContaining("a baseline can only be made from a whole run"),
  });
  const partialUpdate = await run("--baseline", list, "--update-baseline", "--skip", message);
  expect(partialUpdate).toMatchObject({ code: 2, err: expect.stringContaining("needs a whole run"), out: "" });
  const playArgs = ["--reference", "--only", "AHCP-CAN-004", "--baseline", list, "--update-baseline"];
  const playedRun = await touchstone("play", "ahcp", ...playArgs);
  expect(playedRun).toMatchObject({ code: 2, err: expect.stringContaining("needs a whole run"), out: "" });
  expect(readFileSync(list, "utf8")).toBe(before);
});

it("leaves the baseline unchanged if the target cannot be reached, and exits with 3", async () => {
  const list = join(folder, "untouched.json");
  const words = ["--update-baseline", "--baseline", list, "--reason", "later", "--no-config"];
  const { code, err, out } = await touchstone("run", "ahcp", "--http", "http://127.0.0.1:9", "--quiet", ...words);
  expect({ code, is: existsSync(list) }).toEqual({ code: 3, is: false });
  expect(err).toContain("stays as it is: the run failed at open");
  expect(out).toContain("ECONNREFUSED");
});

it("rejects an invalid baseline with the place of the fault, before anything is run", async () => {
  const invalidList = join(folder, "wrong.json");
  writeFileSync(invalidList, '{\n  "$schema": "",\n  "sets": { "ahcp": "sha256-x" },\n  "entries": []\n}\n');
  const { code, err, out } = await run("--baseline", invalidList, "--report", `json=${join(folder, "never.json")}`);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/wrong\.json:3:\d+ \(#\/sets\/ahcp\): "sha256-x" has not the form/);
  expect(existsSync(join(folder, "never.json"))).toBe(false);
  writeFileSync(invalidList, '{ "entries": [] }');
  const runWithInvalidList = await run("--baseline", invalidList);
  expect(runWithInvalidList.err).toMatch(
    /wrong\.json:1:1: it has no "\$schema"\n {2}add "\$schema"\n {2}also: it has no "sets"\n.* baseline update FILE REPORT --reason "…" writes a whole list/,
  );
});
