import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { protocolNamed } from "../../schemas/index.ts";
import { vector, writeSet } from "../corpus/sample.fixture.ts";
import { commandWords } from "../results/command-words.ts";
import { commandLine } from "../results/replay.ts";
import { cli } from "./cli.ts";

const message = "ahcp/0.3/message";
const data = protocolNamed("ahcp").profile.documents[0]?.samples?.[0] ?? null;
const folder = mkdtempSync(join(tmpdir(), "touchstone it's "));
const vectors = writeSet([
  { path: `${message}/valid.json`, document: "message", tests: [vector({ id: `${message}/valid/sample`, data })] },
  {
    path: `${message}/invalid.json`,
    document: "message",
    tests: [
      vector({ id: `${message}/invalid/number`, valid: false, rule: "AHCP-VER-001", data: 1 }),
      vector({ id: `${message}/invalid/number/float`, valid: false, rule: "AHCP-VER-001", data: 1.5 }),
      vector({ id: `${message}/invalid/text`, valid: false, raw: "{", needs: ["raw-text"] }),
    ],
  },
]);
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(vectors, { recursive: true });
});

let out = "";
let err = "";
beforeEach(() => {
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function module(name: string, judge: string): string {
  const file = join(folder, name);
  writeFileSync(file, `export default (value) => ${judge};`);
  return file;
}

function replay(id: string, ...more: string[]): Promise<number> {
  return cli(["replay", id, "--vectors", vectors, ...more]);
}

describe("touchstone replay", () => {
  it("says what still fails, with what was expected and what came", async () => {
    expect(await replay(`${message}/invalid/number`, "--module", module("all.mjs", "true"))).toBe(1);
    expect(out).toMatch(
      /^STILL FAILING {2}ahcp\/0\.3\/message\/invalid\/number\n[\s\S]*expected {2}refused\n {2}got {7}accepted/,
    );
    expect(out).not.toContain("float");
  });

  it("says what is fixed, and what cannot be said", async () => {
    const right = module("right.mjs", 'typeof value === "object"');
    expect(await replay(`${message}/invalid/number`, "--module", right)).toBe(0);
    expect(out).toMatch(/^FIXED {2}/);
    out = "";
    expect(await replay(`${message}/invalid/text`, "--module", right)).toBe(3);
    expect(out).toMatch(/^ERROR {2}[\s\S]*takes values/);
    out = "";
    expect(await replay(`${message}/valid/sample`, "--module", module("throw.mjs", "{ throw 1 }"))).toBe(3);
    out = "";
    expect(await replay(`${message}/valid/sample`, "--module", join(folder, "absent.mjs"))).toBe(3);
    expect(out).toMatch(/^ERROR {2}ahcp\/0\.3\/message\/valid\/sample\n {2}failed at open: /);
  });

  it("does as in the run of a report", async () => {
    const report = join(folder, "report.json");
    const all = module("all.mjs", "true");
    await cli([
      "run",
      "ahcp",
      "--vectors",
      vectors,
      "--module",
      all,
      "--seed",
      "7",
      "--quiet",
      "--report",
      `json=${report}`,
    ]);
    out = "";
    expect(await cli(["replay", `${message}/invalid/number`, "--from", report])).toBe(1);
    module("all.mjs", "false");
    expect(await cli(["replay", `${message}/invalid/number`, "--from", report])).toBe(0);
    expect(await cli(["replay", `${message}/valid/sample`, "--from", report])).toBe(1);
  });

  it.each([
    ["a path of several", [`${message}/invalid`], /names 3 vectors/],
    ["an id that is none", [`${message}/invalid/numbr`], /did you mean "ahcp\/0\.3\/message\/invalid\/number"/],
    [
      "a report that is not there",
      [`${message}/valid/sample`, "--from", "nowhere.json"],
      /nowhere\.json: there is no such report/,
    ],
  ])("gives 2 for %s", async (_, [id = "", ...more], said) => {
    expect(await replay(id, "--module", module("all.mjs", "true"), ...more)).toBe(2);
    expect(err).toMatch(said);
  });
});

describe("commandWords", () => {
  it("reads back what commandLine has written", () => {
    const target = {
      kind: "http",
      url: "http://127.0.0.1:1/a b'c",
      headers: { "X-Key": "hush" },
      endpoints: { message: '/in "box"\\' },
    } as const;
    vi.stubEnv("X_KEY", 'a "b" $c');
    const words = commandWords(commandLine({ protocol: "ahcp", target, seed: 7, vectors: "my set" }), process.env);
    expect(words.slice(5)).toEqual([
      ...[target.url, "--header", 'X-Key: a "b" $c', "--endpoint", 'message=/in "box"\\'],
      ...["--seed", "7", "--vectors", "my set"],
    ]);
    expect(() => commandWords('run --header "A: $NOT_SET_ANYWHERE"', {})).toThrow(/NOT_SET_ANYWHERE/);
  });
});

it("tells who names a rule, or plays a scenario with what is no server, what would do", async () => {
  expect(await cli(["replay", "AHCP-ENV-003", "--reference"])).toBe(2);
  expect(err).toMatch(/is a rule[\s\S]*touchstone run ahcp --only AHCP-ENV-003/);
  expect(await cli(["replay", "ahcp/0.3/scenarios/cancel-again", "--command", "x", "--no-config"])).toBe(2);
  expect(err).toMatch(/played against servers alone[\s\S]*--http/);
});

describe("touchstone explain", () => {
  it("tells of a rule, in any case of letters", async () => {
    expect(await cli(["explain", "ahcp-env-007"])).toBe(0);
    const rule = protocolNamed("ahcp").rules.find(({ id }) => id === "AHCP-ENV-007");
    expect(out).toContain(`AHCP-ENV-007  MUST, `);
    expect(out).toContain(rule?.statement);
    expect(out).toMatch(/site .*"maxLength":200/);
    expect(out).toMatch(/vectors +\d+: \d+ valid, \d+ invalid/);
    expect(out.match(/expected {2}refused/g)).toHaveLength(2);
    expect(out.match(/ change {4}\w+/g)).toHaveLength(2);
  });

  it("tells of a vector: the rule, the site, the change, the message", async () => {
    expect(await cli(["explain", "ahcp/0.3/message/invalid/title/too-long"])).toBe(0);
    expect(out).toMatch(/site .*\/title\/maxLength: 200\n/);
    expect(out).toMatch(/change +replace \/title by "a+…/);
    expect(out).toContain('"ahcp_version": "0.3"');
    expect(out).toContain("expected  refused");
  });

  it("tells of a scenario, whole or by one of its rules", async () => {
    const id = "ahcp/0.3/scenarios/idempotency-status";
    expect(await cli(["explain", id])).toBe(0);
    expect(out).toMatch(/It shows [\s\S]*needs +resolve[\s\S]*AHCP-IDM-002 MUST/);
    expect(await cli(["explain", `${id}/AHCP-IDM-002`])).toBe(0);
    expect(await cli(["explain", `${id}/AHCP-IDM-999`])).toBe(2);
  });

  it("tells of a scenario with an agent how it is played again, which replay leaves to it", async () => {
    const id = "ahcp/0.3/scenarios/agent-unsigned";
    expect(await cli(["explain", id])).toBe(0);
    expect(out).toContain(`touchstone agent ahcp --only ${id} --http URL`);
    expect(await cli(["replay", id, "--reference"])).toBe(2);
    expect(err).toContain(`touchstone agent ahcp --only ${id}`);
  });

  it("knows what was meant", async () => {
    expect(await cli(["explain", "AHCP-ENV-0077"])).toBe(2);
    expect(err).toContain('did you mean "AHCP-ENV-007"?');
    expect(await cli(["explain", "ahcp/0.3/scenarios/idempotency-statis"])).toBe(2);
    expect(err).toContain('did you mean "ahcp/0.3/scenarios/idempotency-status"?');
  });
});
