import { checkOne, usualSteps } from "./check.ts";
import { forgetOutput, type History, type HistoryOperation, type SequentialModel } from "./history.ts";

export interface Smallest<Input, Output> {
  /** The operations that contradict each other, in the order of their calls. */
  operations: HistoryOperation<Input, Output>[];
  /** Whether there is no smaller set anywhere; otherwise, only none within this one. */
  isLeast: boolean;
  steps: number;
}

/** The fewest answers in one object's illegal history that no order explains. An operation is dropped by forgetting its output, but not its possible effect, so a read keeps the write that it saw. The remaining history is illegal on its own. Undefined if the history is legal, or if this number of steps does not decide it. */
export function smallestIllegal<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: History<Input, Output>,
  most: number = usualSteps,
): Smallest<Input, Output> | undefined {
  let left = most;
  const isIllegal = (kept: ReadonlySet<number>): boolean => {
    if (left <= 0) return false;
    const cut = history.map((operation, index) => (kept.has(index) ? operation : forgetOutput(operation)));
    const { verdict, steps } = checkOne(model, cut, left);
    left -= steps;
    return verdict === "illegal";
  };

  const ended = [...history.keys()].filter((index) => history[index]?.end?.output !== undefined);
  const order = ended.sort((a, b) => callOf(history, a) - callOf(history, b) || a - b);
  let kept = new Set(order);
  if (!isIllegal(kept)) return undefined;
  // The last ones are dropped first, so that the remaining check fails early.
  for (const index of [...order].reverse()) {
    const fewer = new Set([...kept].filter((each) => each !== index));
    if (isIllegal(fewer)) kept = fewer;
  }
  for (let size = 1; size < kept.size && left > 0; size++) {
    const found = firstHolding(choices(order, size), isIllegal);
    if (found !== undefined) kept = found;
  }
  const operations = [...kept].map((index) => history[index] as HistoryOperation<Input, Output>);
  return { operations, isLeast: left > 0, steps: most - Math.max(left, 0) };
}

function callOf(history: History<unknown, unknown>, index: number): number {
  return history[index]?.call ?? 0;
}

function firstHolding(sets: Iterable<number[]>, holds: (set: ReadonlySet<number>) => boolean): Set<number> | undefined {
  for (const each of sets) {
    const set = new Set(each);
    if (holds(set)) return set;
  }
  return undefined;
}

/** All selections of this many numbers, in order; those with the first numbers come first. */
function* choices(all: readonly number[], size: number, from = 0): Generator<number[]> {
  if (size === 0) yield [];
  else
    for (let index = from; index <= all.length - size; index++)
      for (const rest of choices(all, size - 1, index + 1)) yield [all[index] as number, ...rest];
}
