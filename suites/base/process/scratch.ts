import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder; `clear` removes it. */
export interface Scratch {
  folder: string;
  clear(): void;
}

const folders = new Set<string>();
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Creates a temporary folder. It is removed by `clear`, or when the process ends, even by a signal. */
export function makeScratchFolder(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-run-"));
  if (folders.size === 0) {
    process.on("exit", removeAll);
    for (const signal of endingSignals) process.on(signal, endBySignal);
  }
  folders.add(folder);
  return { folder, clear: () => remove(folder) };
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  if (!folders.delete(folder) || folders.size > 0) return;
  process.off("exit", removeAll);
  for (const signal of endingSignals) process.off(signal, endBySignal);
}

function removeAll(): void {
  for (const folder of [...folders]) remove(folder);
}

/** Removes the folders and ends the process. If there are other listeners, they decide when it ends. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  process.kill(process.pid, signal);
}
