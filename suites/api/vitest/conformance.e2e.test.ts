import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";
import { builtPathOf } from "../../base/process/built.fixture.ts";
import { conformance } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
symlinkSync(join(home, "node_modules"), join(folder, "node_modules"), "junction");
afterAll(() => rmSync(folder, { recursive: true }));

interface VitestRun {
  code: number | null;
  tests: { fullName: string; status: string; failureMessages: string[] }[];
}

/** Runs Vitest on a project with one test file. */
function runVitest(source: string, reporter: string): { status: number | null; stdout: string; stderr: string } {
  const imports = `import { conformance, conformanceFrom } from ${JSON.stringify(builtPathOf("suites/api/vitest/index.ts"))};\n`;
  writeFileSync(join(folder, "conformance.test.mjs"), imports + source);
  const program = join(home, "node_modules", "vitest", "vitest.mjs");
  const args = [program, "run", "--root", folder, `--reporter=${reporter}`, "--maxWorkers=1"];
  return spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, VITEST: "", NO_COLOR: "1" },
    maxBuffer: 2 ** 26,
  });
}

function runTests(source: string): VitestRun {
  const { status, stdout, stderr } = runVitest(source, "json");
  const start = stdout.indexOf("{");
  if (start === -1) throw new Error(`${stdout}${stderr}`);
  const { testResults } = JSON.parse(stdout.slice(start)) as {
    testResults: { message: string; assertionResults: VitestRun["tests"] }[];
  };
  expect(testResults.map(({ message }) => message)).toEqual([""]);
  return { code: status, tests: testResults.flatMap(({ assertionResults }) => assertionResults) };
}

const onlyMessages = (...names: string[]): string =>
  `only: ${JSON.stringify(names.map((name) => `ahcp/0.3/message/${name}`))}`;

