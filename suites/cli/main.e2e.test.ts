import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { home, protocolNamed } from "../../schemas/index.ts";
import { vector, writeSet } from "../corpus/sample.fixture.ts";

const message = "ahcp/0.3/message";
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const data = protocolNamed("ahcp").profile.documents[0]?.samples?.[0] ?? null;
const vectors = writeSet([
  {
    path: `${message}/valid.json`,
    document: "message",
    tests: Array.from({ length: 200 }, (_, index) => vector({ id: `${message}/valid/${index}`, data })),
  },
  {
    path: `${message}/invalid.json`,
    document: "message",
    tests: [vector({ id: `${message}/invalid/number`, valid: false, rule: "AHCP-VER-001", data: 1 })],
  },
]);

function module(name: string, text: string): string[] {
  writeFileSync(join(folder, name), text);
  return ["run", "ahcp", "--vectors", vectors, "--module", join(folder, name)];
}

function touchstone(args: string[]): { child: ChildProcessWithoutNullStreams; ended: Promise<Ended> } {
  const main = join(home, "suites/cli/main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, ...args], { cwd: home });
  let out = "";
  let err = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  return { child, ended: once(child, "close").then(([code]) => ({ code, out, err })) };
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

describe("the program", () => {
  it("ends with the code of the run, results on stdout and nothing else", async () => {
    const { code, out, err } = await touchstone(module("accept.mjs", "export default () => true;")).ended;
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toMatch(/AHCP-VER-001[\s\S]*200 of 201 conform, 1 violate/);
    expect(out).not.toContain("\u001b");
  });

  it("ends with 2 for an option that there is not, and says which was meant", async () => {
    const { code, out, err } = await touchstone(["run", "ahcp", "--reference", "--ony", "x"]).ended;
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Did you mean --only?");
  });

  it("is never green for a module that ends the process", async () => {
    const { code } = await touchstone(module("leave.mjs", "process.exit(0);")).ended;
    expect(code).toBe(3);
  });

  it.each([
    ["", [], 3],
    [", also when a list was to be made of it", ["--baseline", join(folder, "known.json"), "--update-baseline"], 3],
  ] as const)("keeps what there is when it is interrupted%s", async (_, more, expected) => {
    const cue = join(folder, `third ${more.length}`);
    const stuck = `import { writeFileSync } from "node:fs";
      let asked = 0;
      export default () => ++asked < 3 || new Promise(() => writeFileSync(${JSON.stringify(cue)}, ""));`;
    const options = ["--concurrency", "1", "--timeout", "600000", "--report", "json", ...more];
    const { child, ended } = touchstone([...module("stuck.mjs", stuck), ...options]);
    while (!existsSync(cue)) await sleep(20);
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    const report = JSON.parse(out);
    expect(err).toContain("SIGINT");
    expect(report).toMatchObject({ complete: false, counts: { conforms: 2 } });
    expect(report.runs[0].results).toHaveLength(2);
    expect(code).toBe(expected);
  });

  it("is quiet when nobody reads on", async () => {
    const { child, ended } = touchstone(["list", "vectors", "--protocol", "ahcp", "--vectors", vectors]);
    child.stdout.destroy();
    const { err } = await ended;
    expect(err).toBe("");
  });

  it("serves the reference until it is told to stop", async () => {
    const { child, ended } = touchstone(["serve", "ahcp"]);
    const [url] = await once(child.stdout, "data");
    expect((await fetch(String(url).trim())).status).toBe(200);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
});
