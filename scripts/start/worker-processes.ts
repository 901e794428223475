import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { extname, join } from "node:path";

/** As many protocols as there are can be run at once, one of them by the process that has helpers. */
const maxHelpers = 4;

/** Processes for the other processors. They load their modules while the first process does the same. */
export function forkHelpers(): ChildProcess[] {
  const worker = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);
  return Array.from({ length: Math.min(maxHelpers, availableParallelism() - 1) }, () =>
    fork(worker, { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  );
}
