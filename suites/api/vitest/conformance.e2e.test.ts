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

interface Ran {
  code: number | null;
  tests: { fullName: string; status: string; failureMessages: string[] }[];
}

/** Runs Vitest on a project with one test file. */
function vitest(source: string, reporter: string): { status: number | null; stdout: string; stderr: string } {
  const imports = `import { conformance, conformanceFrom } from ${JSON.stringify(builtPathOf("suites/api/vitest/index.ts"))};\n`;
  writeFileSync(join(folder, "conformance.test.mjs"), imports + source);
  const program = join(home, "node_modules", "vitest", "vitest.mjs");
  const words = [program, "run", "--root", folder, `--reporter=${reporter}`, "--maxWorkers=1"];
  return spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, VITEST: "", NO_COLOR: "1" },
    maxBuffer: 2 ** 26,
  });
}

function ran(source: string): Ran {
  const { status, stdout, stderr } = vitest(source, "json");
  const start = stdout.indexOf("{");
  if (start === -1) throw new Error(`${stdout}${stderr}`);
  const { testResults } = JSON.parse(stdout.slice(start)) as {
    testResults: { message: string; assertionResults: Ran["tests"] }[];
  };
  expect(testResults.map(({ message }) => message)).toEqual([""]);
  return { code: status, tests: testResults.flatMap(({ assertionResults }) => assertionResults) };
}

const only = (...names: string[]): string => `only: ${JSON.stringify(names.map((name) => `ahcp/0.3/message/${name}`))}`;

