import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { FromWatcher } from "./channel.ts";

/**
 * Watches the module from beside it, in a thread that continues while the module's own is blocked: reports the present question, and
 * ends the whole if it uses too much memory, since the engine's own limit counts only a part.
 */
export interface WatcherData {
  /** The number of the question being worked on, or 0. */
  busy: Int32Array;
  /** Where to report it. */
  output: number;
  /** Bytes. */
  maxMemory: number;
}

const { busy, output, maxMemory } = workerData as WatcherData;

/** Milliseconds between two looks. */
const pause = 20;
// This is a worker of its own that watches one thread.
let last = 0;
let reports = 0;

setInterval(() => {
  const memory = process.memoryUsage.rss();
  if (memory > maxMemory) {
    say({ memory });
    process.kill(process.pid, "SIGKILL");
  }
  const now = Atomics.load(busy, 0);
  if (now !== 0 && now === last && now !== reports) {
    reports = now;
    say({ busy: now });
  }
  last = now;
}, pause);

function say(message: FromWatcher): void {
  writeSync(output, `${JSON.stringify(message)}\n`);
}
