import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownSchemas, type Report } from "../../schemas/index.ts";
import { startHub } from "../protocols/ahcp/reference/hub/start.ts";
import { captureOutput } from "./captured.fixture.ts";
import { cli } from "./cli.ts";

const ajv = new Ajv2020({ strict: false, schemas: Object.values(ownSchemas()) });
formatsPlugin.default(ajv);

function schemaErrors(format: string, value: unknown): unknown {
  const validate = ajv.getSchema(`https://touchstone.example/schemas/touchstone/${format}.schema.json`);
  return validate?.(value) === true ? null : validate?.errors;
}

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const scenariosPath = "ahcp/0.3/scenarios";
const credentials = { a: { agent: "one", token: "token-of-one" }, b: { agent: "two", apikey: "key-of-two" } };
let hub: Awaited<ReturnType<typeof startHub>>;
const printed = captureOutput();

beforeAll(async () => {
  hub = await startHub({ credentials });
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true });
});

function writeFile(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
}

async function run(...args: string[]): Promise<{ code: number; report: Report }> {
  const code = await cli(["run", "ahcp", "--scenarios", "--report", "json", "--quiet", ...args]);
  return { code, report: JSON.parse(printed.out) as Report };
}

describe("touchstone run --scenarios", () => {
  it("plays against a server, with the credentials and hooks of a configuration", async () => {
    const config = {
      credentials,
      hooks: {
        resolve: { http: { url: `${hub.url}/operator/resolve` } },
        clock: { http: { url: `${hub.url}/operator/clock` } },
      },
    };
    const only = ["idempotency-status", "expiry-default", "reading-deleted"].flatMap((name) => [
      "--only",
      `${scenariosPath}/${name}`,
    ]);
    const { code, report } = await run("--http", hub.url, "--config", writeFile("hub.json", config), ...only);
    expect(schemaErrors("config", config)).toBeNull();
    expect(schemaErrors("report", report)).toBeNull();
    expect(code).toBe(0);
    expect(report.runs[0]?.results.map(({ rule, outcome }) => [rule, outcome])).toEqual([
      ["AHCP-IDM-002", "conforms"],
      ["AHCP-IDM-001", "conforms"],
      ["AHCP-IDM-003", "conforms"],
      ["AHCP-LIF-002", "conforms"],
      ["AHCP-GET-006", "skipped"],
      ["AHCP-IDM-001", "skipped"],
      ["AHCP-EXP-005", "conforms"],
    ]);
    expect(report.runs[0]?.results[4]?.why).toContain('the hook "delete"');
    expect(report.command).toMatch(/--scenarios --config \S+hub\.json$/);
  });

  it("reports the rule that a broken hub violates, with the exchanges", async () => {
    const only = ["--only", `${scenariosPath}/versions-malformed`];
    const { code, report } = await run("--reference", "--variant", "breaks-AHCP-VER-007", ...only);
    expect(schemaErrors("report", report)).toBeNull();
    expect(code).toBe(1);
    const [result] = report.runs[0]?.results ?? [];
    expect(result).toMatchObject({ id: `${scenariosPath}/versions-malformed/AHCP-VER-007`, outcome: "violates" });
    expect(result?.exchanges?.at(-1)?.response?.status).toBe(400);
  });

  it("reports scenarios and vectors together in one report", async () => {
    const vectors = ["--only", "AHCP-VER-001", "--only", `${scenariosPath}/versions-minors`];
    const { report } = await run("--reference", ...vectors);
    const documents = new Set(report.runs[0]?.results.map(({ document }) => document));
    expect([...documents]).toEqual(expect.arrayContaining(["message", "scenarios"]));
    expect(report.counts).toMatchObject({ violates: 0, errored: 0, skipped: 0 });
    expect(report.runs[0]?.counts).toEqual(report.counts);
    expect(report.complete).toBe(true);
  });

  it.each<[why: RegExp, args: string[]]>([
    [/only over HTTP/, ["--scenarios", "--command", "cat"]],
    [
      /hooks\/resolv[\s\S]*did you mean "resolve"\?/,
      ["--scenarios", "--http", "http://127.0.0.1:1", "--config", "bad.json"],
    ],
    [/does not exist/, ["--scenarios", "--http", "http://127.0.0.1:1", "--config", "nowhere.json"]],
  ])("rejects invalid options: %s", async (problem, args) => {
    writeFile("bad.json", { hooks: { resolv: { command: "true" } } });
    const argsInFolder = args.map((arg) => (arg.endsWith(".json") ? join(folder, arg) : arg));
    expect(await cli(["run", "ahcp", ...argsInFolder])).toBe(2);
    expect(printed.err).toMatch(problem);
  });
});
