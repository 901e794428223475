import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { TouchstoneError } from "../../../schemas/index.ts";
import { ownProgram } from "../../base/process/own-program.ts";
import type { Outcomes, TrialAnswer, TrialKind, Trials, TrialTask } from "./task.ts";

/** How many trials a process runs at once: whole plays wait about half of the time, and plays of one rule nearly all of it. */
const atOnce: Readonly<Record<TrialKind, number>> = { variant: 3, party: 3, cell: 8 };

/** Trials of one kind, and how to perform them. */
export interface TrialWork<Kind extends TrialKind> {
  kind: Kind;
  protocol: string;
  seed: number;
  given: readonly Trials[Kind][];
  /** Whether nothing else may run beside a trial. */
  isAlone?(given: Trials[Kind]): boolean;
  /** The name of a trial in an error. */
  nameOf(given: Trials[Kind]): string;
  onDone?(outcome: Outcomes[Kind], done: number): void;
  signal?: AbortSignal | undefined;
}

/** Performs trials over as many processes as there are processors, and afterwards one by one the trials that must run alone. Returns the outcomes in the order of the trials; undefined for trials that an abort left out. Throws an internal error when a process ends or a trial fails. */
export async function overProcesses<Kind extends TrialKind>(
  work: TrialWork<Kind>,
): Promise<(Outcomes[Kind] | undefined)[]> {
  const { given, isAlone = () => false, signal } = work;
  const outcomes: (Outcomes[Kind] | undefined)[] = given.map(() => undefined);
  const places = [...given.keys()];
  const together = places.filter((place) => !isAlone(given[place] as Trials[Kind]));
  const alone = places.filter((place) => isAlone(given[place] as Trials[Kind]));
  const count = Math.max(1, Math.min(availableParallelism(), Math.ceil(together.length / atOnce[work.kind])));
  const processes = given.length === 0 ? [] : Array.from({ length: count }, start);
  let done = 0;
  const carryOut = async (process: TrialProcess, left: number[]): Promise<void> => {
    for (let place = left.shift(); place !== undefined && signal?.aborted !== true; place = left.shift()) {
      const each = given[place] as Trials[Kind];
      const { kind, protocol, seed } = work;
      const outcome = (await process.ask({ kind, protocol, seed, given: each }, work.nameOf(each))) as Outcomes[Kind];
      outcomes[place] = outcome;
      done += 1;
      work.onDone?.(outcome, done);
    }
  };
  try {
    await Promise.all(
      processes.flatMap((process) => Array.from({ length: atOnce[work.kind] }, () => carryOut(process, together))),
    );
    if (processes[0] !== undefined) await carryOut(processes[0], alone);
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

function start(): TrialProcess {
  const words = ownProgram("./trial", import.meta.url);
  const child: ChildProcess = fork(words.at(-1) as string, { execArgv: words.slice(0, -1) });
  const waiting = new Map<number, { resolve(outcome: Outcomes[TrialKind]): void; fail(why: string): void }>();
  let asked = 0;
  child.on("message", ({ id, ...told }: TrialAnswer) => {
    const { resolve, fail } = waiting.get(id) ?? {};
    waiting.delete(id);
    if ("outcome" in told) resolve?.(told.outcome);
    else fail?.(told.error);
  });
  let ended: string | undefined;
  const lose = (why: string): void => {
    ended ??= why;
    for (const { fail } of waiting.values()) fail(ended);
  };
  child.on("error", ({ message }) => lose(`the process of the trial failed: ${message}`));
  child.on("exit", (code, signal) => lose(`the process of the trial ended with ${signal ?? code}`));
  return {
    ask: (task, name) =>
      new Promise((resolve, reject) => {
        const fail = (why: string): void => reject(new TouchstoneError("internal", why, { where: name }));
        if (ended !== undefined) return fail(ended);
        const id = asked++;
        waiting.set(id, { resolve, fail });
        child.send({ ...task, id });
      }),
    end: () => void child.kill(),
  };
}
