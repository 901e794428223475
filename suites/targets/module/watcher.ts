import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { FromWatcher } from "./channel.ts";

/** The data of the watcher, a separate thread that continues while the module's own thread is blocked. It reports the current question, and ends the process if it uses too much memory, since the engine's own limit covers only a part of the memory. */
export interface WatcherData {
  /** The number of the current question, or 0. */
  busy: Int32Array;
  /** The file descriptor for reports. */
  output: number;
  /** The limit in bytes. */
  maxMemory: number;
}

const { busy, output, maxMemory } = workerData as WatcherData;

/** Milliseconds between two checks. */
const pauseMs = 20;
// This worker watches exactly one thread.
let lastQuestion = 0;
let reportedQuestion = 0;

setInterval(() => {
  const memory = process.memoryUsage.rss();
  if (memory > maxMemory) {
    say({ memory });
    process.kill(process.pid, "SIGKILL");
  }
  const question = Atomics.load(busy, 0);
  if (question !== 0 && question === lastQuestion && question !== reportedQuestion) {
    reportedQuestion = question;
    say({ busy: question });
  }
  lastQuestion = question;
}, pauseMs);

function say(message: FromWatcher): void {
  writeSync(output, `${JSON.stringify(message)}\n`);
}
