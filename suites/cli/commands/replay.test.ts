import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { example, protocolNamed } from "../../../schemas/index.ts";
import { vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { captureOutput } from "../captured.fixture.ts";
import { cli } from "../cli.ts";

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
      vector({ id: `${message}/invalid/title`, valid: false, level: "SHOULD", at: "/title", data: 2 }),
      vector({ id: `${message}/invalid/text`, valid: false, raw: "{", needs: ["raw-text"] }),
    ],
  },
]);
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(vectors, { recursive: true });
});

const printed = captureOutput();
afterEach(() => {
  vi.unstubAllEnvs();
});

function module(name: string, judge: string): string {
  const file = join(folder, name);
  writeFileSync(file, `export default (value) => ${judge};`);
  return file;
}

function replay(id: string, ...args: string[]): Promise<number> {
  return cli(["replay", id, "--vectors", vectors, ...args]);
}

describe("touchstone replay", () => {
  it("names vectors that still fail, with the expected and the actual answer", async () => {
    expect(await replay(`${message}/invalid/number`, "--module", module("all.mjs", "true"))).toBe(1);
    expect(printed.out).toMatch(
      /^FAILS {2}ahcp\/0\.3\/message\/invalid\/number\n[\s\S]*expected {2}refused\n {2}got {7}accepted/,
    );
    expect(printed.out).not.toContain("float");
  });

  it("names fixed vectors, and vectors without an answer", async () => {
    const correctModule = module("right.mjs", 'typeof value === "object"');
    expect(await replay(`${message}/invalid/number`, "--module", correctModule)).toBe(0);
    expect(printed.out).toMatch(
      /^CONFORMS {2}[\s\S]*\n {2}before {4}no report says whether it failed; --from REPORT reads one\n$/,
    );
    printed.out = "";
    expect(await replay(`${message}/invalid/text`, "--module", correctModule)).toBe(3);
    expect(printed.out).toMatch(/^ERROR {2}[\s\S]*expects values/);
    printed.out = "";
    expect(await replay(`${message}/valid/sample`, "--module", module("throw.mjs", "{ throw 1 }"))).toBe(3);
    printed.out = "";
    expect(await replay(`${message}/valid/sample`, "--module", join(folder, "absent.mjs"))).toBe(3);
    expect(printed.out).toMatch(/^ERROR {2}ahcp\/0\.3\/message\/valid\/sample\n {2}failed at open: /);
  });

  it("fails for the results that fail a run, and warns about the rest", async () => {
    const title = (answer: string, ...args: string[]): Promise<number> =>
      replay(`${message}/invalid/title`, "--module", module("title.mjs", answer), ...args);
    expect(await title('typeof value === "object" || { valid: false, errors: [{ at: "/text" }] }')).toBe(0);
    expect(printed.out).toMatch(/^WARNS {2}[\s\S]*refused for another cause/);
    printed.out = "";
    expect(await title("true")).toBe(0);
    expect(printed.out).toMatch(/^WARNS {2}/);
    const report = join(folder, "should.json");
    const strict = ["--fail-on", "should", "--report", `json=${report}`];
    const target = ["--module", join(folder, "title.mjs")];
    expect(await cli(["run", "ahcp", "--vectors", vectors, ...target, ...strict])).toBe(1);
    printed.out = "";
    expect(await replay(`${message}/invalid/title`, "--from", report, ...target)).toBe(1);
    expect(printed.out).toMatch(/^STILL FAILING {2}/);
  });

  it("repeats the conditions of the run in a report", async () => {
    const report = join(folder, "report.json");
    const all = module("all.mjs", "true");
    const target = ["--module", all];
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
    printed.out = "";
    expect(await cli(["replay", `${message}/invalid/number`, "--from", report, ...target])).toBe(1);
    module("all.mjs", "false");
    expect(printed.out).toMatch(/^STILL FAILING {2}/);
    printed.out = "";
    // A target that also refuses valid messages has fixed nothing.
    expect(await cli(["replay", `${message}/invalid/number`, "--from", report, ...target])).toBe(3);
    expect(printed.out).not.toMatch(/FIXED/);
    printed.out = "";
    module("all.mjs", 'typeof value === "object"');
    expect(await cli(["replay", `${message}/invalid/number`, "--from", report, ...target])).toBe(0);
    expect(printed.out).toMatch(/^FIXED {2}/);
    expect(printed.out).not.toContain("before");
    printed.out = "";
    expect(await cli(["replay", `${message}/valid/sample`, "--from", report, ...target])).toBe(0);
    expect(printed.out).toMatch(
      /^CONFORMS {2}[\s\S]*\n {2}before {4}no failure is recorded: conforms in .*report\.json\n$/,
    );
    module("all.mjs", "false");
    printed.out = "";
    expect(await cli(["replay", `${message}/valid/sample`, "--from", report, ...target])).toBe(1);
    expect(printed.out).toMatch(/^FAILS {2}/);
  });

  it("accepts the name of a scenario of any protocol", async () => {
    const [, , , name = ""] = example.scenario.split("/");
    expect(await cli(["replay", name, "--reference"])).toBe(0);
    expect(printed.out).toMatch(new RegExp(`^CONFORMS {2}${example.scenario}/`));
    expect(await cli(["replay", name, "--protocol", "snap", "--reference"])).toBe(2);
    expect(printed.err).toContain(`"${name}" is not the id of a vector or a scenario`);
  });

  it("says that a warned vector is fixed, or was warned about before", async () => {
    const report = join(folder, "warned.json");
    const target = ["--module", module("warned.mjs", "true")];
    await cli(["run", "ahcp", "--vectors", vectors, ...target, "--quiet", "--report", `json=${report}`]);
    printed.out = "";
    expect(await cli(["replay", `${message}/invalid/title`, "--from", report, ...target])).toBe(0);
    expect(printed.out).toMatch(/^WARNS {2}[\s\S]*\n {2}before {4}warns in .*warned\.json\n$/);
    printed.out = "";
    module("warned.mjs", 'typeof value === "object"');
    expect(await cli(["replay", `${message}/invalid/title`, "--from", report, ...target])).toBe(0);
    expect(printed.out).toMatch(/^FIXED {2}[\s\S]*\n {2}before {4}warns in .*warned\.json\n$/);
  });

  it.each([
    ["a path of several vectors", [`${message}/invalid`], /names 4 vectors/],
    ["an invalid id", [`${message}/invalid/numbr`], /did you mean "ahcp\/0\.3\/message\/invalid\/number"/],
    [
      "a missing report",
      [`${message}/valid/sample`, "--from", "nowhere.json"],
      /nowhere\.json: the report file does not exist/,
    ],
  ])("gives 2 for %s", async (_, [id = "", ...more], output) => {
    expect(await replay(id, "--module", module("all.mjs", "true"), ...more)).toBe(2);
    expect(printed.err).toMatch(output);
  });
});

