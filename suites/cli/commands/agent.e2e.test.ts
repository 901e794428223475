import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { afterAll, expect, it, vi } from "vitest";
import { ownSchemas, type Report } from "../../../schemas/index.ts";
import { splitShellWords } from "../../reports/reading/shell-words.ts";
import { cli } from "../cli.ts";
import { startProcess, touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const ajv = new Ajv2020({ strict: false, schemas: Object.values(ownSchemas()) });
formatsPlugin.default(ajv);
const isReport = (report: unknown): boolean =>
  ajv.getSchema("https://touchstone.example/schemas/touchstone/report.schema.json")?.(report) === true;

/** Writes the configuration for an agent with this callback URL. */
function configFor(url: string): string {
  const urlOf = (path: string): { url: string } => ({ url: new URL(path, url).href });
  const [expect, submit, restart] = ["/expect", "/submit", "/restart"].map((path) => ({ http: urlOf(path) }));
  const hooks = { expect, submit, restart, acted: { http: { method: "GET", ...urlOf("/acted") } } };
  const key = { alg: "hmac-sha256", secret: "a secret of ours" };
  const file = join(folder, `${new URL(url).port}.json`);
  writeFileSync(file, JSON.stringify({ agent: { url, key }, hooks, timeScale: 0.3 }));
  return file;
}

const serveArgs = ["serve", "ahcp", "--agent", "--secret", "a secret of ours"];

it("reports that the reference agent conforms, and exits with 3 if its key is wrong", async () => {
  const { url, close } = await startProcess(...serveArgs);
  try {
    const config = configFor(url);
    const result = await touchstone("agent", "ahcp", "--config", config, "--report", "json", "--seed", "1");
    const report = JSON.parse(result.out) as Report;
    expect([result.code, isReport(report), report.complete, result.out.includes("a secret of ours")]).toEqual([
      0,
      true,
      true,
      false,
    ]);
    expect(report.counts.conforms).toBe(report.runs[0]?.set.count);
    const wrongKeyConfig = join(folder, "bare.json");
    writeFileSync(
      wrongKeyConfig,
      JSON.stringify({ agent: { key: { alg: "hmac-sha256", secret: "another-key-of-tests" } } }),
    );
    const wrongKeyRun = await touchstone("agent", "--http", url, "--config", wrongKeyConfig, "--only", "AHCP-SIG-013");
    expect(wrongKeyRun.code).toBe(3);
    expect(wrongKeyRun.out).toMatch(/a correct push is not accepted \(HTTP 401\)/);
  } finally {
    await close();
  }
});

it("is also available as play --side agent, with the built-in agent", async () => {
  const selection = ["--only", "AHCP-SIG-014", "--report", "json", "--seed", "1"];
  const playArgs = ["play", "ahcp", "--side", "agent", "--reference", "--no-config"];
  const correctAgent = await touchstone(...playArgs, ...selection);
  expect([correctAgent.code, (JSON.parse(correctAgent.out) as Report).counts]).toMatchObject([
    0,
    { conforms: 1, violates: 0 },
  ]);
  const brokenAgent = await touchstone(...playArgs, "--variant", "breaks-AHCP-SIG-014", ...selection);
  expect([brokenAgent.code, (JSON.parse(brokenAgent.out) as Report).counts]).toMatchObject([
    1,
    { conforms: 0, violates: 1 },
  ]);
  expect(isReport(JSON.parse(brokenAgent.out))).toBe(true);
});

it("reports an agent that breaks a rule, replays the scenario, and accepts the failure in a baseline", async () => {
  const { url, close } = await startProcess(...serveArgs, "--variant", "breaks-AHCP-SIG-014");
  try {
    const selection = ["AHCP-SIG-011", "AHCP-SIG-014"].flatMap((rule) => ["--only", rule]);
    const { code, out } = await touchstone("agent", "--config", configFor(url), ...selection);
    expect(code).toBe(1);
    expect(out).toMatch(/1 of 2 conform, 1 violate[\s\S]*AHCP-SIG-014[\s\S]*a used jti is accepted/);
    const [, replayLine = ""] = /replay\s+npm run -s touchstone -- (.*)/.exec(out) ?? [];
    const repeatedRun = await touchstone(...splitShellWords(replayLine));
    expect([repeatedRun.code, /0 of 1 conform, 1 violate/.test(repeatedRun.out)]).toEqual([1, true]);
    const gateArgs = ["agent", "--quiet", "--config", configFor(url), "--baseline", join(folder, "known.json")];
    const updatedRun = await touchstone(...gateArgs, "--update-baseline", "--reason", "a jti may come back until 2.0");
    expect([updatedRun.code, /known\.json: 1 entry, 1 added/.test(updatedRun.err)]).toEqual([0, true]);
    expect((await touchstone(...gateArgs)).out).toContain("Nothing new fails beside 1 known failure.");
  } finally {
    await close();
  }
  const unreachableRun = await touchstone("agent", "--http", url, "--config", configFor(url));
  expect([unreachableRun.code, /cannot connect to/.test(unreachableRun.out)]).toEqual([3, true]);
});

it.each([
  [["agent", "snap"], /there are no scenarios for agents of snap/],
  [["agent", "--no-config"], /no agent is named/],
  [["agent", "--no-config", "--http", "http://127.0.0.1:1/cb"], /there is no key to sign with/],
  [["serve", "ahcp", "--agent"], /--agent needs --secret/],
  [[...serveArgs, "--variant", "breaks-AHCP-SIG-01"], /did you mean "?breaks-AHCP-SIG-01/],
  [[...serveArgs, "--journal", "x"], /--journal has no effect/],
  [["serve", "ahcp", "--secret", "x"], /--secret needs --agent/],
])("exits with 2 for %j", async (args, message) => {
  let err = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
  const code = await cli(args);
  vi.restoreAllMocks();
  expect(err).toMatch(message);
  expect(code).toBe(2);
});
