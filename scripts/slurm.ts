import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { constants, hostname, tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { home } from "../schemas/index.ts";
import { bundled } from "./bundle.js";

/**
 * Shares a batch among eight tasks of a Slurm array on this machine, and requeues two of them while they work. Compares the index with the
 * index of a single process. Slurm (with two nodes) and munge run in a temporary folder, with separate keys, sockets and ports, and end with
 * the script. A requeued task waits two minutes, so the script takes about four. Needs Debian's `slurm-wlm` and `munge`, and root.
 */
const script = "array.sbatch";
const taskCount = 8;
const schemasPerTask = 2;

const servers: ChildProcess[] = [];

function start(folder: string, program: string, args: readonly string[]): void {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: environment(folder) });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text) => (output = `${output}${text}`.slice(-2000)));
  child.on("exit", (code, signal) => {
    if (signal === null && code !== 0) console.error(`${program} ended with ${code}: ${output}`);
  });
  servers.push(child);
}

function environment(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, SLURM_CONF: join(folder, "slurm.conf"), PATH: `/usr/sbin${delimiter}${process.env.PATH}` };
}

function runProgram(folder: string, program: string, args: readonly string[], cwd = folder): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: environment(folder),
  });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

async function waitUntil(condition: string, seconds: number, isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePorts(count: number): Promise<number[]> {
  const listeners = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = listeners.map((server) => (server.address() as { port: number }).port);
  await Promise.all(listeners.map((server) => once(server.close(), "close")));
  return ports;
}

/** Starts munge, the controller and two nodes, and waits until the nodes are idle. */
async function startSlurm(folder: string): Promise<void> {
  const key = join(folder, "munge.key");
  writeFileSync(key, randomBytes(128), { mode: 0o600 });
  for (const name of ["state", "spool-n1", "spool-n2"]) mkdirSync(join(folder, name), { mode: 0o755 });
  const [controller = 0, firstPort = 0, secondPort = 0] = await freePorts(3);
  const socket = join(folder, "munge.socket");
  start(folder, "munged", [
    "--foreground",
    "--force",
    `--key-file=${key}`,
    `--socket=${socket}`,
    `--pid-file=${join(folder, "munged.pid")}`,
    `--seed-file=${join(folder, "munged.seed")}`,
    `--log-file=${join(folder, "munged.log")}`,
  ]);
  await waitUntil("a socket of munge", 10, () => existsSync(socket));
  const node = (name: string, port: number): string =>
    `NodeName=${name} NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${port} CPUs=1 State=UNKNOWN`;
  writeFileSync(
    join(folder, "slurm.conf"),
    `${[
      "ClusterName=touchstone",
      `SlurmctldHost=${hostname()}(127.0.0.1)`,
      `SlurmUser=${userInfo().username}`,
      `SlurmctldPort=${controller}`,
      "AuthType=auth/munge",
      `AuthInfo=socket=${socket}`,
      "CryptoType=crypto/munge",
      "ProctrackType=proctrack/linuxproc",
      "TaskPlugin=task/none",
      "SwitchType=switch/none",
      "MpiDefault=none",
      "SelectType=select/cons_tres",
      "JobRequeue=1",
      "ReturnToService=2",
      `StateSaveLocation=${join(folder, "state")}`,
      `SlurmdSpoolDir=${join(folder, "spool-%n")}`,
      `SlurmctldPidFile=${join(folder, "slurmctld.pid")}`,
      `SlurmdPidFile=${join(folder, "slurmd-%n.pid")}`,
      `SlurmctldLogFile=${join(folder, "slurmctld.log")}`,
      `SlurmdLogFile=${join(folder, "slurmd-%n.log")}`,
      node("n1", firstPort),
      node("n2", secondPort),
      "PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP",
    ].join("\n")}\n`,
  );
  start(folder, "slurmctld", ["-D", "-i"]);
  for (const name of ["n1", "n2"]) start(folder, "slurmd", ["-D", "-N", name]);
  await waitUntil("two idle nodes", 60, () => {
    const { stdout } = spawnSync("sinfo", ["--noheader", "--Node", "--format=%t"], {
      encoding: "utf8",
      env: environment(folder),
    });
    return stdout.split("\n").filter((state) => state === "idle").length === 2;
  });
}

/** Ends all tasks and servers, and removes their folder. */
async function endSlurm(folder: string): Promise<void> {
  const env = environment(folder);
  const isIdle = (): boolean =>
    spawnSync("squeue", ["--noheader"], { encoding: "utf8", env, timeout: 10_000 }).stdout.trim() === "";
  spawnSync("scancel", ["--quiet", "--partition=all"], { env, timeout: 10_000 });
  await waitUntil("the end of all tasks that were cancelled", 60, isIdle).catch(console.error);
  for (const child of servers.toReversed()) child.kill();
  await Promise.all(
    servers.map((child) => (child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined)),
  );
  rmSync(folder, { recursive: true, force: true });
}

/** Writes small schemas, and a script that calls touchstone like an installed package. Returns their folder. */
async function prepareWork(folder: string): Promise<string> {
  const work = join(folder, "work");
  mkdirSync(join(work, "schemas"), { recursive: true });
  mkdirSync(join(work, "node_modules", ".bin"), { recursive: true });
  for (let index = 0; index < taskCount * schemasPerTask; index += 1) {
    const sizeSchema = { type: "integer", minimum: index, maximum: index + 10 };
    const idSchema = { type: "string", minLength: 1 + (index % 5), pattern: "^[a-z]+$" };
    const schema = {
      type: "object",
      required: ["id"],
      properties: { id: idSchema, size: sizeSchema, of: { enum: [index, "none"] } },
    };
    writeFileSync(join(work, "schemas", `part-${String(index).padStart(2, "0")}.json`), JSON.stringify(schema));
  }
  const main = join(await bundled(), "suites", "cli", "main.js");
  const bin = join(work, "node_modules", ".bin", "touchstone");
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(bin, 0o755);
  writeFileSync(join(work, "package.json"), '{ "private": true }\n');
  copyFileSync(join(home, "scripts", "scale", script), join(work, script));
  return work;
}

const batch = ["batch", "--over", "schemas"];
const command = ["--", "generate", "--schema", "{}", "--out", "{out}/pack"];

/** Merges the results in a folder, and returns the text of the index. */
function mergedIndex(folder: string, work: string, out: string): string {
  runProgram(
    folder,
    join(work, "node_modules", ".bin", "touchstone"),
    [...batch, "--out", out, "--merge", ...command],
    work,
  );
  return readFileSync(join(work, out, "index.json"), "utf8");
}

/** Requeues two different tasks while they work. Returns their ids. */
async function requeueTwoTasks(folder: string, work: string, job: string): Promise<string[]> {
  const requeuedTasks: string[] = [];
  while (requeuedTasks.length < 2) {
    const runningTasks = runProgram(folder, "squeue", [
      "--noheader",
      "--array",
      `--job=${job}`,
      "--states=RUNNING",
      "--format=%i",
    ])
      .split("\n")
      .filter((task) => task !== "" && !requeuedTasks.includes(task));
    const unfinished = join(work, "results", ".unfinished");
    const [task] = existsSync(unfinished) && readdirSync(unfinished).length > 0 ? runningTasks : [];
    if (task !== undefined) {
      runProgram(folder, "scontrol", ["requeue", task]);
      requeuedTasks.push(task);
      console.log(`${task} was stopped while it worked, and queued again`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return requeuedTasks;
}

async function main(folder: string): Promise<number> {
  await startSlurm(folder);
  const work = await prepareWork(folder);
  const job = /\d+/.exec(runProgram(folder, "sbatch", [script], work))?.[0] ?? "";
  console.log(`an array of ${taskCount} tasks over ${taskCount * schemasPerTask} schemas, on two nodes: job ${job}`);
  const requeuedTasks = await requeueTwoTasks(folder, work, job);
  const isOver = (): boolean =>
    runProgram(folder, "squeue", ["--noheader", `--job=${job}`, "--format=%i"]).trim() === "";
  await waitUntil("the end of all tasks", 1800, isOver);
  const restarts = requeuedTasks.map(
    (task) => /Restarts=(\d+)/.exec(runProgram(folder, "scontrol", ["show", "job", task]))?.[1],
  );
  console.log(`all tasks have ended; Slurm counts for those two: ${restarts.join(" and ")} restarts`);
  const arrayIndex = mergedIndex(folder, work, "results");
  const singleRun = spawnSync(
    join(work, "node_modules", ".bin", "touchstone"),
    [...batch, "--out", "alone", ...command],
    {
      cwd: work,
    },
  );
  if (singleRun.status !== 0) throw new Error(`one process alone ended with ${singleRun.status}: ${singleRun.stderr}`);
  const isSame = arrayIndex === mergedIndex(folder, work, "alone");
  const { done, planned } = JSON.parse(arrayIndex) as { done: number; planned: number };
  console.log(
    `${done} of ${planned} are done; the index is ${isSame ? "that of one process, byte for byte" : "NOT that of one process"}`,
  );
  return isSame && done === planned && restarts.every((count) => count === "1") ? 0 : 1;
}

const missingPrograms = ["munged", "slurmctld", "slurmd", "sbatch"].filter(
  (name) => !["/usr/sbin", ...(process.env.PATH ?? "").split(delimiter)].some((path) => existsSync(join(path, name))),
);
if (missingPrograms.length > 0 || process.getuid?.() !== 0) {
  console.error(
    missingPrograms.length > 0
      ? `${missingPrograms.join(", ")}: not found\n  apt-get install slurm-wlm munge`
      : "expected to be run as root",
  );
  process.exitCode = 2;
} else {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-slurm-"));
  chmodSync(folder, 0o755);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals)
    process.once(signal, () => void endSlurm(folder).then(() => process.exit(128 + constants.signals[signal])));
  try {
    process.exitCode = await main(folder);
  } finally {
    await endSlurm(folder);
  }
}
