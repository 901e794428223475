import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { TouchstoneError } from "../../../schemas/index.ts";
import { nodeArgumentsFor } from "../../base/process/own-program.ts";
import type { Outcomes, TrialAnswer, TrialKind, Trials, TrialTask } from "./task.ts";

/** The number of trials that a process runs at once. Whole plays wait about half of the time, and plays of one rule nearly all of it. */
const trialsPerProcess: Readonly<Record<TrialKind, number>> = { variant: 3, party: 3, cell: 8 };

/** Trials of one kind, and how to perform them. */
export interface TrialWork<Kind extends TrialKind> {
  kind: Kind;
  protocol: string;
  seed: number;
  given: readonly Trials[Kind][];
  /** Whether a trial must run alone. */
  isAlone?(trial: Trials[Kind]): boolean;
  /** The name of a trial in an error. */
  nameOf(trial: Trials[Kind]): string;
  onDone?(outcome: Outcomes[Kind], doneCount: number): void;
  signal?: AbortSignal | undefined;
}

/** Performs trials in as many processes as there are processors, and then, one by one, the trials that must run alone. Returns the outcomes in the order of the trials; undefined for trials that were not begun because of an abort. Throws an internal error if a process ends or a trial fails. */
export async function overProcesses<Kind extends TrialKind>(
  work: TrialWork<Kind>,
): Promise<(Outcomes[Kind] | undefined)[]> {
  const { given, isAlone = () => false, signal } = work;
  const outcomes: (Outcomes[Kind] | undefined)[] = given.map(() => undefined);
  const indexes = [...given.keys()];
  const sharedIndexes = indexes.filter((index) => !isAlone(given[index] as Trials[Kind]));
  const aloneIndexes = indexes.filter((index) => isAlone(given[index] as Trials[Kind]));
  const processCount = Math.max(
    1,
    Math.min(availableParallelism(), Math.ceil(sharedIndexes.length / trialsPerProcess[work.kind])),
  );
  const processes = given.length === 0 ? [] : Array.from({ length: processCount }, startProcess);
  let done = 0;
  const performTrials = async (process: TrialProcess, remaining: number[]): Promise<void> => {
    for (let index = remaining.shift(); index !== undefined && signal?.aborted !== true; index = remaining.shift()) {
      const input = given[index] as Trials[Kind];
      const { kind, protocol, seed } = work;
      const outcome = (await process.ask({ kind, protocol, seed, given: input }, work.nameOf(input))) as Outcomes[Kind];
      outcomes[index] = outcome;
      done += 1;
      work.onDone?.(outcome, done);
    }
  };
  try {
    await Promise.all(
      processes.flatMap((process) =>
        Array.from({ length: trialsPerProcess[work.kind] }, () => performTrials(process, sharedIndexes)),
      ),
    );
    if (processes[0] !== undefined) await performTrials(processes[0], aloneIndexes);
  } finally {
    for (const { end } of processes) end();
  }
  return outcomes;
}

/** A process that performs trials. */
interface TrialProcess {
  ask(task: Omit<TrialTask, "id">, name: string): Promise<Outcomes[TrialKind]>;
  end(): void;
}

function startProcess(): TrialProcess {
  const nodeArguments = nodeArgumentsFor("./trial", import.meta.url);
  const child: ChildProcess = fork(nodeArguments.at(-1) as string, { execArgv: nodeArguments.slice(0, -1) });
  const pendingTrials = new Map<number, { resolve(outcome: Outcomes[TrialKind]): void; fail(why: string): void }>();
  let askedCount = 0;
  child.on("message", ({ id, ...answer }: TrialAnswer) => {
    const { resolve, fail } = pendingTrials.get(id) ?? {};
    pendingTrials.delete(id);
    if ("outcome" in answer) resolve?.(answer.outcome);
    else fail?.(answer.error);
  });
  let endedWith: string | undefined;
  const failAll = (why: string): void => {
    endedWith ??= why;
    for (const { fail } of pendingTrials.values()) fail(endedWith);
  };
  child.on("error", ({ message }) => failAll(`the process of the trial failed: ${message}`));
  child.on("exit", (code, signal) => failAll(`the process of the trial ended with ${signal ?? code}`));
  return {
    ask: (task, name) =>
      new Promise((resolve, reject) => {
        const fail = (why: string): void => reject(new TouchstoneError("internal", why, { where: name }));
        if (endedWith !== undefined) return fail(endedWith);
        const id = askedCount++;
        pendingTrials.set(id, { resolve, fail });
        child.send({ ...task, id });
      }),
    end: () => void child.kill(),
  };
}