it("registers one test for each rule, which shows two examples and the number of further failures", {
  timeout: 300_000,
}, () => {
  const { code, tests } = runTests(
    `conformance("ahcp", (instance) => typeof instance === "object", { ${onlyMessages("valid/title", "invalid/title", "raw/number", "disputed")}, skip: [] });
     conformance("ahcp", () => true, { only: ["AHCP-SIG-005", "ahcp/0.3/message/valid/minimal"], skip: [] });`,
  );
  expect(code).toBe(1);
  expect(tests.every(({ fullName }) => /^ahcp 0\.3 (message|delivery|digest) /.test(fullName))).toBe(true);
  const names = tests.map(({ fullName }) => fullName.replace("ahcp 0.3 message ", ""));
  expect(names).toContain("AHCP-ENV-007");
  const titleTest = tests.find(({ fullName }) => fullName.endsWith("AHCP-ENV-007"));
  expect(titleTest?.status).toBe("failed");
  const [message = ""] = titleTest?.failureMessages ?? [];
  expect(message).toMatch(/^\d+ of \d+ vectors failed: AHCP-ENV-007 MUST, clause 4: A title has/);
  expect(message.match(/^ {4}accepted, although it is invalid$/gm)).toHaveLength(1);
  expect(message.match(/^ {2}ahcp\/0\.3\/message\/invalid\//gm)).toHaveLength(2);
  expect(message.match(/^ {4}expected {2}refused$/gm)).toHaveLength(1);
  expect(message).toMatch(/^ {4}instance {2}\{".*\}$/m);
  expect(message).toMatch(/^ {2}and \d+ more vectors?\n {2}.*main\.ts'? explain AHCP-ENV-007$/m);
  expect(tests.filter(({ status }) => status === "failed").length).toBeLessThan(8);
  expect(tests.map(({ status }) => status)).toContain("skipped");
  expect(tests.map(({ status }) => status)).toContain("passed");
});

it("accepts schemas of Zod, Valibot and ArkType, and compares failures with a baseline", () => {
  const missing = "ahcp/0.3/message/invalid/title/missing";
  const entry = (id: string) => ({ id, outcome: "violates", reason: "later" });
  const example = JSON.stringify(join(home, "suites", "packs", "pack", "example"));
  const site = `${join(home, "suites", "packs", "pack", "example", "schemas", "receipt.schema.json")}#/properties/paid/minimum`;
  const siteBaseline = JSON.stringify({
    $schema: "",
    sets: {},
    entries: [{ site, outcome: "violates", reason: "later" }],
  });
  const baselineOf = (...ids: string[]) => JSON.stringify({ $schema: "", sets: {}, entries: ids.map(entry) });
  const { code, tests } = runTests(`
    import { describe } from "vitest";
    import { type } from "arktype";
    import * as v from "valibot";
    import { z } from "zod";
    const targets = {
      zod: z.looseObject({ title: z.string() }),
      valibot: v.looseObject({ title: v.string() }),
      arktype: type({ title: "string" }),
    };
    for (const [name, target] of Object.entries(targets))
      describe(name, () => conformance("ahcp", { message: target }, { ${onlyMessages("invalid/title/missing")}, skip: [] }));
    describe("site", () => conformance(${example}, () => true, { only: ["${site}"], skip: [], baseline: ${siteBaseline} }));
    describe("known", () => conformance("ahcp", () => true, { only: ["${missing}"], baseline: ${baselineOf(missing)} }));
    describe("stale", () => conformance("ahcp", () => false, { only: ["${missing}"], baseline: ${baselineOf(missing)} }));
    describe("other", () => conformance("ahcp", () => true, { only: ["${missing}"], baseline: ${baselineOf("ahcp/0.3/message/invalid/title/none")} }));`);
  const reported = Object.fromEntries(
    tests
      .filter(({ fullName }) => !fullName.endsWith("the baseline"))
      .map(({ fullName, status }) => [fullName.split(" ")[0], status]),
  );
  expect(reported).toEqual({
    zod: "passed",
    valibot: "passed",
    arktype: "passed",
    site: "passed",
    known: "passed",
    stale: "failed",
    other: "failed",
  });
  expect(code).toBe(1);
});

it("fails one test, with the reason, if every test was skipped", () => {
  const { code, tests } = runTests(
    `conformance("ahcp", { message: () => true }, { only: ["ahcp/0.3/digest/semantic"] });`,
  );
  expect(code).toBe(1);
  const failed = tests.filter(({ status }) => status === "failed");
  expect(failed.map(({ failureMessages }) => failureMessages.join())).toEqual([
    expect.stringMatching(/nothing was decided: every test was skipped\n {2}\d+ tests?: /),
  ]);
  expect(new Set(tests.map(({ status }) => status))).toEqual(new Set(["failed", "skipped"]));
});

it("reports a feature that all refused valid messages share as an error of the document", () => {
  const filter = 'only: ["ahcp/0.3/message/valid"], skip: []';
  const stderrOf = (target: string): string =>
    runVitest(`conformance("ahcp", { message: ${target} }, { ${filter} });`, "default").stderr;
  const sharedFeature = /^refused: All \d+ valid messages of message that were refused have a value at \/priority, /m;
  expect(stderrOf("(message) => message.priority === undefined")).toMatch(sharedFeature);
  expect(stderrOf("(message) => message.priority === undefined || message.priority === 'low'")).not.toMatch(
    /^refused: /m,
  );
});

it("plays scenarios against a live server, twice with fresh keys, and fails if a scenario fails", {
  timeout: 300_000,
}, async () => {
  const server = spawn(process.execPath, [builtPathOf("suites/cli/main.ts"), "serve", "ahcp"], { stdio: "pipe" });
  try {
    const url = await new Promise<string>((resolve) => {
      server.stdout.on("data", (part: Buffer) => {
        const [serverUrl] = /http:\S+/.exec(part.toString()) ?? [];
        if (serverUrl !== undefined) resolve(serverUrl);
      });
    });
    const config = { protocol: "ahcp", target: { kind: "http", url }, scenarios: true, only: ["AHCP-ACK-001"] };
    writeFileSync(join(folder, "hub.json"), JSON.stringify(config));
    const { code, tests } = runTests(`
      import { describe } from "vitest";
      await describe("first", () => conformanceFrom("hub.json"));
      await describe("second", () => conformanceFrom("hub.json", { maxWait: 0 }));
      const variant = { kind: "reference", variant: "breaks-SNAP-SIG-008" };
      describe("broken", () => conformance("snap", variant, { scenarios: "only", only: ["SNAP-SIG-008"], maxWait: 0 }));
      describe("gone", () => conformance("ahcp", { kind: "http", url: "http://127.0.0.1:9" }, { only: ["ahcp/0.3/message/valid/minimal"] }));`);
    expect(code).toBe(1);
    const testsOf = (name: string) => tests.filter(({ fullName }) => fullName.startsWith(name));
    for (const name of ["first", "second"]) {
      expect(testsOf(name).map(({ status }) => status)).not.toContain("failed");
      expect(testsOf(name).some(({ fullName, status }) => / scenarios /.test(fullName) && status === "passed")).toBe(
        true,
      );
    }
    const failed = testsOf("broken").filter(({ status }) => status === "failed");
    expect(failed.length).toBeGreaterThan(0);
    for (const { fullName, failureMessages } of failed) {
      expect(fullName).toMatch(/^broken snap 0\.1 scenarios /);
      expect(failureMessages.join()).toMatch(/^SNAP-SIG-008 MUST violates: \S.*\n {4}\S/);
    }
    expect(testsOf("gone").map(({ status }) => status)).toContain("failed");
  } finally {
    server.kill();
  }
});

it("rejects scenarios for a function, which cannot play a party", () => {
  expect(() => conformance("ahcp", () => true, { scenarios: true })).toThrow("scenarios cannot be played against this");
});

it("rejects an unknown option, and suggests the nearest one", () => {
  const options: object = { onlyy: [] };
  const hint = expect.stringMatching(/^did you mean "only"\? there are name, claims, /);
  const what = 'conformance() has no option "onlyy"';
  expect(() => conformance("ahcp", () => true, options)).toThrow(expect.objectContaining({ what, hint }));
});
