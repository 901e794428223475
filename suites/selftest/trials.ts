import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { type LiveVariant, type Protocol, TouchstoneError } from "../../schemas/index.ts";
import type { Detected } from "../scenarios/selftest.ts";

/** What a process is told to try. */
export interface Task {
  id: number;
  /** Name and version. */
  protocol: string;
  variant: LiveVariant;
  seed: number;
}

/** What it answers. */
export type Told = { id: number } & ({ detected: Detected } | { error: string });

/** How many a process tries at once: they wait about half of the time. */
const atOnce = 3;

/**
 * Tries broken references over as many processes as there are processors, and at the end one by one those to which that would make a
 * difference; in the order in which they were given. Throws an internal error when a process ends or a trial fails.
 */
export async function triedAll(
  { name, version }: Protocol,
  variants: readonly LiveVariant[],
  seed: number,
  onTried: (done: number, total: number) => void = () => {},
): Promise<Detected[]> {
  const found = new Map<LiveVariant, Detected>();
  const together = variants.filter(({ alone }) => alone !== true);
  const count = Math.max(1, Math.min(availableParallelism(), Math.ceil(together.length / atOnce)));
  const processes = Array.from({ length: count }, start);
  const work = async ({ ask }: Trying, left: LiveVariant[]): Promise<void> => {
    for (let variant = left.shift(); variant !== undefined; variant = left.shift()) {
      found.set(variant, await ask({ protocol: `${name}@${version}`, variant, seed }));
      onTried(found.size, variants.length);
    }
  };
  try {
    await Promise.all(processes.flatMap((each) => Array.from({ length: atOnce }, () => work(each, together))));
    const alone = variants.filter((each) => each.alone === true);
    if (processes[0] !== undefined) await work(processes[0], alone);
  } finally {
    for (const { end } of processes) end();
  }
  return variants.flatMap((variant) => found.get(variant) ?? []);
}

/** A process that tries what it is asked to. */
interface Trying {
  ask(task: Omit<Task, "id">): Promise<Detected>;
  end(): void;
}

function start(): Trying {
  const here = fileURLToPath(import.meta.url);
  const main = here.replace(/trials(\.[jt]s)$/, "trial$1");
  const child: ChildProcess = fork(main, { execArgv: main.endsWith(".ts") ? ["--import", "tsx"] : [] });
  const waiting = new Map<number, { resolve(detected: Detected): void; fail(why: string): void }>();
  let asked = 0;
  child.on("message", ({ id, ...told }: Told) => {
    const { resolve, fail } = waiting.get(id) ?? {};
    waiting.delete(id);
    if ("detected" in told) resolve?.(told.detected);
    else fail?.(told.error);
  });
  let ended: string | undefined;
  const lose = (why: string): void => {
    ended ??= why;
    for (const { fail } of waiting.values()) fail(ended);
  };
  child.on("error", ({ message }) => lose(`the process that tries it failed: ${message}`));
  child.on("exit", (code, signal) => lose(`the process that tried it ended with ${signal ?? code}`));
  return {
    ask: (task) =>
      new Promise((resolve, reject) => {
        const fail = (why: string): void => reject(new TouchstoneError("internal", why, { where: task.variant.name }));
        if (ended !== undefined) return fail(ended);
        const id = asked++;
        waiting.set(id, { resolve, fail });
        child.send({ ...task, id });
      }),
    end: () => void child.kill(),
  };
}
