import type { ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import { type Report, TouchstoneError } from "../../schemas/index.ts";
import { runPart, type StartPart } from "./part.ts";

/**
 * Runs parts over the others and this process, and returns their reports in the order of the parts; `onReport` as they come. Each process runs one
 * part, and then each a second one: while one waits, the other works.
 */
export async function ranByAll(
  parts: readonly StartPart[],
  others: readonly ChildProcess[],
  onReport: (report: Report) => void,
): Promise<Report[]> {
  const reports = new Map<StartPart, Report>();
  const left = [...parts];
  const work = async (run: WorkerRun): Promise<void> => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      const report = await run(part);
      reports.set(part, report);
      onReport(report);
    }
  };
  const processes = [...others.map(runBy), runPart];
  try {
    // The process with the first part also gets the last: the first is longest, mostly waiting, and should not wait for others.
    const beside =
      (run: WorkerRun): WorkerRun =>
      (part) =>
        run({ ...part, concurrency: maxWorkers });
    await Promise.all([...processes, ...processes.toReversed().map(beside)].map(work));
  } finally {
    for (const other of others) other.disconnect();
  }
  return parts.flatMap((part) => reports.get(part) ?? []);
}

/** Questions at once of who runs beside another in the same process. */
const maxWorkers = 8;

type WorkerRun = (part: StartPart) => Promise<Report>;

function runBy(other: ChildProcess): WorkerRun {
  return (part) => awaitReport(other, part);
}

type WorkerAnswer = { protocol: string } & ({ report: Report } | { error: string });

async function awaitReport(worker: ChildProcess, part: StartPart): Promise<Report> {
  const ended = new AbortController();
  const { signal } = ended;
  const { protocol } = part;
  worker.send(part);
  const exit = once(worker, "exit", { signal }).then(
    ([code]): WorkerAnswer => ({ protocol, error: `the process ended with ${code}` }),
  );
  const message = answerAbout(worker, protocol, signal);
  try {
    const answer = await Promise.race([message, exit]);
    if ("report" in answer) return answer.report;
    throw new TouchstoneError("internal", answer.error, { where: protocol });
  } finally {
    ended.abort();
    await Promise.allSettled([exit, message]);
  }
}

async function answerAbout(worker: ChildProcess, protocol: string, signal: AbortSignal): Promise<WorkerAnswer> {
  for await (const [answer] of on(worker, "message", { signal })) {
    if ((answer as WorkerAnswer).protocol === protocol) return answer as WorkerAnswer;
  }
  throw new TouchstoneError("internal", "the process says no more", { where: protocol });
}
