import { type ChildProcess, spawn } from "node:child_process";
import { totalmem } from "node:os";
import { exitCodes } from "../../../schemas/light-entry.ts";
import { StoppedError } from "../../base/process/stop-error.ts";
import {
  reducedTimeIn,
  stopMessage,
  usualOvertime,
  type WatchLimits,
  watchChild,
  writtenFolderIn,
} from "../../base/process/watchdog.ts";

/** The default memory limit in MiB: half of the machine's memory, at most 2048. */
const defaultMemory = Math.min(2048, Math.floor(totalmem() / 2 ** 20 / 2));

export const memoryHelp: string = `memory limit (default: ${defaultMemory} here)`;

/** A command to run in a separate process, and the limits of that process. */
export interface GuardedRun {
  /** The deadline, in seconds after the start of this process. */
  seconds: number;
  /** The memory limit in MiB. */
  memory?: number;
  /** The arguments of the command; by default those of this process. */
  args?: readonly string[];
  /** Whether the command has the option `--least`: minimal work, for a result even if the full work had to be stopped. */
  canReduce?: boolean;
  /** Whether to discard the standard output. */
  isSilent?: boolean;
  /** Milliseconds for ending with partial results after a signal; without it, a signal kills the process. */
  grace?: number;
  /** The exit code if the command was stopped after it had written partial results. */
  partialExitCode?: number;
  /** Bytes to read before there can be a result: reading many may take longer than the deadline. */
  bytes?: number;
  /** Receives the folder of the results after the process has ended for any reason, if it has written some. */
  settle?: (folder: string) => void;
}

/*
 * When a run ends, in parts of its deadline:
 *   82 %   full work that hangs, if reduced work can follow (but at most 15 seconds before the deadline)
 *   97 %   full work ends by itself, with its results so far
 *  103 %   other full work that hangs, and reduced work
 *  110 %   full work that does not hang, but continues
 */
const selfEnd = 0.97;
const hangingEnd = 1.03;
const latestEnd = 1.1;

function reducibleEnd(seconds: number): number {
  return 1 - Math.min(0.18, 15 / seconds);
}

/** The time to read, check and compile a megabyte of schemas on a slow machine. */
const msPerMegabyte = 5000;

/** The minimum time for reduced work; starting the process needs most of it. */
const minReducedMs = 4000;

/** The time after the deadline within which reduced work may still end. */
const reducedGraceMs = 1500;

/** Milliseconds until this part of the deadline, which is counted from the start of this process. */
function millisecondsUntil(part: number, seconds: number): number {
  return Math.max(100, part * seconds * 1000 - performance.now());
}

/**
 * Runs a command in a process that can be stopped at any time: a foreign schema can keep it busy for ever, and use all memory. If it is
 * stopped without results, the command runs again with reduced work, if it supports that. Returns the exit code. Throws `StoppedError` if a signal ends it.
 */
export async function runGuarded(run: GuardedRun): Promise<number> {
  const { ending, folder, canReduce } = await doFullWork(run);
  if (typeof ending === "number") return ending;
  const reason = describeEnding(ending, run);
  if (folder !== undefined && run.partialExitCode !== undefined) {
    process.stderr.write(
      `Incomplete: ${reason}. The results so far are written, and MANIFEST.json lists the missing parts; the same command continues from there.\n`,
    );
    return run.partialExitCode;
  }
  if (!canReduce) return reportFailure(ending, run);
  process.stderr.write(`${reason}: running again with minimal work\n`);
  const reducedEnding = await doReducedWork(run);
  return typeof reducedEnding === "number" ? reducedEnding : reportFailure(reducedEnding, run);
}

/** The exit code of a process, or the reason why it has none: the signal that ended it, or `over time`. */
type ProcessEnd = number | string;

/** The facts about full work while it runs. */
interface WorkState {
  /** Whether reduced work can follow. */
  canReduce: boolean;
  /** Whether the work is about to write its first results: if it is killed now, there are none. */
  isUnwritten: boolean;
  /** The milliseconds that reduced work would need; undefined until the full work has measured it. */
  reducedTime: number | undefined;
  /** Milliseconds until work that hangs is killed. */
  timeLeft: number;
}

/** Whether reduced work would end in time. */
export function fitsReduced({ reducedTime, timeLeft }: Pick<WorkState, "reducedTime" | "timeLeft">): boolean {
  return reducedTime !== undefined && reducedTime <= Math.max(0, timeLeft) + reducedGraceMs;
}

/** Whether to kill work that hangs. Before the deadline, this makes sense only if reduced work would end in time. */
export function isKillable({ canReduce, isUnwritten, ...state }: WorkState): boolean {
  if (isUnwritten) return false;
  return !canReduce || state.timeLeft <= 0 || fitsReduced(state);
}

