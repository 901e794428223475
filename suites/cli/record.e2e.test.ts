import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { touchstone } from "./process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

/** The MUST rules that the recording of a scenario breaks, according to `validate`. */
async function brokenRules(dir: string, file: string): Promise<string[]> {
  const { out } = await touchstone("validate", "--trace", "--json", join(dir, file));
  const [{ findings }] = JSON.parse(out) as [{ findings: { rule?: string; level: string }[] }];
  return [...new Set(findings.filter(({ level }) => level === "MUST").map(({ rule }) => String(rule)))];
}

describe("touchstone play --record", { timeout: 600_000 }, () => {
  it.each([
    ["aaep", "producer", "recorded-sessions", "AAEP-TOOL-004", "aaep/1.0"],
    ["snap", "agent", "answers-signature", "SNAP-SIG-001", "snap/0.1"],
  ])(
    "records the messages of a %s %s, in which validate finds the broken rule",
    async (protocol, side, name, rule, path) => {
      const playScenario = async (dir: string, ...variant: string[]): Promise<number> => {
        const only = ["--only", `${path}/scenarios/${name}`, "--seed", "1", "--record", dir];
        return (await touchstone("play", protocol, "--side", side, "--reference", ...variant, ...only)).code;
      };
      const [correctFolder, faultyFolder] = [join(folder, `${protocol}-right`), join(folder, `${protocol}-wrong`)];
      expect(await playScenario(correctFolder)).toBe(0);
      expect(await playScenario(faultyFolder, "--variant", `breaks-${rule}`)).toBe(1);
      expect(await brokenRules(correctFolder, `${path}/${name}.jsonl`)).toEqual([]);
      expect(await brokenRules(faultyFolder, `${path}/${name}.jsonl`)).toContain(rule);
    },
  );

  it("records the calls of hooks and their answers, without secrets; validate ignores them", async () => {
    const dir = join(folder, "hooks");
    const only = ["--only", "destinations-look-alikes", "--record", dir];
    expect((await touchstone("play", "ahcp", "--reference", ...only)).code).toBe(0);
    const file = join(dir, "ahcp", "0.3", "destinations-look-alikes.jsonl");
    const lines = readFileSync(file, "utf8").trim().split("\n");
    const messages = lines.map((line) => JSON.parse(line));
    const [call, answer] = ["to", "from"].map((member) =>
      messages.find((message) => message[member] === "hook" && message.head === "resolve"),
    );
    expect(call.message).toMatchObject({ id: expect.any(String), resolution: "answered" });
    expect(answer.message).toMatchObject({ applied: true });
    const secret = messages.find((message) => message.from === "hook" && message.head === "secret");
    expect(secret.message).toMatchObject({ token: "[redacted]" });
    expect(await brokenRules(dir, "ahcp/0.3/destinations-look-alikes.jsonl")).toEqual([]);
  });

  it("redacts a secret, even in an answer that repeats it", async () => {
    const token = "tok_4f9a77c1d2e8";
    const server = createServer((request, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ seen: request.headers.authorization, status: "refused" }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = join(folder, "touchstone.config.json");
    writeFileSync(config, JSON.stringify({ credentials: { a: { agent: "bot", token } } }));
    const dir = join(folder, "secret");
    await touchstone("play", "ahcp", "--http", url, "--config", config, "--record", dir, "--only", "AHCP-CAN-004");
    server.close();
    const files = readdirSync(join(dir, "ahcp", "0.3"));
    expect(files).toEqual(["cancel-again.jsonl"]);
    const text = readFileSync(join(dir, "ahcp", "0.3", "cancel-again.jsonl"), "utf8");
    expect(text).toContain("POST /v1/messages");
    expect(text).toContain("[redacted]");
    expect(text).not.toContain(token);
  });

  it("is rejected if the folder cannot be written, or no scenarios are played", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const playRun = await touchstone("play", "ahcp", "--reference", "--record", join(file, "under"));
    expect([playRun.code, playRun.err]).toEqual([2, expect.stringContaining("recordings cannot be written there")]);
    const vectorRun = await touchstone("run", "ahcp", "--reference", "--record", join(folder, "none"));
    expect([vectorRun.code, vectorRun.err]).toEqual([2, expect.stringContaining("--record needs --scenarios")]);
  });
});
