import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { type Config, exitCodes } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { webServerOf } from "./configured-server.ts";
import { reportOf } from "./projects.ts";

/** One project, and how its run ended. */
interface EndedProject {
  name: string;
  code: number;
  out: string;
  /** The first line on stderr. */
  stderrText: string;
}

/** The exit codes by severity, the most serious last. */
const bySeverity = [0, exitCodes.violations, exitCodes.target, exitCodes.usage, exitCodes.internal];

/** Runs every project of a configuration in a separate process, several of them in parallel. With `isInTurn`, they run one after another, because they may update one baseline. Prints a summary and the output of each project, and returns the most serious exit code. */
export async function runProjects(
  config: Config,
  file: string,
  {
    args,
    isInTurn,
    isQuiet,
    signal,
  }: { args: readonly string[]; isInTurn: boolean; isQuiet: boolean; signal: AbortSignal },
): Promise<number> {
  const names = Object.keys(config.projects ?? {});
  const server = await webServerOf(config, signal);
  const endedProjects: EndedProject[] = [];
  const waitingNames = [...names];
  const runNext = async (): Promise<void> => {
    for (let name = waitingNames.shift(); name !== undefined && !signal.aborted; name = waitingNames.shift()) {
      endedProjects.push(await runOne(name, argsForProject(args, file, name), signal));
    }
  };
  try {
    const parallelism = isInTurn ? 1 : Math.min(names.length, Math.max(2, availableParallelism()));
    await Promise.all(Array.from({ length: parallelism }, runNext));
  } finally {
    server?.close();
  }
  const projectsInOrder = names.flatMap(
    (name) => endedProjects.find((endedProject) => endedProject.name === name) ?? [],
  );
  process.stdout.write(formatSummary(projectsInOrder, names.length));
  for (const { name, code, out } of projectsInOrder)
    if (out.trim() !== "" && (!isQuiet || code !== 0))
      process.stdout.write(`\n== ${name} ==\n${out.endsWith("\n") ? out : `${out}\n`}`);
  if (projectsInOrder.length < names.length) return exitCodes.target;
  return projectsInOrder.reduce(
    (worstCode, { code }) => (bySeverity.indexOf(code) > bySeverity.indexOf(worstCode) ? code : worstCode),
    0,
  );
}

/** Changes the arguments of the command for one project: --config names the project, and its reports go to separate files. */
export function argsForProject(args: readonly string[], file: string, project: string): string[] {
  const projectArgs: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] as string;
    const [option = "", ...value] = argument.split("=");
    const isReport = option === "--report" && value.length > 0;
    if (argument === "--config") index += 1;
    else if (argument === "--report") {
      index += 1;
      projectArgs.push(argument, reportOf(args[index] ?? "", project));
    } else if (isReport) projectArgs.push(`--report=${reportOf(value.join("="), project)}`);
    else if (option !== "--config") projectArgs.push(argument);
  }
  return [...projectArgs, "--config", `${file}#${project}`];
}

function runOne(name: string, args: readonly string[], signal: AbortSignal): Promise<EndedProject> {
  const [node, program] = process.argv as [string, string];
  const child = spawn(node, [...process.execArgv, program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let firstErrorLine = "";
  const stop = (): void => void child.kill("SIGINT");
  signal.addEventListener("abort", stop);
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString("utf8").split("\n")) {
      if (line.trim() === "") continue;
      firstErrorLine ||= line;
      process.stderr.write(`${name}: ${escapeInvisible(line)}\n`);
    }
  });
  return new Promise((resolve) => {
    const finish = (code: number): void => {
      signal.removeEventListener("abort", stop);
      resolve({ name, code, out, stderrText: firstErrorLine });
    };
    child.once("error", ({ message }) => {
      out += message;
      finish(exitCodes.internal);
    });
    child.once("close", (code) => finish(code ?? exitCodes.target));
  });
}

function formatSummary(endedProjects: readonly EndedProject[], count: number): string {
  const passedCount = endedProjects.filter(({ code }) => code === 0).length;
  const unfinishedCount = count - endedProjects.length;
  const head = `${passedCount} of ${count} projects pass${unfinishedCount > 0 ? `, ${unfinishedCount} were not run` : ""}.`;
  const width = Math.max(0, ...endedProjects.map(({ name }) => name.length));
  const lines = endedProjects.map(({ name, code, out, stderrText }) => {
    const [firstLine = ""] = out.trimStart().split("\n");
    return `  ${name.padEnd(width)}  ${firstLine || escapeInvisible(stderrText) || `exit code ${code}`}`;
  });
  return `${[head, ...lines].join("\n")}\n`;
}
