import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { VectorPart, VectorTask } from "./part.ts";

/**
 * Options of the garbage collector. Most objects are short-lived, so it has less to do if it runs less often. Every core already runs a
 * process, so collecting on several threads does not help.
 */
const memoryOptions = ["--max-semi-space-size=64", "--single-threaded-gc"];

/** Runs tasks in several processes. Each process starts the next task when it has finished one. `onPart` is called for each result, in any order. */
export async function buildParts(
  tasks: readonly VectorTask[],
  processes: number,
  onPart: (task: VectorTask, part: VectorPart) => void,
): Promise<void> {
  const queue = [...tasks];
  await Promise.all(
    Array.from({ length: Math.min(processes, tasks.length) }, async () => {
      const child = fork(join(import.meta.dirname, "part.ts"), { execArgv: [...process.execArgv, ...memoryOptions] });
      for (let task = queue.shift(); task !== undefined; task = queue.shift())
        onPart(task, await awaitPart(child, task));
      child.disconnect();
    }),
  );
}

async function awaitPart(child: ChildProcess, task: VectorTask): Promise<VectorPart> {
  const abort = new AbortController();
  const part = once(child, "message", { signal: abort.signal });
  const exit = once(child, "close", { signal: abort.signal }).then(([code]) => {
    throw new Error(`the vectors of ${task.protocol} ${task.document} were not made: the process ended with ${code}`);
  });
  child.send(task);
  try {
    const [message] = await Promise.race([part, exit]);
    return message as VectorPart;
  } finally {
    // Stops the losing wait of the race.
    abort.abort();
    await Promise.allSettled([part, exit]);
  }
}
