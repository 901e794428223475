import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** Milliseconds between two signs of life. */
const signInterval = 250;
const defaultSilence = 3000;

// When this process last sent a sign of life. Module state, because a process has only one watchdog.
let lastSignSent = Number.NEGATIVE_INFINITY;
const parent = process.ppid;

/** Whether another process started this one to do work, and watches it. */
function isWatched(): boolean {
  return process.send !== undefined && process.argv.includes("--unguarded");
}

/** Ends this process when the process that watches it is gone, for any reason. */
export function endWithParent(): void {
  if (!isWatched()) return;
  if (!process.connected) killSelf();
  process.once("disconnect", killSelf);
  // Listening must not keep an otherwise idle process alive.
  process.channel?.unref();
}

/** Names a folder with a written part of the work; that part is kept when the process is stopped. */
interface WrittenMessage {
  written: string;
}

/** Tells the watching process, if any, that part of the work is written to a folder. */
export function reportWritten(folder: string): void {
  const message: WrittenMessage = { written: folder };
  if (isWatched()) process.send?.(message, undefined, undefined, () => {});
}

/** Returns the folder in a WrittenMessage; undefined for other messages. */
export function writtenFolderIn(message: unknown): string | undefined {
  const { written } = (typeof message === "object" ? (message ?? {}) : {}) as Partial<WrittenMessage>;
  return typeof written === "string" ? written : undefined;
}

/** The estimated milliseconds that the reduced work takes, from the start of the process. */
interface ReducibleMessage {
  reducedTime: number;
}

/** The estimate is increased by this factor, to be on the safe side. */
const reducedFactor = 1.2;

/** Returns a function to call when the reduced work on the first of `count` parts is done. It sends the estimate once to the watching process, if any. */
export function reducibleReporter(count: number): () => void {
  if (!isWatched()) return () => {};
  const start = performance.now();
  let isReported = false;
  return () => {
    if (isReported) return;
    isReported = true;
    const partTime = performance.now() - start;
    const message: ReducibleMessage = { reducedTime: reducedFactor * (start + count * partTime) };
    process.send?.(message, undefined, undefined, () => {});
  };
}

/** Returns the estimate in a ReducibleMessage; undefined for other messages. */
export function reducedTimeIn(message: unknown): number | undefined {
  const { reducedTime } = (typeof message === "object" ? (message ?? {}) : {}) as Partial<ReducibleMessage>;
  return typeof reducedTime === "number" ? reducedTime : undefined;
}

/** With this message, a watching process asks this one to end with partial results. */
export const stopMessage = "stop";

/** Calls back when the watching process, if any, asks this one to end. */
export function onStop(stop: () => void): void {
  if (!isWatched()) return;
  process.on("message", (message) => {
    if (message === stopMessage) stop();
  });
  process.channel?.unref();
}

function killSelf(): void {
  process.kill(process.pid, "SIGKILL");
}

/** Reports to the watching process, if any, that this one does not hang. Long synchronous work calls it from time to time. */
export function reportAlive(): void {
  if (!isWatched()) return;
  const now = performance.now();
  if (now - lastSignSent < signInterval) return;
  lastSignSent = now;
  // Synchronous work receives no disconnect event, but the process gets another parent.
  if (process.ppid !== parent) killSelf();
  process.send?.("alive", undefined, undefined, () => {
    // The watching process may be gone.
  });
}

/** Extra milliseconds for a process that has no result yet. */
export const usualOvertime = 15_000;

/** When to kill a process, in milliseconds. */
export interface WatchLimits {
  /** After this time, a hanging process is killed. */
  hangingLimit: number;
  /** After this time, any process is killed. */
  totalLimit: number;
  /** A process hangs if it worked for this long without a sign of life. */
  silence?: number;
  /** Extra milliseconds for a process that is not idle. */
  overtime?: number;
  /** Whether the process can be killed without wasting nearly finished work. */
  isIdle?: () => boolean;
  /** The processor time used by a process, in milliseconds; undefined if the system does not report it. */
  processorTimeOf?: (pid: number | undefined) => number | undefined;
}

/** A silent process that used the processor for less than this part of the time is not hanging: other processes kept it waiting. */
const minProcessorShare = 0.5;

/** Milliseconds in a clock tick of /proc/PID/stat (proc_pid_stat(5)); fields 14 and 15 are the ticks in user and system mode. */
const tickLength = 10;

function readProcessorTime(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field, the name in parentheses, may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const usedMilliseconds = (Number(fields[11]) + Number(fields[12])) * tickLength;
    return Number.isFinite(usedMilliseconds) ? usedMilliseconds : undefined;
  } catch {
    // Only Linux has this file.
    return undefined;
  }
}

/** Waits for a process that has a message channel. After `hangingLimit`, kills it if it hangs; after `totalLimit`, in any case, or a little later if it has no result yet. Returns its exit code, or the reason why it has none: the signal that ended it, or `over time`. */
export function watchChild(
  child: ChildProcess,
  {
    hangingLimit,
    totalLimit,
    silence = defaultSilence,
    overtime = usualOvertime,
    isIdle = () => true,
    processorTimeOf = readProcessorTime,
  }: WatchLimits,
): Promise<number | string> {
  const startedAt = performance.now();
  let lastSignReceived = Number.NEGATIVE_INFINITY;
  let usedMilliseconds = 0;
  child.on("message", () => {
    lastSignReceived = performance.now();
    usedMilliseconds = processorTimeOf(child.pid) ?? 0;
  });
  const isHanging = (now: number): boolean =>
    now - lastSignReceived > silence &&
    (processorTimeOf(child.pid) ?? Number.POSITIVE_INFINITY) - usedMilliseconds > silence * minProcessorShare;
  return new Promise((resolve, reject) => {
    let isOver = false;
    const check = (): void => {
      const now = performance.now();
      const isDue = now - startedAt >= totalLimit || isHanging(now);
      isOver = isDue && (isIdle() || now - startedAt >= totalLimit + overtime);
      if (isOver) child.kill("SIGKILL");
      else timer = setTimeout(check, signInterval);
    };
    let timer = setTimeout(check, Math.min(hangingLimit, totalLimit));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve(code === null || code > 128 ? (isOver ? "over time" : (signal ?? "SIGABRT")) : code);
    });
  });
}
