import { setImmediate } from "node:timers/promises";

export interface Pace<Out> {
  /** The number of questions that may be open at once. */
  concurrency: number;
  /** The time limit of one question in milliseconds; its signal then aborts. */
  timeoutMs: number;
  /** Milliseconds without any sign of life after which an overdue question is given up. */
  graceMs?: number;
  /** Whether the target currently holds back all questions. That time does not count. */
  isHeld?: (() => boolean) | undefined;
  /** Aborts everything: an unanswered question then has no outcome. */
  signal?: AbortSignal | undefined;
  onDone?: ((outcome: Out, index: number) => void) | undefined;
}

type ItemEnd<Out> = { answer: Out } | { failure: unknown };

/** Thrown for a question that failed, or was given up, after its time was over. */
export class ItemDeadline extends Error {}

/** Milliseconds for which immediate answers may delay timers and signals. */
const maxBusyMs = 50;

/** Runs every item, and returns the outcomes in the order of the items, whatever the order of completion. The outcome of an item is undefined if everything was aborted first. */
export async function schedule<Item, Out>(
  items: readonly Item[],
  ask: (item: Item, signal: AbortSignal) => Out | Promise<Out>,
  settle: (item: Item, failure: unknown) => Out,
  pace: Pace<Out>,
): Promise<(Out | undefined)[]> {
  const outcomes = new Array<Out | undefined>(items.length).fill(undefined);
  await runAll(items, ask, settle, {
    ...pace,
    onDone(outcome, index) {
      outcomes[index] = outcome;
      pace.onDone?.(outcome, index);
    },
  });
  return outcomes;
}

/**
 * Runs every item, `concurrency` at a time, and passes each outcome to `onDone` without keeping it. `settle` turns a failure into an outcome.
 * When the time of a question is over, its signal aborts, but it may still be answered: it may have waited behind a hanging question. It is given up only if no other question makes progress either.
 */
export async function runAll<Item, Out>(
  items: readonly Item[],
  ask: (item: Item, signal: AbortSignal) => Out | Promise<Out>,
  settle: (item: Item, failure: unknown) => Out,
  { concurrency, timeoutMs, graceMs = 10_000, isHeld = () => false, signal, onDone }: Pace<Out>,
): Promise<void> {
  const cancels = new Set<() => void>();
  let nextIndex = 0;
  let movedAtTime = performance.now();
  let restedAt = movedAtTime;

  const worker = async (): Promise<void> => {
    let controller = new AbortController();
    while (nextIndex < items.length && signal?.aborted !== true) {
      const index = nextIndex++;
      const item = items[index] as Item;
      // Creating a signal is as slow as the rest of a question, so it is reused until it has aborted.
      if (controller.signal.aborted) controller = new AbortController();
      const answer = beginItem(item, controller);
      const ended = answer instanceof Promise ? await answer : answer;
      if (ended === undefined) return;
      const outcome = "answer" in ended ? ended.answer : settle(item, ended.failure);
      onDone?.(outcome, index);
      movedAtTime = performance.now();
      if (movedAtTime - restedAt > maxBusyMs) {
        await setImmediate();
        restedAt = performance.now();
      }
    }
  };

  /** Begins an item. An immediate answer does not need a timer or a promise. */
  const beginItem = (item: Item, controller: AbortController): ItemEnd<Out> | Promise<ItemEnd<Out> | undefined> => {
    try {
      const answer = ask(item, controller.signal);
      return answer instanceof Promise ? askWithin(controller, answer) : { answer };
    } catch (failure) {
      return { failure };
    }
  };

  const askWithin = (controller: AbortController, asked: Promise<Out>): Promise<ItemEnd<Out> | undefined> =>
    endWithin(controller, asked, { timeoutMs, graceMs, isHeld, cancels, movedAt: () => movedAtTime });

  const cancelAll = (): void => {
    for (const cancel of cancels) cancel();
  };
  signal?.addEventListener("abort", cancelAll);
  try {
    await Promise.all(Array.from({ length: Math.min(Math.max(1, concurrency), items.length) }, worker));
  } finally {
    signal?.removeEventListener("abort", cancelAll);
  }
}

/** The conditions for giving up a question. */
interface ItemLimits extends Required<Pick<Pace<unknown>, "timeoutMs" | "graceMs">> {
  isHeld: () => boolean;
  /** The functions that cancel the open questions. */
  cancels: Set<() => void>;
  /** The time of the last sign of life from any question. */
  movedAt: () => number;
}

/** Waits for the end of a question; undefined if everything was aborted first. */
function endWithin<Out>(
  controller: AbortController,
  asked: Promise<Out>,
  { timeoutMs, graceMs, isHeld, cancels, movedAt }: ItemLimits,
): Promise<ItemEnd<Out> | undefined> {
  return new Promise((resolve) => {
    const deadlineError = (cause?: unknown): ItemDeadline =>
      new ItemDeadline(`no answer within ${timeoutMs} ms`, { cause });
    const end = (itemEnd?: ItemEnd<Out>): void => {
      clearTimeout(timer);
      cancels.delete(cancel);
      resolve(itemEnd);
    };
    const cancel = (): void => {
      end();
      controller.abort();
    };
    const waitForProgress = (since: number): void => {
      const timeLeft = Math.max(since, movedAt()) + graceMs - performance.now();
      if (timeLeft > 0) timer = setTimeout(waitForProgress, timeLeft, since);
      else end({ failure: deadlineError() });
    };
    const endAtDeadline = (): void => {
      if (isHeld()) {
        timer = setTimeout(endAtDeadline, timeoutMs);
        return;
      }
      waitForProgress(performance.now());
      controller.abort(deadlineError());
    };
    let timer = setTimeout(endAtDeadline, timeoutMs);
    cancels.add(cancel);
    asked.then(
      (answer) => end({ answer }),
      (failure: unknown) => end({ failure: isAbort(failure, controller.signal) ? deadlineError(failure) : failure }),
    );
  });
}

/** Whether a failure was caused by the aborted signal. */
function isAbort(failure: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (failure === signal.reason || (failure as { name?: unknown } | null)?.name === "AbortError");
}
