import { setImmediate } from "node:timers/promises";

export interface Pace<Out> {
  /** How many questions are out at once. */
  concurrency: number;
  /** Milliseconds that one question may take. */
  timeoutMs: number;
  /** Ends the whole: what has no outcome by then stays without one. */
  signal?: AbortSignal | undefined;
  onDone?: ((out: Out) => void) | undefined;
}

/** Told to a question that took too long. */
export class Deadline extends Error {}

/** Milliseconds for which answers without a wait may keep timers and signals from being served. */
const breath = 50;

/**
 * Asks about every item, `concurrency` at a time, and returns the outcomes in the order of the items, whatever the order in which
 * they came; an item is left undefined when the whole was aborted first. `settle` turns a failure into an outcome, a `Deadline`
 * among them. A question that does not end when its signal aborts is not waited for.
 */
export async function schedule<Item, Out>(
  items: readonly Item[],
  ask: (item: Item, signal: AbortSignal) => Promise<Out>,
  settle: (item: Item, failure: unknown) => Out,
  { concurrency, timeoutMs, signal, onDone }: Pace<Out>,
): Promise<(Out | undefined)[]> {
  const outcomes = new Array<Out | undefined>(items.length).fill(undefined);
  const out = new Set<() => void>();
  let next = 0;
  let rested = performance.now();

  const worker = async (): Promise<void> => {
    while (next < items.length && signal?.aborted !== true) {
      const index = next++;
      const item = items[index] as Item;
      const asked = await within(timeoutMs, out, (each) => ask(item, each));
      if (asked === undefined) return;
      const outcome = "answer" in asked ? asked.answer : settle(item, asked.failure);
      outcomes[index] = outcome;
      onDone?.(outcome);
      if (performance.now() - rested > breath) {
        await setImmediate();
        rested = performance.now();
      }
    }
  };

  const cutAll = (): void => {
    for (const cut of out) cut();
  };
  signal?.addEventListener("abort", cutAll);
  try {
    await Promise.all(Array.from({ length: Math.min(Math.max(1, concurrency), items.length) }, worker));
  } finally {
    signal?.removeEventListener("abort", cutAll);
  }
  return outcomes;
}

type Asked<Out> = { answer: Out } | { failure: unknown };

/** Undefined when it was cut off before there was an answer. */
function within<Out>(
  timeoutMs: number,
  out: Set<() => void>,
  ask: (signal: AbortSignal) => Promise<Out>,
): Promise<Asked<Out> | undefined> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const end = (asked?: Asked<Out>): void => {
      clearTimeout(timer);
      out.delete(cut);
      resolve(asked);
    };
    const cut = (): void => {
      end();
      controller.abort();
    };
    const timer = setTimeout(() => {
      const late = new Deadline(`no answer within ${timeoutMs} ms`);
      end({ failure: late });
      controller.abort(late);
    }, timeoutMs);
    out.add(cut);
    new Promise<Out>((answer) => answer(ask(controller.signal))).then(
      (answer) => end({ answer }),
      (failure: unknown) => end({ failure }),
    );
  });
}
