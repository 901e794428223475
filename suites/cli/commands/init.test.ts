import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { protocolNamed } from "../../../schemas/index.ts";
import { referenceOf } from "../../packs/pack/load.ts";
import { startReference } from "../../packs/reference/index.ts";
import { hubEnvironment } from "../../protocols/ahcp/reference/live.ts";
import { captureOutput } from "../captured.fixture.ts";
import { cli } from "../cli.ts";

const before = process.cwd();
const file = "touchstone.config.yaml";
let folder = "";
const printed = captureOutput();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe("touchstone init", () => {
  it("finds out which protocol a server implements, and writes a configuration that runs unchanged", async () => {
    const served = await startReference(await referenceOf(protocolNamed("agentformat")), {});
    try {
      expect(await cli(["init", "--http", served.url, "--header", "X-Token: hush"]), printed.err).toBe(0);
      expect(printed.out).toContain("8 of 8 vectors of agentformat conform");
      const text = readFileSync(file, "utf8");
      expect(text).toContain('protocol: "agentformat"');
      expect(text).not.toContain("hush");
      expect(await cli(["run", "--quiet"])).toBe(2);
      expect(printed.err).toContain("the environment variable X_TOKEN is not set");
      vi.stubEnv("X_TOKEN", "hush");
      expect(await cli(["run", "--quiet", "--only", "agentformat/1.0/agent/valid/minimal"])).toBe(0);
      expect(existsSync("report/touchstone.html")).toBe(true);
    } finally {
      await served.close();
    }
  });

  it("asks as the agent to which the headers belong, and writes that down", async () => {
    const { setting, close } = await hubEnvironment();
    const target = ["--http", `${setting.url}`, "--header", "Authorization: Bearer reference-token-a"];
    try {
      expect(await cli(["init", "ahcp", ...target])).toBe(3);
      expect(printed.err).toContain("--agent NAME");
      expect(await cli(["init", "--protocol", "ahcp", ...target, "--agent", "touchstone-a"]), printed.err).toBe(0);
      expect(printed.out).toContain("8 of 8 vectors of ahcp conform");
      vi.stubEnv("AUTHORIZATION", "Bearer reference-token-a");
      const vectorId = "ahcp/0.3/message/valid/sample/2";
      expect(await cli(["run", "--quiet", "--only", vectorId]), printed.err).toBe(0);
      expect(await cli(["challenge", "--quiet", "--runs", "20"]), printed.err).toBe(0);
      for (let times = 1; times <= 2; times++) expect(await cli(["replay", vectorId]), printed.err).toBe(0);
    } finally {
      await close();
    }
  });

  it("asks a server only about documents that it receives", async () => {
    const served = await startReference(await referenceOf(protocolNamed("ahcp")), {});
    try {
      expect(await cli(["init", "--http", served.url, "--protocol", "ahcp"]), printed.err).toBe(0);
      expect(printed.out).toContain("8 of 8 vectors of ahcp conform");
      const text = readFileSync(file, "utf8");
      for (const [hook, does] of Object.entries(protocolNamed("ahcp").profile.sides?.hub?.hooks ?? {}))
        expect(text).toContain(`#   # ${does}\n#   ${hook}: { http: { url: "${served.url}/operator/${hook}" } }\n`);
      const hookUrls = [...text.matchAll(/^# {3}\w+: \{ http: \{ url: "(.+)" \} \}$/gm)].map(([, url = ""]) => url);
      expect(hookUrls).toHaveLength(12);
      expect(text).toContain("may have a method, headers and a body too");
      const statuses = await Promise.all(hookUrls.map(async (url) => (await fetch(url, { method: "POST" })).status));
      expect(statuses).not.toContain(404);
    } finally {
      await served.close();
    }
  });

  it("writes the options of the party that a server usually is", async () => {
    const served = await startReference(await referenceOf(protocolNamed("aaep")), {});
    try {
      expect(await cli(["init", "aaep", "--http", served.url]), printed.err).toBe(0);
    } finally {
      await served.close();
    }
    const text = readFileSync(file, "utf8");
    const { options = {} } = protocolNamed("aaep").profile.sides?.producer ?? {};
    for (const [name, { description }] of Object.entries(options))
      expect(text).toContain(`#   # ${description}\n#   ${name}: `);
  });

  it("overwrites no file without --force", async () => {
    writeFileSync("accept.mjs", "export default () => true;");
    const args = ["init", "--protocol", "snap", "--module", "accept.mjs"];
    expect(await cli(args)).toBe(0);
    expect(printed.out).toContain("4 of 8 vectors of snap conform");
    expect(printed.out.match(/^ {2}violates {2}snap\/0\.1\/\S+: accepted, although it is invalid/gm)).toHaveLength(4);
    writeFileSync(file, "# mine\n");
    expect(await cli(args)).toBe(2);
    expect(printed.err).toContain("--force");
    expect(readFileSync(file, "utf8")).toBe("# mine\n");
    expect(await cli([...args, "--force"])).toBe(0);
    expect(readFileSync(file, "utf8")).toContain('file: "accept.mjs"');
    rmSync(file);
    writeFileSync("touchstone.config.json", "{}");
    expect(await cli([...args, "--force"])).toBe(2);
    expect(printed.err).toContain("second configuration");
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ["that is not running", ["--http", "http://127.0.0.1:9", "--protocol", "ahcp"], /ECONNREFUSED/],
    ["that is not running, with any protocol", ["--http", "http://127.0.0.1:9"], /ECONNREFUSED/],
    [
      "that gives no usable answer",
      ["--module", "throws.mjs", "--protocol", "ahcp"],
      /no usable answer to 8 vectors of ahcp: the module threw /,
    ],
    ["that accepts everything of all protocols", ["--module", "accept.mjs"], /cannot be recognized/],
    [
      "that is not running, with the remedy on its own line",
      ["--http", "http://127.0.0.1:9"],
      /\n {2}start the server first.*\n {2}nothing was written/,
    ],
  ])("writes nothing for a target %s", async (_, args, output) => {
    writeFileSync("throws.mjs", "export default () => { throw new Error('no'); };");
    writeFileSync("accept.mjs", "export default () => true;");
    expect(await cli(["init", ...args])).toBe(3);
    expect(printed.err).toMatch(output);
    expect(existsSync(file)).toBe(false);
  });
});

describe("touchstone check", () => {
  it("gives 1 and the place for a damaged set, and 2 for a missing one", async () => {
    writeFileSync("MANIFEST.json", "{}");
    expect(await cli(["check", ".", "--unguarded"])).toBe(1);
    expect(printed.out).toMatch(/^MANIFEST\.json:1:1: it has no "\$schema"/);
    expect(printed.out).toMatch(/complaints about 0 vectors/);
    expect(await cli(["check", "nowhere", "--unguarded"])).toBe(2);
    expect(printed.err).toContain("nowhere: there is no vector set: there is no such folder");
  });
});
