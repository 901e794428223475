import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Report, TouchstoneError } from "../../schemas/index.ts";
import { type Part, ran } from "./part.ts";

/**
 * Runs parts over as many processes as there are processors, of which this is one, and gives their reports in the order of the parts; `onReport`
 * as they come.
 */
export async function ranByAll(parts: readonly Part[], onReport: (report: Report) => void): Promise<Report[]> {
  const reports = new Map<Part, Report>();
  const left = [...parts];
  const work = async (run: (part: Part) => Promise<Report>): Promise<void> => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      const report = await run(part);
      reports.set(part, report);
      onReport(report);
    }
  };
  const beside = async (): Promise<void> => {
    const worker = fork(join(import.meta.dirname, "worker.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    try {
      await work((part) => answered(worker, part));
    } finally {
      worker.disconnect();
    }
  };
  const others = Math.min(parts.length, availableParallelism()) - 1;
  await Promise.all([...Array.from({ length: others }, beside), work(ran)]);
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