describe("replay --from", () => {
  const report = join(folder, "called.json");
  const id = `${message}/invalid/number`;
  // biome-ignore lint/suspicious/noExplicitAny: reports are changed here as nobody should
  const changeReport = (change: (report: any) => void): void => {
    const value = JSON.parse(readFileSync(report, "utf8"));
    change(value);
    writeFileSync(report, JSON.stringify(value));
  };
  const ran = (): Promise<number> =>
    cli(["run", "ahcp", "--vectors", vectors, "--module", module("all.mjs", "true"), "--report", `json=${report}`]);
  const replayFromReport = (...args: string[]): Promise<number> => cli(["replay", id, "--from", report, ...args]);

  it("needs no shell line", async () => {
    await ran();
    changeReport((value) => {
      expect(value.options).toMatchObject({ verb: "run", protocol: "ahcp", target: { kind: "module" }, vectors });
      value.command = "what nobody can read";
    });
    expect(await replayFromReport("--module", join(folder, "all.mjs"))).toBe(1);
  });

  it("runs no module, program or configuration that only the report names", async () => {
    await ran();
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toMatch(/names a module, which is not run unless you name it too[\s\S]*--module .*all\.mjs/);
    const mark = join(folder, "was-run");
    for (const target of [
      { kind: "command", command: `touch ${mark}` },
      { kind: "mcp", server: `touch ${mark}` },
    ]) {
      changeReport((value) => {
        value.options.target = target;
      });
      expect(await replayFromReport()).toBe(2);
      expect(printed.err).toContain("names a program, which is not run unless you name it too");
    }
    writeFileSync(
      join(folder, "their.config.mjs"),
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "")`,
    );
    changeReport((value) => {
      value.options.config = join(folder, "their.config.mjs");
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain("names a configuration, which is not read unless you name it too");
    expect(existsSync(mark)).toBe(false);
  });

  it("sends nothing from the environment to a host that only the report names", async () => {
    await ran();
    vi.stubEnv("X_KEY", "mine");
    changeReport((value) => {
      value.options.target = { kind: "http", url: "http://other.example", headers: ["X-Key"] };
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain(
      "names other.example, which gets no secrets from the environment unless you name it too",
    );
  });

  it("reads the shell line of a report that has no options", async () => {
    await ran();
    changeReport((value) => delete value.options);
    expect(await replayFromReport("--module", join(folder, "all.mjs"))).toBe(1);
    changeReport((value) => {
      value.command = "make test";
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain("the report does not contain the options of its run");
  });

  it("requires header values from the environment, unless they are given", async () => {
    await ran();
    changeReport((value) => {
      value.options.target = { kind: "http", url: "http://127.0.0.1:1", headers: ["X-Key"] };
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain("the environment variable X_KEY is not set");
    expect(await replayFromReport("--header", "x-key: mine")).toBe(3);
    vi.stubEnv("X_KEY", "mine");
    expect(await replayFromReport()).toBe(3);
  });

  it("leaves the reports of other commands to their replay lines", async () => {
    await ran();
    changeReport((value) => {
      value.options.verb = "challenge";
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain("the report is of touchstone challenge");
  });
});

it("suggests a command for a rule, and for a scenario of a target that is not a server", async () => {
  expect(await cli(["replay", "AHCP-ENV-003", "--reference"])).toBe(2);
  expect(printed.err).toMatch(/is a rule[\s\S]*run ahcp --only AHCP-ENV-003/);
  expect(await cli(["replay", "cancel", "--reference"])).toBe(2);
  expect(printed.err).toMatch(/"cancel" is not the id[\s\S]*looks like ahcp\/0\.3\/message/);
  expect(await cli(["replay", "ahcp/0.3/scenarios/cancel-again", "--command", "x", "--no-config"])).toBe(2);
  expect(printed.err).toMatch(/only over HTTP[\s\S]*--http/);
  const hub = "agent-conventions/1.0/scenarios/hub-waits";
  expect(await cli(["replay", hub, "--command", "x", "--no-config"])).toBe(2);
  expect(printed.err).toContain(
    `touchstone -- play agent-conventions --side hub --only ${hub} --command CMD plays it again`,
  );
});

describe("touchstone explain", () => {
  it("describes a rule, in any letter case", async () => {
    expect(await cli(["explain", "ahcp-env-007"])).toBe(0);
    const rule = protocolNamed("ahcp").rules.find(({ id }) => id === "AHCP-ENV-007");
    expect(printed.out).toContain(`AHCP-ENV-007  MUST, `);
    expect(printed.out).toContain(rule?.statement);
    expect(printed.out).toMatch(/site .*"maxLength":200/);
    expect(printed.out).toMatch(/vectors +\d+ under its own id: \d+ valid, \d+ invalid/);
    expect(printed.out.match(/expected {2}refused/g)).toHaveLength(2);
    expect(printed.out.match(/ change {4}\w+/g)).toHaveLength(2);
  });

  it("describes a vector: the rule, the site, the change, the message", async () => {
    expect(await cli(["explain", "ahcp/0.3/message/invalid/title/too-long"])).toBe(0);
    expect(printed.out).toMatch(/site .*\/title\/maxLength: 200\n/);
    expect(printed.out).toMatch(/change +replace \/title by "a+…/);
    expect(printed.out).toContain('"ahcp_version": "0.3"');
    expect(printed.out).toContain("expected  refused");
  });

  it("describes a scenario, entirely or by one of its rules", async () => {
    const id = "ahcp/0.3/scenarios/idempotency-status";
    expect(await cli(["explain", id])).toBe(0);
    expect(printed.out).toMatch(/It shows [\s\S]*needs +resolve[\s\S]*AHCP-IDM-002 MUST/);
    expect(await cli(["explain", `${id}/AHCP-IDM-002`])).toBe(0);
    expect(await cli(["explain", `${id}/AHCP-IDM-999`])).toBe(2);
  });

  it("says how a scenario with an agent is played again, which replay does not do", async () => {
    const id = "ahcp/0.3/scenarios/agent-unsigned";
    expect(await cli(["explain", id])).toBe(0);
    expect(printed.out).toContain(`touchstone -- play ahcp --side agent --only ${id} --config agent.yaml`);
    expect(await cli(["replay", id, "--reference"])).toBe(2);
    expect(printed.err).toContain(`touchstone -- play ahcp --side agent --only ${id}`);
  });

  it("suggests the likely name", async () => {
    expect(await cli(["explain", "AHCP-ENV-0077"])).toBe(2);
    expect(printed.err).toContain('did you mean "AHCP-ENV-007"?');
    expect(await cli(["explain", "ahcp/0.3/scenarios/idempotency-statis"])).toBe(2);
    expect(printed.err).toContain('did you mean "ahcp/0.3/scenarios/idempotency-status"?');
    expect(await cli(["explain", "nonsense"])).toBe(2);
    expect(printed.err).toMatch(
      /to search an API description or your own pack, add --protocol PATH; .*list rules and .*list vectors list them all\n$/,
    );
  });
});
