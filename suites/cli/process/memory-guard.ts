import { type ChildProcess, spawn } from "node:child_process";
import { totalmem } from "node:os";
import { exitCodes } from "../../../schemas/index.ts";
import { Stopped } from "../../base/process/stop-error.ts";
import { stopMessage, type Times, usualOvertime, watchChild, writtenIn } from "../../base/process/watchdog.ts";

/**
 * Work that is over time ends by itself, with its results so far. Hanging work is stopped at this part of the time, and little is done in
 * the rest: a fifth, and never more than fifteen seconds.
 */
function patience(seconds: number): number {
  return 1 - Math.min(0.18, 15 / seconds);
}

/** Below half of the machine's memory, and never more than this many mebibytes. */
export const usualMemory: number = Math.min(2048, Math.floor(totalmem() / 2 ** 20 / 2));

export const memoryHelp: string = `memory limit (default: ${usualMemory} here)`;

/** The limits of a process. */
export interface GuardLimits {
  seconds: number;
  /** Mebibytes. */
  memory?: number;
  /** The command, if it is another one. */
  words?: readonly string[];
  /** Whether the command can do the least with --least. */
  least?: true;
  /** Its output is not wanted. */
  isSilent?: true;
  /** It ends by itself on a signal, with its results so far, and has this many milliseconds for that. */
  grace?: number;
  /** How to end if it had to be stopped after writing some of its work, which stays. */
  written?: number;
  /** Bytes to read before there is a first result: reading many needs more time than a deadline may allow. */
  bytes?: number;
  /** Gets the folder of the written files after the process has ended, however it ended. */
  settle?: (folder: string) => void;
}

/** Milliseconds to read, check and compile a megabyte of schemas on a slow machine. */
const megabyteTime = 5000;

/** Milliseconds for the least work, even in a short time: starting needs as long as for all the work. */
const leastTime = 4000;

/**
 * Runs this command, or another one, in a process that can be stopped at any time: a foreign schema can keep it busy for ever, and use all memory. After a process had to be stopped,
 * another does the least work, so that there is a result in the end. Throws `Stopped` if a signal ends it.
 */
export async function runGuarded(limits: GuardLimits): Promise<number> {
  const { seconds, memory = usualMemory, words, least, isSilent, grace, written, bytes = 0, settle } = limits;
  // Starting this process took time as well.
  const millisecondsLeft = (part: number): number => Math.max(100, part * seconds * 1000 - performance.now());
  const ownOptions = (): string[] => [
    "--deadline",
    String(Math.max(1, Math.floor((millisecondsLeft(1) * 0.97) / 1000))),
    "--unguarded",
  ];
  const first = least === true ? patience(seconds) : 1.03;
  let isWritten = false;
  let folder: string | undefined;
  const onWritten = (at: string): void => {
    [isWritten, folder] = [true, at];
  };
  // Something late is worth more than nothing in time.
  const isIdle = (): boolean => isWritten || written === undefined;
  const overtime = usualOvertime + (bytes / 1e6) * megabyteTime;
  const times = { soon: millisecondsLeft(first), late: millisecondsLeft(1.1), overtime, isIdle };
  let ended = await attempt(times, memory, { words, more: ownOptions() }, { isSilent, grace, onWritten }).finally(
    () => {
      if (folder !== undefined) settle?.(folder);
    },
  );
  if (typeof ended === "string" && isWritten && written !== undefined) {
    const why =
      ended === "over time"
        ? `stopped after ${Math.round(performance.now() / 1000)} s (--deadline ${seconds})`
        : describeLackOfMemory(ended, memory);
    process.stderr.write(
      `This is not all: ${why}. The results so far are written, and MANIFEST.json lists the missing parts; the same command continues from there.\n`,
    );
    return written;
  }
  if (typeof ended === "string" && least === true) {
    process.stderr.write(
      `${ended === "over time" ? `stopped after ${Math.round(performance.now() / 1000)} s of --deadline ${seconds}` : describeLackOfMemory(ended, memory)}: only the least is done\n`,
    );
    // Work that hung late has used the time of this as well.
    const left = Math.max(millisecondsLeft(1.03), (1 - first) * seconds * 1000, leastTime);
    ended = await attempt(
      { soon: left, late: left },
      memory,
      { words, more: [...ownOptions(), "--least"] },
      { isSilent },
    );
  }
  if (typeof ended === "number") return ended;
  const [what, hint] =
    ended === "over time"
      ? [
          `no end after ${seconds} seconds`,
          "give it more time with --deadline, or a part of the schema, FILE#/json/pointer: much text, deep recursion and large bounds are slow",
        ]
      : [describeLackOfMemory(ended, memory), "give it more with --memory, or simplify the schema"];
  process.stderr.write(`touchstone: ${what}\n  ${hint}\n`);
  return exitCodes.violations;
}

function describeLackOfMemory(signal: string, memory: number): string {
  return `the work ended by ${signal}, as it does where ${memory} MiB of memory are not enough`;
}

/** The exit code, or why there is none: the signal that ended it, or the time. */
function attempt(
  times: Times,
  memory: number,
  { words, more }: { words: readonly string[] | undefined; more: readonly string[] },
  {
    isSilent = false,
    grace,
    onWritten,
  }: { isSilent?: boolean | undefined; grace?: number | undefined; onWritten?: (folder: string) => void },
): Promise<number | string> {
  const [node, program, ...rest] = process.argv as [string, string, ...string[]];
  const limits = [`--max-old-space-size=${memory}`, "--stack-size=3900"];
  const args = [...process.execArgv, ...limits, program, ...(words ?? rest), ...more];
  const start = (): [ChildProcess, Promise<number | string>] => {
    const child = spawn(node, args, {
      stdio: ["inherit", isSilent ? "ignore" : "inherit", process.stderr.isTTY ? "inherit" : "pipe", "ipc"],
    });
    child.on("message", (message) => {
      const at = writtenIn(message);
      if (at !== undefined) onWritten?.(at);
    });
    child.stderr?.on("data", (text: Buffer) => {
      // The engine's last words do not help a user.
      if (!isObituary(text)) process.stderr.write(text);
    });
    return [child, watchChild(child, times)];
  };
  return orStopped(start, grace);
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A signal may come to this process alone: then the other ends first, and nothing goes on unseen. Throws `Stopped`, unless the other ends by itself in the
 * time that it is given; a second signal ends it at once.
 */
async function orStopped<T>(start: () => [ChildProcess, Promise<T>], grace = 0): Promise<T> {
  let child: ChildProcess | undefined;
  let stopped: Stopped | undefined;
  let patience: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (grace === 0 || stopped !== undefined) child?.kill("SIGKILL");
    else {
      child?.send(stopMessage, () => {});
      patience = setTimeout(() => child?.kill("SIGKILL"), grace);
    }
    stopped ??= new Stopped(signal);
  };
  // Before the other begins: a signal in between would end this process alone.
  for (const signal of signals) process.on(signal, stop);
  try {
    const [begun, ended] = start();
    child = begun;
    const end = await ended;
    if (stopped !== undefined && (grace === 0 || typeof end !== "number")) throw stopped;
    return end;
  } finally {
    clearTimeout(patience);
    for (const signal of signals) process.off(signal, stop);
  }
}

function isObituary(text: Buffer): boolean {
  return /Last few GCs|FATAL ERROR|JS stacktrace|Native stack trace|Mark-Compact|^\s*\d+: 0x/m.test(
    text.toString("latin1"),
  );
}
