import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Report, TouchstoneError } from "../../schemas/index.ts";
import type { Part } from "./part.ts";

/** Runs parts over as many processes as there are processors, and gives their reports in the order of the parts; `onReport` as they come. */
export async function ranByAll(parts: readonly Part[], onReport: (report: Report) => void): Promise<Report[]> {
  const reports = new Map<Part, Report>();
  const left = [...parts];
  const work = async (): Promise<void> => {
    const worker = fork(join(import.meta.dirname, "worker.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    try {
      for (let part = left.shift(); part !== undefined; part = left.shift()) {
        const report = await answered(worker, part);
        reports.set(part, report);
        onReport(report);
      }
    } finally {
      worker.disconnect();
    }
  };
  await Promise.all(Array.from({ length: Math.min(parts.length, availableParallelism()) }, work));
  return parts.flatMap((part) => reports.get(part) ?? []);
}

type Answer = { report: Report } | { error: string };

async function answered(worker: ChildProcess, part: Part): Promise<Report> {
  const ended = new AbortController();
  const { signal } = ended;
  worker.send(part);
  const exit = once(worker, "exit", { signal }).then(([code]): Answer => ({ error: `the process ended with ${code}` }));
  const message = once(worker, "message", { signal }).then(([answer]): Answer => answer as Answer);
  try {
    const answer = await Promise.race([message, exit]);
    if ("report" in answer) return answer.report;
    throw new TouchstoneError("internal", answer.error, { where: part.protocol });
  } finally {
    ended.abort();
    await Promise.allSettled([exit, message]);
  }
}
