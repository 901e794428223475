import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { example, home, jsonObjectOf, protocolNamed } from "../../schemas/index.ts";
import { loadVectors } from "../../suites/index.ts";
import type { Attack, AttackAnswers } from "./attack.ts";
import { secrets } from "./attacks.ts";

/** The result of an attack. `complaints` has a sentence for each fault, and is empty if the run survived. */
export interface AttackResult {
  complaints: string[];
  seconds: number;
  /** The peak memory of the attacked process in bytes. */
  memory: number;
}

/** The sleeping time of a program that an attack starts. It identifies the program, and is replaced by a unique value in each play. */
const sleepMark = "4321";
// Numbers the plays of this process, so that their sleeping times differ.
let playCount = 0;

const { protocol } = example;

/** Options for a few vectors of the first document, because a target treats all alike. */
function vectorOptions(vectors: Attack["vectors"]): string[] {
  if (vectors === "all") return [];
  const [firstFile] = loadVectors(protocolNamed(protocol)).files;
  const ids = firstFile?.tests.slice(0, vectors === "one" ? 1 : 6).map(({ id }) => id) ?? [];
  return ids.flatMap((id) => ["--only", id]);
}

/** Plays an attack against the command line, in a new folder. */
export async function play(attack: Attack): Promise<AttackResult> {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  playCount += 1;
  const mark = `${sleepMark}.${process.pid}${playCount}`;
  const server = "server" in attack.by ? await startServer(attack.by.server) : undefined;
  try {
    const report = join(folder, "report.json");
    const attackOptions = attack.options ?? [];
    const timeout = attackOptions.includes("--timeout") ? [] : ["--timeout", "1500"];
    const args = [
      "run",
      protocol,
      "--no-config",
      ...targetOf(attack, folder, server, mark),
      ...vectorOptions(attack.vectors),
      ...timeout,
      ...attackOptions,
    ];
    const endedProgram = await run(attack, [...args, "--report", `json=${report}`], folder, mark);
    return {
      complaints: complaintsOf(attack, endedProgram, report),
      seconds: endedProgram.seconds,
      memory: endedProgram.memory,
    };
  } finally {
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true });
  }
}

/** A file that a module writes when it begins to work. */
const workingFile = "working";

function announceWork(file: string): string {
  return `import { writeFileSync as write } from "node:fs"; const working = () => write(${JSON.stringify(file)}, "");\n`;
}

async function startServer(answers: AttackAnswers): Promise<Server> {
  let turn = 0;
  const server = createServer((request, response) => {
    response.on("error", () => {});
    request.resume().on("end", () => answers(request, response, ++turn));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

function targetOf({ by }: Attack, folder: string, server: Server | undefined, mark: string): string[] {
  if ("reference" in by) return ["--reference", "--variant", by.reference];
  if ("command" in by) return ["--command", by.command.replaceAll(sleepMark, mark)];
  if ("module" in by) {
    writeFileSync(
      join(folder, "target.mjs"),
      `${announceWork(join(folder, workingFile))}${by.module.replaceAll(sleepMark, mark)}`,
    );
    return ["--module", join(folder, "target.mjs")];
  }
  const [token, password, query] = secrets;
  const { port } = (server as Server).address() as AddressInfo;
  const url = `http://me:${encodeURIComponent(password)}@127.0.0.1:${port}/?access_token=${query}`;
  return ["--http", url, "--header", `Authorization: Bearer ${token}`];
}

interface EndedProgram {
  code: number | undefined;
  printed: string;
  seconds: number;
  memory: number;
  /** The number of programs started by the attack that still run. */
  leftoverCount: number;
}

/** Node's arguments for starting Touchstone: the build made by tests, or the source. */
function program(): string[] {
  const { TOUCHSTONE_BUILT: built } = process.env;
  if (built !== undefined) return [join(built, "suites", "cli", "main.js")];
  return ["--import", import.meta.resolve("tsx"), join(home, "suites", "cli", "main.ts")];
}

async function run(
  { signal, output }: Attack,
  args: readonly string[],
  cwd: string,
  mark: string,
): Promise<EndedProgram> {
  const startedAt = performance.now();
  const outputFile = output === undefined ? undefined : openSync(output, "w");
  const child = spawn(process.execPath, [...program(), ...args], {
    cwd,
    stdio: ["ignore", outputFile ?? "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
    });
  let memory = 0;
  let isSent = false;
  const watcher = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid as number));
    if (signal === undefined || isSent || !existsSync(join(cwd, workingFile))) return;
    isSent = true;
    child.kill(signal);
  }, 50);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(watcher);
  if (outputFile !== undefined) closeSync(outputFile);
  return {
    code: code ?? undefined,
    printed,
    seconds: (performance.now() - startedAt) / 1000,
    memory,
    leftoverCount: await countLeftovers(mark),
  };
}

/** The peak memory of a process so far; 0 if the system does not report it. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Counts the programs of an attack that still run a moment later. */
async function countLeftovers(mark: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  const child = spawn("sh", ["-c", `ps -eo args | grep -c "^sleep ${mark}$"`], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  await once(child, "close");
  return Number(text);
}

function complaintsOf(
  { expected }: Attack,
  { code, printed, memory, leftoverCount }: EndedProgram,
  file: string,
): string[] {
  const complaints: string[] = [];
  if (!expected.codes.includes(code)) complaints.push(`it ended with ${code}: ${printed.slice(-600)}`);
  if (leftoverCount > 0) complaints.push(`${leftoverCount} of the programs that it started still run`);
  if (memory > (expected.memory ?? Number.POSITIVE_INFINITY))
    complaints.push(`it used ${Math.round(memory / 2 ** 20)} MiB of memory`);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  for (const [source, content] of [
    ["the output", printed],
    ["the report", text],
  ] as const) {
    for (const secret of secrets) if (containsSecret(secret, content)) complaints.push(`${source} contains a secret`);
    if (/##\w*\[|[\u0080-\u009f\u202a-\u202e\u2066-\u2069\u200b]/.test(content))
      complaints.push(`${source} contains a command for a log or a terminal`);
  }
  if (expected.hasNoReport === true) return complaints;
  const report = jsonObjectOf(text);
  if (report === undefined) return [...complaints, "there is no report"];
  const outcomes = new Set(
    (report.runs as { results: { outcome: string }[] }[]).flatMap(({ results }) =>
      results.map((result) => result.outcome),
    ),
  );
  for (const outcome of expected.outcomes ?? [])
    if (!outcomes.has(outcome)) complaints.push(`no vector is ${outcome}, only ${[...outcomes].join(", ")}`);
  return complaints;
}

/** Whether a text contains a secret, unchanged or in a form that attacks use. */
function containsSecret(secret: string, text: string): boolean {
  const lower = text.toLowerCase();
  const units = Array.from(secret, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("hex"),
    units,
    JSON.stringify(secret).slice(1, -1),
  ];
  const runs = text.match(/[\w+/-]{16,}/g) ?? [];
  return (
    forms.some((form) => lower.includes(form.toLowerCase())) ||
    runs.some((encodedRun) =>
      [0, 1, 2, 3].some((from) => Buffer.from(encodedRun.slice(from), "base64").includes(secret)),
    )
  );
}
