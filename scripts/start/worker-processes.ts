import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { extname, join } from "node:path";

/** The maximum number of helpers. The process that starts them runs parts too. */
const maxHelpers = 4;

/** Starts a process for each other processor. They load their modules while this process loads its own. */
export function forkHelpers(): ChildProcess[] {
  const worker = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);
  return Array.from({ length: Math.min(maxHelpers, availableParallelism() - 1) }, () =>
    fork(worker, { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  );
}
