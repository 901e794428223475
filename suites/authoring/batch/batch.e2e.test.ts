import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { home } from "../../../schemas/index.ts";
import { program } from "../../base/process/built.fixture.ts";
import { runInOwnProcess } from "../../cli/process.fixture.ts";
import { validReport } from "../../results/sample.fixture.ts";
import type { BatchIndex } from "./merge.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const reports = join(folder, "reports");
const count = 8;

beforeAll(() => {
  mkdirSync(reports);
  for (let index = 0; index < count; index += 1)
    writeFileSync(join(reports, `r${index}.json`), JSON.stringify({ ...validReport(), durationMs: index }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const command = ["--", "report", "render", "{}", "--report", "junit={out}/{name}.xml"];
const batchArgs = (out: string, ...moreArgs: string[]): string[] => [
  "batch",
  "--over",
  reports,
  "--out",
  out,
  ...moreArgs,
  ...command,
];
const indexIn = (out: string): BatchIndex => JSON.parse(readFileSync(join(out, "index.json"), "utf8")) as BatchIndex;

function spawnWorker(out: string, shard: string): ChildProcess {
  return spawn(process.execPath, [program, ...batchArgs(out, "--shard", shard)], {
    cwd: home,
    stdio: "ignore",
  });
}

describe("a batch", { timeout: 600_000 }, () => {
  const aloneOut = join(folder, "alone");

  it("runs each item once, and skips finished items in a second run", async () => {
    const firstRun = await runInOwnProcess(...batchArgs(aloneOut, "--jobs", "2"));
    expect([firstRun.code, firstRun.out]).toEqual([0, expect.stringContaining(`${count} done in`)]);
    const secondRun = await runInOwnProcess(...batchArgs(aloneOut));
    expect([secondRun.code, secondRun.out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^0 done in .*, ${count} were done before`)),
    ]);
    const { code, out } = await runInOwnProcess(...batchArgs(aloneOut, "--merge"));
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`${count} of ${count} are done: ${count} with exit code 0`),
    ]);
    expect(indexIn(aloneOut).results.map(({ path }) => path)).toEqual(readdirSync(reports).sort());
  });

  it("writes the same index if several workers are killed and restarted", async () => {
    const sharedOut = join(folder, "shared");
    const shards = [1, 2, 3, 4].map((index) => `${index}/4`);
    const killedShards = await Promise.all(
      shards.map(async (shard) => {
        const child = spawnWorker(sharedOut, shard);
        const closed = once(child, "close");
        // Kill the worker when its first item is done, while it works on others.
        while (!existsSync(sharedOut) || readdirSync(sharedOut).every((name) => name === ".unfinished"))
          await new Promise((resolve) => setTimeout(resolve, 20));
        child.kill("SIGKILL");
        await closed;
        return shard;
      }),
    );
    const incompleteMerge = await runInOwnProcess(...batchArgs(sharedOut, "--merge"));
    expect(incompleteMerge.code).toBe(1);
    expect(incompleteMerge.out).toContain("missing: r");
    await Promise.all(killedShards.map((shard) => once(spawnWorker(sharedOut, shard), "close")));
    expect((await runInOwnProcess(...batchArgs(sharedOut, "--merge"))).code).toBe(0);
    expect(indexIn(sharedOut)).toEqual(indexIn(aloneOut));
  });

  it("makes packs that do not depend on the folder in which they were made", async () => {
    const schema = join(folder, "word.json");
    writeFileSync(schema, JSON.stringify({ type: "string", minLength: 1 }));
    const indexes = await Promise.all(
      ["here", "there"].map(async (name) => {
        const out = join(folder, name);
        const batchPrefix = ["batch", "--over", schema, "--out", out];
        const generateArgs = ["--", "generate", "--schema", "{}", "--out", "{out}/pack"];
        expect((await runInOwnProcess(...batchPrefix, ...generateArgs)).code).toBe(0);
        expect((await runInOwnProcess(...batchPrefix, "--merge", ...generateArgs)).code).toBe(0);
        return indexIn(out);
      }),
    );
    expect(indexes[0]).toEqual(indexes[1]);
  });

  it("records the exit code of a command, and rejects commands that cannot be run", async () => {
    const out = join(folder, "wrong");
    writeFileSync(join(folder, "broken.json"), "{");
    const brokenArgs = ["--over", join(folder, "broken.json"), "--out", out];
    await runInOwnProcess("batch", ...brokenArgs, ...command);
    const mergeRun = await runInOwnProcess("batch", ...brokenArgs, "--merge", ...command);
    expect(mergeRun.out).toContain("1 of 1 are done: 1 with exit code 2");
    expect(mergeRun.out).toMatch(/^ {2}exit code 2: \S+ \([0-9a-f]{24}\)$/m);
    const [result] = indexIn(out).results;
    expect(readFileSync(join(out, result?.key ?? "", "output.txt"), "utf8")).toContain("broken.json");
    for (const [commandArgs, message] of [
      [["--out", out, "--", "lint", "{}"], "no files or seeds are named"],
      [["--out", out, "--over", reports, "--", "lint"], "does not contain {}"],
      [["--out", out, "--over", reports, "--", "lint", "{}", "{seed}"], "has no value without --seeds"],
      [["--out", out, "--over", reports, "--", "batch", "{}"], "batch cannot run batch"],
      [["--out", join(folder, "none"), "--over", reports, "--merge", "--", "lint", "{}"], "the folder does not exist"],
    ] as const) {
      const { code, err } = await runInOwnProcess("batch", ...commandArgs);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe("scripts for clusters", () => {
  const readScript = (name: string): string => readFileSync(join(home, "scripts/scale", name), "utf8");

  it("give a Kubernetes job as many shards as it has completions", () => {
    const { spec } = parse(readScript("indexed-job.yaml")) as {
      spec: {
        completions: number;
        completionMode: string;
        template: { spec: { containers: [{ args: string[]; env: [{ name: string; value: string }] }] } };
      };
    };
    const [{ args: podArgs, env }] = spec.template.spec.containers;
    expect(spec.completionMode).toBe("Indexed");
    expect(env[0]).toEqual({ name: "JOB_COMPLETIONS", value: String(spec.completions) });
    expect(podArgs.slice(0, 7)).toEqual(["batch", "--over", "schemas", "--out", "results", "--shard", "auto"]);
  });

  it("run every shard once in a GitHub matrix", () => {
    const { jobs } = parse(readScript("matrix.yml")) as {
      jobs: { work: { strategy: { matrix: { shard: number[] } }; steps: { run?: string }[] } };
    };
    const { shard } = jobs.work.strategy.matrix;
    const [command] = jobs.work.steps.flatMap(({ run }) => (run?.includes("batch") ? [run] : []));
    expect(command).toContain(`--shard \${{ matrix.shard }}/${shard.length} `);
    expect(shard).toEqual(shard.map((_, index) => index + 1));
  });

  it("requeue Slurm tasks, which append to their output", () => {
    const lines = readScript("array.sbatch").split("\n");
    const options = lines.flatMap((line) => (line.startsWith("#SBATCH ") ? [line.slice("#SBATCH ".length)] : []));
    expect(options).toEqual(expect.arrayContaining(["--array=0-7", "--requeue", "--open-mode=append"]));
    expect(lines.at(-2)).toMatch(/ batch --over schemas --out results --shard auto -- generate /);
  });
});
