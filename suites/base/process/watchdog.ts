import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** Milliseconds between two signs of life. */
const signInterval = 250;
const usualSilence = 3000;

// When the last sign of life was sent; module state because a process has only one watchdog.
let lastSign = Number.NEGATIVE_INFINITY;
const parent = process.ppid;

/** Whether another process started this one to do work, and watches it. */
function isWatched(): boolean {
  return process.send !== undefined && process.argv.includes("--unguarded");
}

/** Ends this process when the process that watches it is gone, for any reason. */
export function endWithParent(): void {
  if (!isWatched()) return;
  if (!process.connected) endAtOnce();
  process.once("disconnect", endAtOnce);
  // Listening must not keep an otherwise idle process alive.
  process.channel?.unref();
}

/** A process sends this message when part of its work is written, with the folder; that part stays when the process is stopped. */
interface WrittenMessage {
  written: string;
}

/** Sends that message to the process that watches this one, if there is one. */
export function reportWritten(folder: string): void {
  const message: WrittenMessage = { written: folder };
  if (isWatched()) process.send?.(message, undefined, undefined, () => {});
}

/** The folder named in such a message; undefined for other messages. */
export function writtenIn(message: unknown): string | undefined {
  const { written } = (typeof message === "object" ? (message ?? {}) : {}) as Partial<WrittenMessage>;
  return typeof written === "string" ? written : undefined;
}

/** A process sends this message when it could do its reduced work from its start within so many milliseconds. */
interface ReducibleMessage {
  reducedTime: number;
}

/** Reduced work takes this many times as long as the same part of full work. */
const reducedFactor = 1.2;

/** Returns a function that sends that message once, to the process that watches this one: when the reduced work on the first of `count` parts is done. */
export function reducibleReporter(count: number): () => void {
  if (!isWatched()) return () => {};
  const startedAt = performance.now();
  let isReported = false;
  return () => {
    if (isReported) return;
    isReported = true;
    const partTime = performance.now() - startedAt;
    const message: ReducibleMessage = { reducedTime: reducedFactor * (startedAt + count * partTime) };
    process.send?.(message, undefined, undefined, () => {});
  };
}

/** The time in such a message; undefined for other messages. */
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

function endAtOnce(): void {
  process.kill(process.pid, "SIGKILL");
}

/** Reports to the watching process, if any, that this one does not hang. Long synchronous work calls it from time to time. */
export function reportAlive(): void {
  if (!isWatched()) return;
  const now = performance.now();
  if (now - lastSign < signInterval) return;
  lastSign = now;
  // Synchronous work receives no disconnect event, but the process gets another parent.
  if (process.ppid !== parent) endAtOnce();
  process.send?.("alive", undefined, undefined, () => {
    // The watching process may be gone.
  });
}

/** Extra milliseconds for a process without a first result. */
export const usualOvertime = 15_000;

/** When to kill a process, in milliseconds. */
export interface Times {
  /** From then on, a process that hangs is killed. */
  hangingLimit: number;
  /** Then any process is killed. */
  totalLimit: number;
  /** A process hangs if it worked for this long without a sign of life. */
  silence?: number;
  /** Extra milliseconds as long as killing it would waste nearly finished work. */
  overtime?: number;
  /** Whether killing it would not waste nearly finished work. */
  isIdle?: () => boolean;
  /** The processor time used by a process, in milliseconds; undefined if the system does not report it. */
  usedBy?: (pid: number | undefined) => number | undefined;
}

/** A silent process that used less than this part of the time is not hanging: other processes had the processor. */
const starving = 0.5;

/** Milliseconds in a clock tick of /proc/PID/stat (proc_pid_stat(5)); fields 14 and 15 are the ticks in user and system mode. */
const tick = 10;

function processorTime(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field, the name in parentheses, may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const usedMilliseconds = (Number(fields[11]) + Number(fields[12])) * tick;
    return Number.isFinite(usedMilliseconds) ? usedMilliseconds : undefined;
  } catch {
    // Only Linux has this file.
    return undefined;
  }
}

/** Waits for a process that has a message channel. After `hangingLimit`, kills it if it hangs; after `totalLimit`, in any case, or a little later if it has no result yet. Returns its exit code, or the reason for having none: the signal that ended it, or the time. */
export function watchChild(
  child: ChildProcess,
  {
    hangingLimit,
    totalLimit,
    silence = usualSilence,
    overtime = usualOvertime,
    isIdle = () => true,
    usedBy = processorTime,
  }: Times,
): Promise<number | string> {
  const startedAt = performance.now();
  let lastSignAt = Number.NEGATIVE_INFINITY;
  let usedMilliseconds = 0;
  child.on("message", () => {
    lastSignAt = performance.now();
    usedMilliseconds = usedBy(child.pid) ?? 0;
  });
  const isHanging = (now: number): boolean =>
    now - lastSignAt > silence &&
    (usedBy(child.pid) ?? Number.POSITIVE_INFINITY) - usedMilliseconds > silence * starving;
  return new Promise((resolve, reject) => {
    let isOver = false;
    const look = (): void => {
      const now = performance.now();
      const isDue = now - startedAt >= totalLimit || isHanging(now);
      isOver = isDue && (isIdle() || now - startedAt >= totalLimit + overtime);
      if (isOver) child.kill("SIGKILL");
      else timer = setTimeout(look, signInterval);
    };
    let timer = setTimeout(look, Math.min(hangingLimit, totalLimit));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve(code === null || code > 128 ? (isOver ? "over time" : (signal ?? "SIGABRT")) : code);
    });
  });
}
