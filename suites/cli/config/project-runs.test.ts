import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";
import { builtPathOf } from "../../base/process/built.fixture.ts";
import { argsForProject } from "./project-runs.ts";
import { readConfig } from "./read.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
cpSync(join(home, "suites", "packs", "pack", "example"), join(folder, "pack"), { recursive: true });
writeFileSync(join(folder, "all.mjs"), "export const claims = [];\nexport default () => true;\n");
const file = join(folder, "several.json");
const writeConfigFile = (config: unknown): void => writeFileSync(file, JSON.stringify(config));
const target = (name: string) => ({ kind: "module", file: name });

it("merges a project with the common members of the configuration", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the configuration
  const headers = { Authorization: "Bearer ${OF_B}" };
  const sharedSettings = {
    protocol: "ahcp",
    failOn: "should",
    report: ["terminal", "junit=out/j.xml", "json={project}.json"],
  };
  const projectB = { target: { kind: "http", url: "http://127.0.0.1:1", headers }, failOn: "may", baseline: "b.json" };
  writeConfigFile({
    ...sharedSettings,
    baseline: "{project}-known.json",
    projects: { a: { target: target("a.mjs") }, b: projectB },
  });
  const read = (name: string) => readConfig(`${file}#${name}`, { OF_B: "b" });
  const reportsOf = (name: string) => ["terminal", `junit=${join("out", `j-${name}.xml`)}`, `json=${name}.json`];
  const { report: _, ...expectedSettings } = sharedSettings;
  expect(await read("a")).toEqual({
    ...expectedSettings,
    report: reportsOf("a"),
    baseline: "a-known.json",
    target: target("a.mjs"),
  });
  const expectedB = { ...projectB, target: { ...projectB.target, headers: { Authorization: "Bearer b" } } };
  expect(await read("b")).toEqual({ ...expectedSettings, report: reportsOf("b"), ...expectedB });
  await expect(read("c")).rejects.toMatchObject({
    what: 'unknown project "c"',
    hint: 'did you mean "a"? there are: a, b',
  });
});

it("reports where a project has a fault", async () => {
  writeConfigFile({ protocol: 5, projects: { a: { target: { kind: "modul", file: "a.mjs" }, protocol: "ahcp" } } });
  const location = expect.stringContaining("(#/projects/a/target/kind)");
  await expect(readConfig(`${file}#a`, {})).rejects.toMatchObject({ what: 'it is "modul"', where: location });
});

it("runs each project with the arguments of the command, and with its own reports", () => {
  const args = ["run", "--config", "c.yaml", "--quiet", "--report", "json=r.json", "--report=tap", "--report=jsonl=x"];
  const projectArgs = ["run", "--quiet", "--report", "json=r-hub.json", "--report=tap", "--report=jsonl=x-hub"];
  expect(argsForProject(args, "c.yaml", "hub")).toEqual([...projectArgs, "--config", "c.yaml#hub"]);
  expect(argsForProject(["run", "--config=c.yaml"], "c.yaml", "hub")).toEqual(["run", "--config", "c.yaml#hub"]);
});

it("runs all projects in parallel, prints a summary, and exits with the most serious code", {
  timeout: 120_000,
}, () => {
  const passingProject = { protocol: "./pack", target: target("all.mjs"), only: ["order/1/receipt/valid/minimal"] };
  const failingProject = { ...passingProject, only: ["order/1/receipt/invalid/paid/below-minimum"] };
  const run = (...projects: Record<string, unknown>[]) => {
    writeConfigFile({ report: ["json=r.json"], projects: Object.assign({}, ...projects) });
    const words = [builtPathOf("suites/cli/main.ts"), "run", "--config", file, "--quiet", "--report", "terminal"];
    return spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  };
  const { stdout, status } = run({ right: passingProject }, { wrong: failingProject });
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^1 of 2 projects pass\.\n {2}right {2}Conforms .*\n {2}wrong {2}Does not conform: .*\n\n== wrong ==\nDoes not/,
  );
  expect(stdout).not.toContain("== right ==");
  const brokenRun = run(
    { right: passingProject },
    { wrong: failingProject },
    { odd: { ...passingProject, target: target("none.mjs"), protocol: "./none" } },
  );
  expect(brokenRun.status).toBe(2);
  expect(brokenRun.stdout).toMatch(
    /^1 of 3 projects pass\.\n(.*\n){2} {2}odd {4}touchstone: \.\/none: there is no such pack/,
  );
  expect(brokenRun.stderr).toContain("odd: touchstone: ./none: there is no such pack");
  expect(existsSync(join(folder, "r.json"))).toBe(false);
});
