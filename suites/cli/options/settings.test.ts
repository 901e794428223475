import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { faultsIn, type JsonObject, protocolNamed, readYaml, type TargetConfig } from "../../../schemas/index.ts";
import { commandLine } from "../../results/command-line.ts";
import { mustBeOptions } from "../../running/scenarios/index.ts";
import { captureOutput } from "../captured.fixture.ts";
import { cli } from "../cli.ts";
import { writeConfiguration } from "../config/config-file.ts";
import { settingsFrom } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const startFolder = process.cwd();
const files: string[] = [];
const printed = captureOutput();

beforeEach(() => {
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(startFolder);
  vi.unstubAllEnvs();
  for (const createFile of files.splice(0)) rmSync(createFile, { force: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  files.push(path);
  writeFileSync(path, text);
  return path;
}

const httpTarget = { kind: "http", url: "http://127.0.0.1:1", headers: { A: "1" } } as const;

it.each(["", "# protocol: ahcp\n", "null"])("rejects an empty configuration: %j", async (text) => {
  const config = file("empty.yaml", text);
  await expect(settingsFrom(undefined, { config })).rejects.toThrow(`${config}: the configuration file is empty`);
});

it("reports every fault of a configuration, and quotes no secret", async () => {
  const config = file(
    "bad.yaml",
    "protocol: ahcp\ntarget: { kind: modul, file: x.mjs }\nreprot: [terminal]\ncredentials: { a: { agent: bot, token: 31415 } }\n",
  );
  const message = await settingsFrom(undefined, { config }).catch((error: Error) => error.message);
  expect(message).toMatch(
    /bad\.yaml:2:17 \(#\/target\/kind\): it is "modul"\n {2}write "module"\n {2}also: #\/reprot: there is no member "reprot"; #\/credentials\/a\/token: the value is not valid here \(not shown: it may be a secret\)$/,
  );
  expect(message).not.toContain("31415");
});

describe("the claims of a target", () => {
  it("come from the command line, or else from the configuration", async () => {
    const config = file(
      "claims.json",
      JSON.stringify({ protocol: "snap", target: { ...httpTarget, claims: ["raw-text"] } }),
    );
    expect((await settingsFrom(undefined, { config })).target).toMatchObject({ claims: ["raw-text"] });
    expect((await settingsFrom(undefined, { config, claims: [] })).target).toEqual({ ...httpTarget, claims: [] });
    expect((await settingsFrom("snap", { config: false, command: "x", claims: ["semantic"] })).target).toEqual({
      kind: "command",
      command: "x",
      claims: ["semantic"],
    });
  });

  it("skip vectors that need other capabilities, and are part of the replay command", async () => {
    const only = ["--only", "snap/0.1/envelope/semantic/SNAP-ENV-005", "--no-config", "--report", "terminal"];
    expect(await cli(["run", "snap", "--reference", "--claims", "none", ...only])).toBe(2);
    expect(printed.err).toContain("--claims needs an implementation of yours");
    expect(await cli(["run", "snap", "--http", "http://127.0.0.1:1", "--claims", "semantics", ...only])).toBe(2);
    expect(printed.err).toMatch(/no capability "semantics".*semantic/);
    expect(commandLine({ protocol: "snap", target: { ...httpTarget, claims: [] } })).toContain(" --claims none");
    expect(commandLine({ protocol: "snap", target: { ...httpTarget, claims: ["lint"] } })).toContain(" --claims lint");
    printed.out = "";
    const code = await cli([
      "run",
      "snap",
      "--module",
      file("all.mjs", "export default () => true"),
      "--claims",
      "none",
      ...only,
    ]);
    expect([code, printed.out]).toEqual([3, expect.stringContaining("need a target that claims semantic: ")]);
  });
});

describe("settingsFrom", () => {
  it("reads options from the configuration if the command line does not have them", async () => {
    const config = {
      protocol: "snap",
      target: httpTarget,
      only: ["a"],
      skip: ["b"],
      timeout: 7,
      failOn: "may",
      baseline: "k.json",
    };
    const path = file("other.json", JSON.stringify(config));
    expect(await settingsFrom(undefined, { config: path })).toMatchObject({ ...config, scenarios: false, file: path });
    const options = { config: path, only: ["c"], timeout: 9, failOn: "must", header: [["B", "2"]] } as const;
    const settings = await settingsFrom("ahcp", { ...options, only: ["c"], header: [["B", "2"]] });
    expect(settings).toMatchObject({ protocol: "ahcp", only: ["c"], skip: ["b"], timeout: 9, failOn: "must" });
    expect(settings.target).toEqual({ ...httpTarget, headers: { A: "1", B: "2" } });
    expect((await settingsFrom("ahcp", { config: path, module: "x.mjs" })).target).toEqual({
      kind: "module",
      file: "x.mjs",
    });
  });

  it("plays configured scenarios only against targets that can play them", async () => {
    const path = file("other.json", JSON.stringify({ target: httpTarget, scenarios: true }));
    expect((await settingsFrom("ahcp", { config: path })).scenarios).toBe(true);
    expect((await settingsFrom("ahcp", { config: path, reference: true })).scenarios).toBe(true);
    expect((await settingsFrom("ahcp", { config: path, module: "x.mjs" })).scenarios).toBe(false);
  });

  it("fills in environment variables, and reports unset ones", async () => {
    const headers = { Authorization: `Bearer \${GATE_TEST_TOKEN}`, Plain: "$X" };
    const path = file("env.json", JSON.stringify({ target: { ...httpTarget, headers }, only: [`\${NOT}`] }));
    vi.stubEnv("GATE_TEST_TOKEN", "hush");
    const { target, only } = await settingsFrom("ahcp", { config: path });
    expect(target).toMatchObject({ headers: { Authorization: "Bearer hush", Plain: "$X" } });
    expect(only).toEqual([`\${NOT}`]);
    const portConfig = file(
      "port.json",
      JSON.stringify({ target: { kind: "http", url: `http://127.0.0.1:\${GATE_TEST_PORT}/v` } }),
    );
    vi.stubEnv("GATE_TEST_PORT", "8123");
    expect((await settingsFrom("ahcp", { config: portConfig })).target).toMatchObject({
      url: "http://127.0.0.1:8123/v",
    });
    const optionsConfig = file(
      "optional.json",
      JSON.stringify({ options: { socket: `ws://[::1]:\${GATE_TEST_PORT}/ws` } }),
    );
    expect((await settingsFrom("ahcp", { config: optionsConfig, reference: true })).config.options).toEqual({
      socket: "ws://[::1]:8123/ws",
    });
    const hubConfig = file("whole.json", JSON.stringify({ target: { kind: "http", url: `\${GATE_TEST_HUB}` } }));
    vi.stubEnv("GATE_TEST_HUB", "http://hub.example");
    expect((await settingsFrom("ahcp", { config: hubConfig })).target).toMatchObject({ url: "http://hub.example" });
    vi.stubEnv("GATE_TEST_HUB", "hub.example");
    await expect(settingsFrom("ahcp", { config: hubConfig })).rejects.toThrow(
      /target\/url\): the value does not match .*\(not shown: it may be a secret\)/,
    );
    vi.stubEnv("GATE_TEST_TOKEN", undefined);
    await expect(settingsFrom("ahcp", { config: path })).rejects.toThrow(
      /env\.json:1:\d+ \(#\/target\/headers\/Authorization\): the environment variable GATE_TEST_TOKEN/,
    );
    const headerOptions: [string, string][] = [["Authorization", "mine"]];
    expect((await settingsFrom("ahcp", { config: path, header: headerOptions })).target).toMatchObject({
      headers: { Authorization: "mine" },
    });
    const otherTarget = { config: path, http: "http://127.0.0.1:2" };
    expect((await settingsFrom("ahcp", otherTarget)).target).toEqual({ kind: "http", url: otherTarget.http });
  });

  it("reads a module, whose hooks may be functions", async () => {
    const path = file(
      "touchstone.config.mjs",
      'export default { protocol: "ahcp", target: { kind: "reference" }, hooks: { resolve: () => ({}) } };',
    );
    const { config } = await settingsFrom(undefined, { config: path });
    expect(config.hooks?.resolve).toBeTypeOf("function");
    const badConfig = file("bad.mjs", "export default { hooks: { Resolve: () => ({}) } };");
    await expect(settingsFrom("ahcp", { config: badConfig, reference: true })).rejects.toThrow(/#\/hooks\/Resolve/);
  });

  it.each([
    // As Node.js imports it. An import in the test itself would unwrap one more level.
    ["CommonJS compiled from TypeScript", "export default { __esModule: true, default: { timeout: 7 } };"],
    ["a promise", "export default Promise.resolve({ timeout: 7 });"],
  ])("reads a module that is %s", async (name, text) => {
    const path = file(`${name}.mjs`, text);
    expect(await settingsFrom("ahcp", { config: path, reference: true })).toMatchObject({ timeout: 7 });
  });

  it.each([
    ["a function", "fn", "export default () => ({});", /fn\.mjs: its default export is a function: export the object/],
    ["a broken promise", "no", 'export default Promise.reject(new Error("no luck"));', /no\.mjs: .*: no luck/],
  ])("rejects %s", async (_name, name, text, message) => {
    const reading = settingsFrom("ahcp", { config: file(`${name}.mjs`, text), reference: true });
    await expect(reading).rejects.toMatchObject({ kind: "usage" });
    await expect(reading).rejects.toThrow(message);
  });

  it("rejects a module that takes too long", async () => {
    const path = file("late.mjs", "export default new Promise(() => {});");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const reading = expect(settingsFrom("ahcp", { config: path, reference: true })).rejects;
      const rejection = reading.toThrow(/late\.mjs: .* did not settle within 30 s/);
      await vi.waitUntil(() => vi.getTimerCount() > 0);
      vi.advanceTimersByTime(30_000);
      await rejection;
    } finally {
      vi.useRealTimers();
    }
  });

  it("prints the output of a module on stderr, not into the report", async () => {
    const { write } = process.stdout;
    const noise = 'process.stdout.write("noise");';
    await settingsFrom("ahcp", { config: file("loud.mjs", `${noise} export default {};`), reference: true });
    const brokenConfig = file("broken.mjs", `${noise} throw new Error("no");`);
    await expect(settingsFrom("ahcp", { config: brokenConfig, reference: true })).rejects.toThrow(/broken\.mjs/);
    expect(printed).toEqual({ out: "", err: "noisenoise" });
    expect(process.stdout.write).toBe(write);
  });
});

describe("a configuration in the working directory", () => {
  it("is read, unless --no-config is given", async () => {
    file("touchstone.config.yaml", "protocol: ahcp\ntarget:\n  kind: reference\n");
    expect((await settingsFrom(undefined, {})).target).toEqual({ kind: "reference" });
    await expect(settingsFrom("ahcp", { config: false })).rejects.toThrow(/no implementation is named/);
    await expect(settingsFrom("nope", { config: false })).rejects.toThrow(/unknown protocol "nope"/);
    file("touchstone.config.json", "{}");
    await expect(settingsFrom(undefined, {})).rejects.toThrow(
      /2 configuration files were found, expected one: touchstone.config.json, touchstone.config.yaml/,
    );
  });

  it("is checked against its format, and a fault is reported with its line", async () => {
    file("touchstone.config.yaml", "protocol: ahcp\ntarget:\n  kind: http\n  ulr: http://x\n");
    expect(await cli(["run"])).toBe(2);
    expect(printed.err).toMatch(/touchstone\.config\.yaml:3:\d+ \(#\/target\): it has no "url"/);
    file("touchstone.config.yaml", "timeout: 0\n");
    expect(await cli(["run"])).toBe(2);
    expect(printed.err).toMatch(/touchstone\.config\.yaml:1:10 \(#\/timeout\): 0 is less than 1/);
  });

  it("is suggested by a run without arguments if there is none", async () => {
    expect(await cli(["run"])).toBe(2);
    expect(printed.err).toMatch(/`\S.*(touchstone --|main\.ts'?) init`/);
  });
});

describe("touchstone init", () => {
  const targets: TargetConfig[] = [
    { kind: "reference", variant: "utf16-length" },
    { kind: "module", file: "./it's: a # file.mjs" },
    { kind: "command", command: 'python3 "adapter.py"' },
    { ...httpTarget, endpoints: { message: "/m" } },
  ];

  it.each(targets)("writes a configuration that can be read: %j", async (target) => {
    const { value } = await readYaml(writeConfiguration("ahcp", target), "x");
    const headers = { A: `\${A}` };
    expect(value).toMatchObject({ protocol: "ahcp", target: target.kind === "http" ? { ...target, headers } : target });
    expect(faultsIn("config", value)).toEqual([]);
  });

  it("writes comments that are valid settings when they are uncommented", async () => {
    const aaep = protocolNamed("aaep");
    const { options = {} } = aaep.profile.sides?.producer ?? {};
    const hooks = { resolve: "Lets a resolver end a message: { id }.", clock: "Moves the clock." };
    const text = writeConfiguration(
      "ahcp",
      { kind: "http", url: "http://x" },
      { side: { says: "", hooks, options } },
    ).replace(/^( *)# (?=[a-zA-Z]+:( |$)| +[A-Za-z_]+: [[{"a-z0-9])/gm, "$1");
    const { value } = await readYaml(text, "x");
    expect(Object.keys(value as object)).toEqual(
      expect.arrayContaining(["only", "skip", "baseline", "timeout", "scenarios", "credentials", "options", "hooks"]),
    );
    expect(Object.keys((value as { hooks: object }).hooks)).toEqual(["resolve", "clock"]);
    const reportedOptions = (value as { options: JsonObject }).options;
    expect(Object.keys(reportedOptions)).toEqual(Object.keys(options));
    await expect(mustBeOptions([aaep], reportedOptions, async (path) => path)).resolves.toBeUndefined();
    expect(faultsIn("config", value)).toEqual([]);
  });
});

it("prints examples in the help of a command", async () => {
  for (const name of ["run", "init", "replay", "explain", "baseline", "check", "completions"]) {
    printed.out = "";
    expect(await cli([name, "--help"])).toBe(0);
    expect(printed.out, name).toContain(`Examples:`);
    expect(printed.out, name).toMatch(new RegExp(`(touchstone --|main\\.ts'?) ${name}`));
  }
});
