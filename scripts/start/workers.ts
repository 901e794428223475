import type { ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import { type Report, TouchstoneError } from "../../schemas/index.ts";
import { runPart, type StartPart } from "./part.ts";

/**
 * Runs parts in the helpers and in this process, and returns their reports in the order of the parts. `onReport` is called for each report
 * as soon as it arrives. Each process runs up to two parts concurrently: while one waits, the other works.
 */
export async function runParts(
  parts: readonly StartPart[],
  helpers: readonly ChildProcess[],
  onReport: (report: Report) => void,
): Promise<Report[]> {
  const reports = new Map<StartPart, Report>();
  const waitingParts = [...parts];
  const work = async (run: WorkerRun): Promise<void> => {
    for (let part = waitingParts.shift(); part !== undefined; part = waitingParts.shift()) {
      const report = await run(part);
      reports.set(part, report);
      onReport(report);
    }
  };
  const processes = [...helpers.map(runOn), runPart];
  try {
    // The second parts are given out in reverse order, because the first part is the longest and should share its process least.
    const limitConcurrency =
      (run: WorkerRun): WorkerRun =>
      (part) =>
        run({ ...part, concurrency: sharedConcurrency });
    await Promise.all([...processes, ...processes.toReversed().map(limitConcurrency)].map(work));
  } finally {
    for (const helper of helpers) helper.disconnect();
  }
  return parts.flatMap((part) => reports.get(part) ?? []);
}

/** Concurrent requests of a part that shares its process with another. */
const sharedConcurrency = 8;

type WorkerRun = (part: StartPart) => Promise<Report>;

function runOn(helper: ChildProcess): WorkerRun {
  return (part) => awaitReport(helper, part);
}

type WorkerAnswer = { protocol: string } & ({ report: Report } | { error: string });

async function awaitReport(worker: ChildProcess, part: StartPart): Promise<Report> {
  const abort = new AbortController();
  const { signal } = abort;
  const { protocol } = part;
  worker.send(part);
  const exit = once(worker, "exit", { signal }).then(
    ([code]): WorkerAnswer => ({ protocol, error: `the process ended with ${code}` }),
  );
  const message = awaitAnswer(worker, protocol, signal);
  try {
    const answer = await Promise.race([message, exit]);
    if ("report" in answer) return answer.report;
    throw new TouchstoneError("internal", answer.error, { where: protocol });
  } finally {
    abort.abort();
    await Promise.allSettled([exit, message]);
  }
}

async function awaitAnswer(worker: ChildProcess, protocol: string, signal: AbortSignal): Promise<WorkerAnswer> {
  for await (const [answer] of on(worker, "message", { signal })) {
    if ((answer as WorkerAnswer).protocol === protocol) return answer as WorkerAnswer;
  }
  throw new TouchstoneError("internal", "the process ended without an answer", { where: protocol });
}
