/** An operation of one process on a shared object, as far as it could be observed. */
export interface HistoryOperation<Input, Output> {
  /** The process that performed it; usually its operations do not overlap. */
  process: string;
  input: Input;
  /** When it began, in milliseconds of a monotonic clock. */
  call: number;
  /** When it ended, with its output; without an output, neither the output nor the effect is known. Absent for an open operation: it may have taken effect at any time since, or never. */
  end?: { at: number; output?: Output };
}

export type History<Input, Output> = readonly HistoryOperation<Input, Output>[];

/** How the object behaves if operations do not overlap. */
export interface SequentialModel<State, Input, Output> {
  init(): State;
  /** Returns the states that the object may have after an operation; empty if it cannot return this output in this state. If the output is unknown, the states after the operation took effect. */
  step(state: State, input: Input, output: Output | undefined): readonly State[];
  /** Returns a key that is equal for equal states, and for no others. */
  key(state: State): string;
  /** The name of the object, if there are several independent ones. By default there is one. */
  partition?(input: Input): string;
}

/** Groups the operations by object, in the order of the first operation on each. */
export function partitionOperations<State, Input, Output>(
  { partition = () => "" }: SequentialModel<State, Input, Output>,
  history: History<Input, Output>,
): Map<string, HistoryOperation<Input, Output>[]> {
  const parts = new Map<string, HistoryOperation<Input, Output>[]>();
  for (const operation of history) {
    const name = partition(operation.input);
    parts.set(name, [...(parts.get(name) ?? []), operation]);
  }
  return parts;
}

/** Returns the same operation without its output. */
export function forgetOutput<Input, Output>(
  operation: HistoryOperation<Input, Output>,
): HistoryOperation<Input, Output> {
  const { end } = operation;
  return end === undefined ? operation : { ...operation, end: { at: end.at } };
}
