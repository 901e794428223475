import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { example, protocolNamed } from "../../../schemas/index.ts";
import { vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { captureOutput } from "../captured.fixture.ts";
import { cli } from "../cli.ts";

const messagePath = "ahcp/0.3/message";
const data = protocolNamed("ahcp").profile.documents[0]?.samples?.[0] ?? null;
const folder = mkdtempSync(join(tmpdir(), "touchstone it's "));
const vectors = writeSet([
  {
    path: `${messagePath}/valid.json`,
    document: "message",
    tests: [vector({ id: `${messagePath}/valid/sample`, data })],
  },
  {
    path: `${messagePath}/invalid.json`,
    document: "message",
    tests: [
      vector({ id: `${messagePath}/invalid/number`, valid: false, rule: "AHCP-VER-001", data: 1 }),
      vector({ id: `${messagePath}/invalid/number/float`, valid: false, rule: "AHCP-VER-001", data: 1.5 }),
      vector({ id: `${messagePath}/invalid/title`, valid: false, level: "SHOULD", at: "/title", data: 2 }),
      vector({ id: `${messagePath}/invalid/text`, valid: false, raw: "{", needs: ["raw-text"] }),
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

function writeModule(name: string, judge: string): string {
  const file = join(folder, name);
  writeFileSync(file, `export default (value) => ${judge};`);
  return file;
}

function replay(id: string, ...args: string[]): Promise<number> {
  return cli(["replay", id, "--vectors", vectors, ...args]);
}

describe("touchstone replay", () => {
  it("exits with 1 for a failing vector, and prints the expected and the actual answer", async () => {
    expect(await replay(`${messagePath}/invalid/number`, "--module", writeModule("all.mjs", "true"))).toBe(1);
    expect(printed.out).toMatch(
      /^FAILS {2}ahcp\/0\.3\/message\/invalid\/number\n[\s\S]*expected {2}refused\n {2}got {7}accepted/,
    );
    expect(printed.out).not.toContain("float");
  });

  it("exits with 0 for a conforming vector, and with 3 if there is no usable answer", async () => {
    const correctModule = writeModule("right.mjs", 'typeof value === "object"');
    expect(await replay(`${messagePath}/invalid/number`, "--module", correctModule)).toBe(0);
    expect(printed.out).toMatch(
      /^CONFORMS {2}[\s\S]*\n {2}before {4}no report says whether it failed; --from REPORT reads one\n$/,
    );
    printed.out = "";
    expect(await replay(`${messagePath}/invalid/text`, "--module", correctModule)).toBe(3);
    expect(printed.out).toMatch(/^ERROR {2}[\s\S]*expects values/);
    printed.out = "";
    expect(await replay(`${messagePath}/valid/sample`, "--module", writeModule("throw.mjs", "{ throw 1 }"))).toBe(3);
    printed.out = "";
    expect(await replay(`${messagePath}/valid/sample`, "--module", join(folder, "absent.mjs"))).toBe(3);
    expect(printed.out).toMatch(/^ERROR {2}ahcp\/0\.3\/message\/valid\/sample\n {2}failed at open: /);
  });

  it("exits with 0 for a warning, or with 1 if --fail-on of the reported run made it a failure", async () => {
    const replayTitle = (answer: string, ...args: string[]): Promise<number> =>
      replay(`${messagePath}/invalid/title`, "--module", writeModule("title.mjs", answer), ...args);
    expect(await replayTitle('typeof value === "object" || { valid: false, errors: [{ at: "/text" }] }')).toBe(0);
    expect(printed.out).toMatch(/^WARNS {2}[\s\S]*refused for another cause/);
    printed.out = "";
    expect(await replayTitle("true")).toBe(0);
    expect(printed.out).toMatch(/^WARNS {2}/);
    const report = join(folder, "should.json");
    const strictArgs = ["--fail-on", "should", "--report", `json=${report}`];
    const targetArgs = ["--module", join(folder, "title.mjs")];
    expect(await cli(["run", "ahcp", "--vectors", vectors, ...targetArgs, ...strictArgs])).toBe(1);
    printed.out = "";
    expect(await replay(`${messagePath}/invalid/title`, "--from", report, ...targetArgs)).toBe(1);
    expect(printed.out).toMatch(/^STILL FAILING {2}/);
  });

  it("repeats a vector of a report, and prints whether it is fixed or still fails", async () => {
    const report = join(folder, "report.json");
    const modulePath = writeModule("all.mjs", "true");
    const targetArgs = ["--module", modulePath];
    await cli([
      "run",
      "ahcp",
      "--vectors",
      vectors,
      "--module",
      modulePath,
      "--seed",
      "7",
      "--quiet",
      "--report",
      `json=${report}`,
    ]);
    printed.out = "";
    expect(await cli(["replay", `${messagePath}/invalid/number`, "--from", report, ...targetArgs])).toBe(1);
    writeModule("all.mjs", "false");
    expect(printed.out).toMatch(/^STILL FAILING {2}/);
    printed.out = "";
    // A target that also refuses valid messages has fixed nothing.
    expect(await cli(["replay", `${messagePath}/invalid/number`, "--from", report, ...targetArgs])).toBe(3);
    expect(printed.out).not.toMatch(/FIXED/);
    printed.out = "";
    writeModule("all.mjs", 'typeof value === "object"');
    expect(await cli(["replay", `${messagePath}/invalid/number`, "--from", report, ...targetArgs])).toBe(0);
    expect(printed.out).toMatch(/^FIXED {2}/);
    expect(printed.out).not.toContain("before");
    printed.out = "";
    expect(await cli(["replay", `${messagePath}/valid/sample`, "--from", report, ...targetArgs])).toBe(0);
    expect(printed.out).toMatch(
      /^CONFORMS {2}[\s\S]*\n {2}before {4}no failure is recorded: conforms in .*report\.json\n$/,
    );
    writeModule("all.mjs", "false");
    printed.out = "";
    expect(await cli(["replay", `${messagePath}/valid/sample`, "--from", report, ...targetArgs])).toBe(1);
    expect(printed.out).toMatch(/^FAILS {2}/);
  });

  it("accepts the name of a scenario of any protocol", async () => {
    const [, , , name = ""] = example.scenario.split("/");
    expect(await cli(["replay", name, "--reference"])).toBe(0);
    expect(printed.out).toMatch(new RegExp(`^CONFORMS {2}${example.scenario}/`));
    expect(await cli(["replay", name, "--protocol", "snap", "--reference"])).toBe(2);
    expect(printed.err).toContain(`"${name}" is not the id of a vector or a scenario`);
  });

  it("prints whether a vector with a warning in the report is fixed", async () => {
    const report = join(folder, "warned.json");
    const targetArgs = ["--module", writeModule("warned.mjs", "true")];
    await cli(["run", "ahcp", "--vectors", vectors, ...targetArgs, "--quiet", "--report", `json=${report}`]);
    printed.out = "";
    expect(await cli(["replay", `${messagePath}/invalid/title`, "--from", report, ...targetArgs])).toBe(0);
    expect(printed.out).toMatch(/^WARNS {2}[\s\S]*\n {2}before {4}warns in .*warned\.json\n$/);
    printed.out = "";
    writeModule("warned.mjs", 'typeof value === "object"');
    expect(await cli(["replay", `${messagePath}/invalid/title`, "--from", report, ...targetArgs])).toBe(0);
    expect(printed.out).toMatch(/^FIXED {2}[\s\S]*\n {2}before {4}warns in .*warned\.json\n$/);
  });

  it.each([
    ["a path of several vectors", [`${messagePath}/invalid`], /names 4 vectors/],
    ["an invalid id", [`${messagePath}/invalid/numbr`], /did you mean "ahcp\/0\.3\/message\/invalid\/number"/],
    [
      "a missing report",
      [`${messagePath}/valid/sample`, "--from", "nowhere.json"],
      /nowhere\.json: the report file does not exist/,
    ],
  ])("exits with 2 for %s", async (_, [id = "", ...options], message) => {
    expect(await replay(id, "--module", writeModule("all.mjs", "true"), ...options)).toBe(2);
    expect(printed.err).toMatch(message);
  });
});

describe("replay --from", () => {
  const report = join(folder, "called.json");
  const id = `${messagePath}/invalid/number`;
  // biome-ignore lint/suspicious/noExplicitAny: the test makes invalid reports on purpose
  const changeReport = (change: (report: any) => void): void => {
    const value = JSON.parse(readFileSync(report, "utf8"));
    change(value);
    writeFileSync(report, JSON.stringify(value));
  };
  const writeReport = (): Promise<number> =>
    cli([
      "run",
      "ahcp",
      "--vectors",
      vectors,
      "--module",
      writeModule("all.mjs", "true"),
      "--report",
      `json=${report}`,
    ]);
  const replayFromReport = (...args: string[]): Promise<number> => cli(["replay", id, "--from", report, ...args]);

  it("reads the options of the report, not its command", async () => {
    await writeReport();
    changeReport((value) => {
      expect(value.options).toMatchObject({ verb: "run", protocol: "ahcp", target: { kind: "module" }, vectors });
      value.command = "what nobody can read";
    });
    expect(await replayFromReport("--module", join(folder, "all.mjs"))).toBe(1);
  });

  it("does not run a module, program or configuration that only the report names", async () => {
    await writeReport();
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toMatch(/names a module, which is not run unless you name it too[\s\S]*--module .*all\.mjs/);
    const markFile = join(folder, "was-run");
    for (const target of [
      { kind: "command", command: `touch ${markFile}` },
      { kind: "mcp", server: `touch ${markFile}` },
    ]) {
      changeReport((value) => {
        value.options.target = target;
      });
      expect(await replayFromReport()).toBe(2);
      expect(printed.err).toContain("names a program, which is not run unless you name it too");
    }
    writeFileSync(
      join(folder, "their.config.mjs"),
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(markFile)}, "")`,
    );
    changeReport((value) => {
      value.options.config = join(folder, "their.config.mjs");
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain("names a configuration, which is not read unless you name it too");
    expect(existsSync(markFile)).toBe(false);
  });

  it("sends nothing from the environment to a host that only the report names", async () => {
    await writeReport();
    vi.stubEnv("X_KEY", "mine");
    changeReport((value) => {
      value.options.target = { kind: "http", url: "http://other.example", headers: ["X-Key"] };
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain(
      "names other.example, which gets no secrets from the environment unless you name it too",
    );
  });

  it("reads the command of a report without options", async () => {
    await writeReport();
    changeReport((value) => delete value.options);
    expect(await replayFromReport("--module", join(folder, "all.mjs"))).toBe(1);
    changeReport((value) => {
      value.command = "make test";
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain("the report does not contain the options of its run");
  });

  it("reads header values from the environment, unless --header gives them", async () => {
    await writeReport();
    changeReport((value) => {
      value.options.target = { kind: "http", url: "http://127.0.0.1:1", headers: ["X-Key"] };
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain("the environment variable X_KEY is not set");
    expect(await replayFromReport("--header", "x-key: mine")).toBe(3);
    vi.stubEnv("X_KEY", "mine");
    expect(await replayFromReport()).toBe(3);
  });

  it("rejects a report of touchstone challenge", async () => {
    await writeReport();
    changeReport((value) => {
      value.options.verb = "challenge";
    });
    expect(await replayFromReport()).toBe(2);
    expect(printed.err).toContain("the report is of touchstone challenge");
  });
});

it("suggests another command for a rule, and for a scenario that needs another target", async () => {
  expect(await cli(["replay", "AHCP-ENV-003", "--reference"])).toBe(2);
  expect(printed.err).toMatch(/is a rule[\s\S]*run ahcp --only AHCP-ENV-003/);
  expect(await cli(["replay", "cancel", "--reference"])).toBe(2);
  expect(printed.err).toMatch(/"cancel" is not the id[\s\S]*looks like ahcp\/0\.3\/message/);
  expect(await cli(["replay", "ahcp/0.3/scenarios/cancel-again", "--command", "x", "--no-config"])).toBe(2);
  expect(printed.err).toMatch(/only over HTTP[\s\S]*--http/);
  const hubScenario = "agent-conventions/1.0/scenarios/hub-waits";
  expect(await cli(["replay", hubScenario, "--command", "x", "--no-config"])).toBe(2);
  expect(printed.err).toContain(
    `touchstone -- play agent-conventions --side hub --only ${hubScenario} --command CMD plays it again`,
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

  it("describes a vector with its site, its change and its message", async () => {
    expect(await cli(["explain", "ahcp/0.3/message/invalid/title/too-long"])).toBe(0);
    expect(printed.out).toMatch(/site .*\/title\/maxLength: 200\n/);
    expect(printed.out).toMatch(/change +replace \/title by "a+…/);
    expect(printed.out).toContain('"ahcp_version": "0.3"');
    expect(printed.out).toContain("expected  refused");
  });

  it("describes a scenario, or one of its rules", async () => {
    const id = "ahcp/0.3/scenarios/idempotency-status";
    expect(await cli(["explain", id])).toBe(0);
    expect(printed.out).toMatch(/It shows [\s\S]*needs +resolve[\s\S]*AHCP-IDM-002 MUST/);
    expect(await cli(["explain", `${id}/AHCP-IDM-002`])).toBe(0);
    expect(await cli(["explain", `${id}/AHCP-IDM-999`])).toBe(2);
  });

  it("prints the play command for a scenario with an agent, which replay cannot repeat", async () => {
    const id = "ahcp/0.3/scenarios/agent-unsigned";
    expect(await cli(["explain", id])).toBe(0);
    expect(printed.out).toContain(`touchstone -- play ahcp --side agent --only ${id} --config agent.yaml`);
    expect(await cli(["replay", id, "--reference"])).toBe(2);
    expect(printed.err).toContain(`touchstone -- play ahcp --side agent --only ${id}`);
  });

  it("rejects an unknown name, and suggests a similar one", async () => {
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
