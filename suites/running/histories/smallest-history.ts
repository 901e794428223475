import { checkOne, usualSteps } from "./check.ts";
import { forgetOutput, type History, type HistoryOperation, type SequentialModel } from "./history.ts";

export interface Smallest<Input, Output> {
  /** The operations that contradict each other, in the order of their calls. */
  operations: HistoryOperation<Input, Output>[];
  /** Whether no smaller set exists at all; otherwise, none exists within this one. */
  isLeast: boolean;
  steps: number;
}

/** Finds the fewest answers in one object's illegal history that no order explains. An operation is dropped by forgetting its output, but not its possible effect, so a read keeps the write that it saw. The remaining history is illegal on its own. Undefined if the history is legal, or if `most` steps do not decide it. */
export function smallestIllegal<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: History<Input, Output>,
  most: number = usualSteps,
): Smallest<Input, Output> | undefined {
  let checksLeft = most;
  const isIllegal = (candidate: ReadonlySet<number>): boolean => {
    if (checksLeft <= 0) return false;
    const candidateHistory = history.map((operation, index) =>
      candidate.has(index) ? operation : forgetOutput(operation),
    );
    const { verdict, steps } = checkOne(model, candidateHistory, checksLeft);
    checksLeft -= steps;
    return verdict === "illegal";
  };

  const completed = [...history.keys()].filter((index) => history[index]?.end?.output !== undefined);
  const order = completed.sort((a, b) => callOf(history, a) - callOf(history, b) || a - b);
  let smallest = new Set(order);
  if (!isIllegal(smallest)) return undefined;
  // The last ones are dropped first, so that the remaining check fails early.
  for (const index of [...order].reverse()) {
    const smaller = new Set([...smallest].filter((candidate) => candidate !== index));
    if (isIllegal(smaller)) smallest = smaller;
  }
  for (let size = 1; size < smallest.size && checksLeft > 0; size++) {
    const firstIllegal = firstHolding(choices(order, size), isIllegal);
    if (firstIllegal !== undefined) smallest = firstIllegal;
  }
  const operations = [...smallest].map((index) => history[index] as HistoryOperation<Input, Output>);
  return { operations, isLeast: checksLeft > 0, steps: most - Math.max(checksLeft, 0) };
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

/** Yields all selections of `size` numbers, in lexicographic order. */
function* choices(all: readonly number[], size: number, from = 0): Generator<number[]> {
  if (size === 0) yield [];
  else
    for (let index = from; index <= all.length - size; index++)
      for (const otherChoices of choices(all, size - 1, index + 1)) yield [all[index] as number, ...otherChoices];
}