it("fails once for each rule, with two examples and the number of further ones; passes, or skips with the reason", {
  timeout: 300_000,
}, () => {
  const { code, tests } = ran(
    `conformance("ahcp", (instance) => typeof instance === "object", { ${only("valid/title", "invalid/title", "raw/number", "disputed")}, skip: [] });
     conformance("ahcp", () => true, { only: ["AHCP-SIG-005", "ahcp/0.3/message/valid/minimal"], skip: [] });`,
  );
  expect(code).toBe(1);
  expect(tests.every(({ fullName }) => /^ahcp 0\.3 (message|delivery|digest) /.test(fullName))).toBe(true);
  const names = tests.map(({ fullName }) => fullName.replace("ahcp 0.3 message ", ""));
  expect(names).toContain("AHCP-ENV-007");
  const title = tests.find(({ fullName }) => fullName.endsWith("AHCP-ENV-007"));
  expect(title?.status).toBe("failed");
  const [said = ""] = title?.failureMessages ?? [];
  expect(said).toMatch(/^\d+ of \d+ vectors failed: AHCP-ENV-007 MUST, clause 4: A title has/);
  expect(said.match(/^ {4}accepted, although it is invalid$/gm)).toHaveLength(1);
  expect(said.match(/^ {2}ahcp\/0\.3\/message\/invalid\//gm)).toHaveLength(2);
  expect(said.match(/^ {4}expected {2}refused$/gm)).toHaveLength(1);
  expect(said).toMatch(/^ {4}instance {2}\{".*\}$/m);
  expect(said).toMatch(/^ {2}and \d+ more vectors?\n {2}.*main\.ts'? explain AHCP-ENV-007$/m);
  expect(tests.filter(({ status }) => status === "failed").length).toBeLessThan(8);
  expect(tests.map(({ status }) => status)).toContain("skipped");
  expect(tests.map(({ status }) => status)).toContain("passed");
});

it("accepts each library of Standard Schema, and a baseline", () => {
  const missing = "ahcp/0.3/message/invalid/title/missing";
  const entry = (id: string) => ({ id, outcome: "violates", reason: "later" });
  const example = JSON.stringify(join(home, "suites", "packs", "pack", "example"));
  const site = `${join(home, "suites", "packs", "pack", "example", "schemas", "receipt.schema.json")}#/properties/paid/minimum`;
  const ofSite = JSON.stringify({ $schema: "", sets: {}, entries: [{ site, outcome: "violates", reason: "later" }] });
  const list = (...ids: string[]) => JSON.stringify({ $schema: "", sets: {}, entries: ids.map(entry) });
  const { code, tests } = ran(`
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
      describe(name, () => conformance("ahcp", { message: target }, { ${only("invalid/title/missing")}, skip: [] }));
    describe("site", () => conformance(${example}, () => true, { only: ["${site}"], skip: [], baseline: ${ofSite} }));
    describe("known", () => conformance("ahcp", () => true, { only: ["${missing}"], baseline: ${list(missing)} }));
    describe("stale", () => conformance("ahcp", () => false, { only: ["${missing}"], baseline: ${list(missing)} }));
    describe("other", () => conformance("ahcp", () => true, { only: ["${missing}"], baseline: ${list("ahcp/0.3/message/invalid/title/none")} }));`);
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

it("fails if nothing could be tested, with the reason, in one test", () => {
  const { code, tests } = ran(`conformance("ahcp", { message: () => true }, { only: ["ahcp/0.3/digest/semantic"] });`);
  expect(code).toBe(1);
  const failed = tests.filter(({ status }) => status === "failed");
  expect(failed.map(({ failureMessages }) => failureMessages.join())).toEqual([
    expect.stringMatching(/nothing was decided: every test was skipped\n {2}\d+ tests?: /),
  ]);
  expect(new Set(tests.map(({ status }) => status))).toEqual(new Set(["failed", "skipped"]));
});

it("reports the feature that separates refused from accepted valid messages as an error of the document", () => {
  const filter = 'only: ["ahcp/0.3/message/valid"], skip: []';
  const said = (target: string): string =>
    vitest(`conformance("ahcp", { message: ${target} }, { ${filter} });`, "default").stderr;
  const separate = /^refused: All \d+ valid messages of message that were refused have a value at \/priority, /m;
  expect(said("(message) => message.priority === undefined")).toMatch(separate);
  expect(said("(message) => message.priority === undefined || message.priority === 'low'")).not.toMatch(/^refused: /m);
});

it("plays the scenarios of a configuration against a live server, repeatedly with fresh keys, and fails if they do", {
  timeout: 300_000,
}, async () => {
  const server = spawn(process.execPath, [builtPathOf("suites/cli/main.ts"), "serve", "ahcp"], { stdio: "pipe" });
  try {
    const url = await new Promise<string>((resolve) => {
      server.stdout.on("data", (part: Buffer) => {
        const [found] = /http:\S+/.exec(part.toString()) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const config = { protocol: "ahcp", target: { kind: "http", url }, scenarios: true, only: ["AHCP-ACK-001"] };
    writeFileSync(join(folder, "hub.json"), JSON.stringify(config));
    const { code, tests } = ran(`
      import { describe } from "vitest";
      await describe("first", () => conformanceFrom("hub.json"));
      await describe("second", () => conformanceFrom("hub.json", { maxWait: 0 }));
      const variant = { kind: "reference", variant: "breaks-SNAP-SIG-008" };
      describe("broken", () => conformance("snap", variant, { scenarios: "only", only: ["SNAP-SIG-008"], maxWait: 0 }));
      describe("gone", () => conformance("ahcp", { kind: "http", url: "http://127.0.0.1:9" }, { only: ["ahcp/0.3/message/valid/minimal"] }));`);
    expect(code).toBe(1);
    const of = (name: string) => tests.filter(({ fullName }) => fullName.startsWith(name));
    for (const name of ["first", "second"]) {
      expect(of(name).map(({ status }) => status)).not.toContain("failed");
      expect(of(name).some(({ fullName, status }) => / scenarios /.test(fullName) && status === "passed")).toBe(true);
    }
    const failed = of("broken").filter(({ status }) => status === "failed");
    expect(failed.length).toBeGreaterThan(0);
    for (const { fullName, failureMessages } of failed) {
      expect(fullName).toMatch(/^broken snap 0\.1 scenarios /);
      expect(failureMessages.join()).toMatch(/^SNAP-SIG-008 MUST violates: \S.*\n {4}\S/);
    }
    expect(of("gone").map(({ status }) => status)).toContain("failed");
  } finally {
    server.kill();
  }
});

it("refuses scenarios without a party to play against", () => {
  expect(() => conformance("ahcp", () => true, { scenarios: true })).toThrow("scenarios cannot be played against this");
});

it("refuses an unknown option, and suggests the nearest one", () => {
  const options: object = { onlyy: [] };
  const hint = expect.stringMatching(/^did you mean "only"\? there are name, claims, /);
  const what = 'conformance() has no option "onlyy"';
  expect(() => conformance("ahcp", () => true, options)).toThrow(expect.objectContaining({ what, hint }));
});
