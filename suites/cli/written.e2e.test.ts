import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../base/process/built.fixture.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "written-"));
  writeFileSync(join(folder, "right.mjs"), "export default () => true;");
});
afterAll(() => rmSync(folder, { recursive: true }));

function startProgram(args: readonly string[], stdout: number | "ignore"): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd: folder,
    stdio: ["ignore", stdout, "pipe"],
  });
}

async function run(args: readonly string[], output?: string): Promise<{ code: number; stderr: string }> {
  const outputDescriptor = output === undefined ? undefined : openSync(output, "w");
  const child = startProgram(
    ["run", "ahcp", "--no-config", "--only", "ahcp/0.3/message/valid/title/**", ...args],
    outputDescriptor ?? "ignore",
  );
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const [code] = (await once(child, "close")) as [number];
  if (outputDescriptor !== undefined) closeSync(outputDescriptor);
  return { code, stderr };
}

const correctTarget = ["--module", "right.mjs"];

describe("a report", () => {
  it("on a full disk makes the exit code 2, unless the run has violations", async () => {
    expect(await run([...correctTarget, "--report", "json"], "/dev/full")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("standard output: the output could not be written completely: ENOSPC"),
    });
    const wrongTarget = ["--reference", "--variant", "reject-all"];
    expect((await run([...wrongTarget, "--report", "json"], "/dev/full")).code).toBe(1);
    const twoReports = ["jsonl=/dev/full", "junit=whole.xml"].flatMap((report) => ["--report", report]);
    const result = await run([...wrongTarget, ...twoReports]);
    expect(result.code).toBe(1);
    expect(result.stderr.match(/\/dev\/full: the report cannot be written: ENOSPC/g)).toHaveLength(1);
    expect(readFileSync(join(folder, "whole.xml"), "utf8")).toContain("</testsuites>");
    expect((await run([...correctTarget, "--report", "json=/dev/full"])).code).toBe(2);
  });

  it("is mentioned in the terminal report only if it was written", async () => {
    const outputFile = join(folder, "shown.txt");
    const brokenArgs = ["--reference", "--variant", "reject-all", "--report", "terminal"];
    const terminalReport = async (page: string): Promise<string> => {
      expect((await run([...brokenArgs, "--report", `html=${page}`], outputFile)).code).toBe(1);
      return readFileSync(outputFile, "utf8");
    };
    expect(await terminalReport("page.html")).toMatch(/: page\.html, or /);
    expect(await terminalReport("/dev/full")).not.toContain("full,");
  });

  it("replaces a symbolic link, and leaves its target unchanged", async () => {
    writeFileSync(join(folder, "precious"), "do not touch");
    for (const name of ["a.json", "b.jsonl"]) symlinkSync("precious", join(folder, name));
    expect((await run([...correctTarget, "--report", "json=a.json", "--report", "jsonl=b.jsonl"])).code).toBe(0);
    expect(readFileSync(join(folder, "precious"), "utf8")).toBe("do not touch");
    for (const name of ["a.json", "b.jsonl"]) expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(false);
    expect(JSON.parse(readFileSync(join(folder, "a.json"), "utf8")).counts.conforms).toBeGreaterThan(0);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("is complete if two runs write the same file: the second one writes to another file and reports its name", async () => {
    const slowModule = `export default async () => (await new Promise((done) => setTimeout(done, 1500)), true);`;
    writeFileSync(join(folder, "slow.mjs"), slowModule);
    const writeTwice = async (name: string): Promise<string[]> => {
      const sharedArgs = ["--module", "slow.mjs", "--report", `${extname(name).slice(1)}=${name}`];
      const [firstRun, secondRun] = await Promise.all([run(sharedArgs), run(sharedArgs)]);
      expect([firstRun.code, secondRun.code].sort()).toEqual([0, 2]);
      const secondName = name.replace(".", ".2.");
      expect(firstRun.stderr + secondRun.stderr).toContain(
        `another process has written this file since the run began; that of this run is ${secondName}: `,
      );
      return [name, secondName].map((file) => readFileSync(join(folder, file), "utf8"));
    };
    for (const text of await writeTwice("shared.json")) expect(JSON.parse(text).complete).toBe(true);
    const [first, second] = (await writeTwice("shared.jsonl")).map((text) => text.trimEnd().split("\n").length);
    expect(second).toBe(first);
  });
});