/** Runs the full work. Returns the folder of the results as well, if any were written. */
async function doFullWork(
  run: GuardedRun,
): Promise<{ ending: ProcessEnd; folder?: string | undefined; canReduce: boolean }> {
  const { seconds, canReduce = false, grace, partialExitCode, bytes = 0, settle } = run;
  const isWriting = partialExitCode !== undefined;
  let folder: string | undefined;
  let reducedTime: number | undefined;
  const timeLeft = (): number => hangingEnd * seconds * 1000 - performance.now();
  const limits: WatchLimits = {
    hangingLimit: millisecondsUntil(canReduce ? reducibleEnd(seconds) : hangingEnd, seconds),
    totalLimit: millisecondsUntil(latestEnd, seconds),
    overtime: usualOvertime + (bytes / 1e6) * msPerMegabyte,
    isIdle: () =>
      isKillable({
        canReduce: canReduce && !isWriting,
        // Late results are better than none.
        isUnwritten: isWriting && folder === undefined,
        reducedTime,
        timeLeft: timeLeft(),
      }),
  };
  const onMessage = (message: unknown): void => {
    folder = writtenFolderIn(message) ?? folder;
    reducedTime = reducedTimeIn(message) ?? reducedTime;
  };
  try {
    const ending = await stopOnSignal(() => startChild(run, [], limits, onMessage), grace);
    const isInTime = isWriting || fitsReduced({ reducedTime, timeLeft: timeLeft() });
    return { ending, folder, canReduce: canReduce && isInTime };
  } finally {
    if (folder !== undefined) settle?.(folder);
  }
}

function doReducedWork(run: GuardedRun): Promise<ProcessEnd> {
  const { seconds } = run;
  // The full work may have used up the time that was reserved for this, if it continued after the deadline.
  const reserved = (1 - reducibleEnd(seconds)) * seconds * 1000;
  const timeLimit = Math.max(millisecondsUntil(hangingEnd, seconds), reserved, minReducedMs);
  return stopOnSignal(() => startChild(run, ["--least"], { hangingLimit: timeLimit, totalLimit: timeLimit }));
}

function describeEnding(ending: string, { seconds, memory = defaultMemory }: GuardedRun): string {
  if (ending === "over time") return `stopped after ${Math.round(performance.now() / 1000)} s (--deadline ${seconds})`;
  return `the process ended by ${ending}, which happens if ${memory} MiB of memory are not enough`;
}

function reportFailure(ending: string, run: GuardedRun): number {
  const [problem, hint] =
    ending === "over time"
      ? [
          `did not finish within ${run.seconds} seconds`,
          "give it more time with --deadline, or a part of the schema, FILE#/json/pointer: much text, deep recursion and large bounds are slow",
        ]
      : [describeEnding(ending, run), "give it more with --memory, or simplify the schema"];
  process.stderr.write(`touchstone: ${problem}\n  ${hint}\n`);
  return exitCodes.violations;
}

/** A process that was started, and its end. */
interface StartedProcess {
  child: ChildProcess;
  ending: Promise<ProcessEnd>;
}

function startChild(
  { seconds, memory = defaultMemory, args, isSilent = false }: GuardedRun,
  addedArgs: readonly string[],
  times: WatchLimits,
  onMessage?: (message: unknown) => void,
): StartedProcess {
  const [node, program, ...ownArgs] = process.argv as [string, string, ...string[]];
  const limits = [`--max-old-space-size=${memory}`, "--stack-size=3900"];
  const deadline = Math.max(1, Math.floor((millisecondsUntil(1, seconds) * selfEnd) / 1000));
  const unguarded = ["--deadline", String(deadline), "--unguarded"];
  const child = spawn(
    node,
    [...process.execArgv, ...limits, program, ...(args ?? ownArgs), ...unguarded, ...addedArgs],
    {
      stdio: ["inherit", isSilent ? "ignore" : "inherit", process.stderr.isTTY ? "inherit" : "pipe", "ipc"],
    },
  );
  if (onMessage !== undefined) child.on("message", onMessage);
  child.stderr?.on("data", (chunk: Buffer) => {
    if (!isCrashReport(chunk)) process.stderr.write(chunk);
  });
  return { child, ending: watchChild(child, times) };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Starts a child process and waits for its end. If this process gets a signal, it ends the child before itself, so that the child is not left
 * running, and throws `StoppedError`, unless the child ends by itself within `grace` milliseconds. A second signal kills the child.
 */
async function stopOnSignal(start: () => StartedProcess, grace = 0): Promise<ProcessEnd> {
  let child: ChildProcess | undefined;
  let stopped: StoppedError | undefined;
  let graceTimer: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (grace === 0 || stopped !== undefined) child?.kill("SIGKILL");
    else {
      child?.send(stopMessage, () => {});
      graceTimer = setTimeout(() => child?.kill("SIGKILL"), grace);
    }
    stopped ??= new StoppedError(signal);
  };
  // Listen before the start: a signal in between would end this process, and leave the child running.
  for (const signal of signals) process.on(signal, stop);
  try {
    const started = start();
    child = started.child;
    const ending = await started.ending;
    if (stopped !== undefined && (grace === 0 || typeof ending !== "number")) throw stopped;
    return ending;
  } finally {
    clearTimeout(graceTimer);
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Whether output is the crash report that Node.js prints when memory runs out, which does not help a user. */
function isCrashReport(chunk: Buffer): boolean {
  return /Last few GCs|FATAL ERROR|JS stacktrace|Native stack trace|Mark-Compact|^\s*\d+: 0x/m.test(
    chunk.toString("latin1"),
  );
}
