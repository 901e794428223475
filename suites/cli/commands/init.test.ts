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

const previousFolder = process.cwd();
const configFile = "touchstone.config.yaml";
let folder = "";
const printed = captureOutput();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(previousFolder);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe("touchstone init", () => {
  it("recognizes the protocol of a server, and writes a configuration without secrets that run accepts", async () => {
    const server = await startReference(await referenceOf(protocolNamed("agentformat")), {});
    try {
      expect(await cli(["init", "--http", server.url, "--header", "X-Token: hush"]), printed.err).toBe(0);
      expect(printed.out).toContain("8 of 8 vectors of agentformat conform");
      const text = readFileSync(configFile, "utf8");
      expect(text).toContain('protocol: "agentformat"');
      expect(text).not.toContain("hush");
      expect(await cli(["run", "--quiet"])).toBe(2);
      expect(printed.err).toContain("the environment variable X_TOKEN is not set");
      vi.stubEnv("X_TOKEN", "hush");
      expect(await cli(["run", "--quiet", "--only", "agentformat/1.0/agent/valid/minimal"])).toBe(0);
      expect(existsSync("report/touchstone.html")).toBe(true);
    } finally {
      await server.close();
    }
  });

  it("sends messages as the agent of the credentials, and writes the agent into the configuration", async () => {
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

  it("sends a server only documents that it receives, and lists its hooks as comments", async () => {
    const server = await startReference(await referenceOf(protocolNamed("ahcp")), {});
    try {
      expect(await cli(["init", "--http", server.url, "--protocol", "ahcp"]), printed.err).toBe(0);
      expect(printed.out).toContain("8 of 8 vectors of ahcp conform");
      const text = readFileSync(configFile, "utf8");
      for (const [hook, description] of Object.entries(protocolNamed("ahcp").profile.sides?.hub?.hooks ?? {}))
        expect(text).toContain(
          `#   # ${description}\n#   ${hook}: { http: { url: "${server.url}/operator/${hook}" } }\n`,
        );
      const hookUrls = [...text.matchAll(/^# {3}\w+: \{ http: \{ url: "(.+)" \} \}$/gm)].map(([, url = ""]) => url);
      expect(hookUrls).toHaveLength(12);
      expect(text).toContain("may have a method, headers and a body too");
      const statuses = await Promise.all(hookUrls.map(async (url) => (await fetch(url, { method: "POST" })).status));
      expect(statuses).not.toContain(404);
    } finally {
      await server.close();
    }
  });

  it("lists the options of the protocol's server side as comments", async () => {
    const server = await startReference(await referenceOf(protocolNamed("aaep")), {});
    try {
      expect(await cli(["init", "aaep", "--http", server.url]), printed.err).toBe(0);
    } finally {
      await server.close();
    }
    const text = readFileSync(configFile, "utf8");
    const { options = {} } = protocolNamed("aaep").profile.sides?.producer ?? {};
    for (const [name, { description }] of Object.entries(options))
      expect(text).toContain(`#   # ${description}\n#   ${name}: `);
  });

  it("overwrites a configuration only with --force, and never adds a second one", async () => {
    writeFileSync("accept.mjs", "export default () => true;");
    const args = ["init", "--protocol", "snap", "--module", "accept.mjs"];
    expect(await cli(args)).toBe(0);
    expect(printed.out).toContain("4 of 8 vectors of snap conform");
    expect(printed.out.match(/^ {2}violates {2}snap\/0\.1\/\S+: accepted, although it is invalid/gm)).toHaveLength(4);
    writeFileSync(configFile, "# mine\n");
    expect(await cli(args)).toBe(2);
    expect(printed.err).toContain("--force");
    expect(readFileSync(configFile, "utf8")).toBe("# mine\n");
    expect(await cli([...args, "--force"])).toBe(0);
    expect(readFileSync(configFile, "utf8")).toContain('file: "accept.mjs"');
    rmSync(configFile);
    writeFileSync("touchstone.config.json", "{}");
    expect(await cli([...args, "--force"])).toBe(2);
    expect(printed.err).toContain("second configuration");
    expect(existsSync(configFile)).toBe(false);
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
      "that is not running, and prints the advice on its own line",
      ["--http", "http://127.0.0.1:9"],
      /\n {2}start the server first.*\n {2}nothing was written/,
    ],
  ])("writes nothing for a target %s", async (_, args, message) => {
    writeFileSync("throws.mjs", "export default () => { throw new Error('no'); };");
    writeFileSync("accept.mjs", "export default () => true;");
    expect(await cli(["init", ...args])).toBe(3);
    expect(printed.err).toMatch(message);
    expect(existsSync(configFile)).toBe(false);
  });
});

describe("touchstone check", () => {
  it("exits with 1 for a damaged set, and prints the place; exits with 2 for a missing one", async () => {
    writeFileSync("MANIFEST.json", "{}");
    expect(await cli(["check", ".", "--unguarded"])).toBe(1);
    expect(printed.out).toMatch(/^MANIFEST\.json:1:1: it has no "\$schema"/);
    expect(printed.out).toMatch(/complaints about 0 vectors/);
    expect(await cli(["check", "nowhere", "--unguarded"])).toBe(2);
    expect(printed.err).toContain("nowhere: there is no vector set: there is no such folder");
  });
});
