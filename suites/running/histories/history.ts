/** Something that one process did with a shared object, as far as it could be seen from outside. */
export interface HistoryOperation<Input, Output> {
  /** Who did it; one after the other, as a rule. */
  process: string;
  input: Input;
  /** Milliseconds of a monotonic clock at which it began. */
  call: number;
  /**
   * The time of its end, and its output; without an output that is not known, nor whether it took effect. Absent for an open
   * operation: it may have taken effect at any time since, or never.
   */
  end?: { at: number; output?: Output };
}

export type History<Input, Output> = readonly HistoryOperation<Input, Output>[];

/** How the object would do if it were asked one thing after the other. */
export interface SequentialModel<State, Input, Output> {
  init(): State;
  /**
   * The states in which an operation may leave the object; none if it cannot return this output there. If the
   * output is unknown, the states if it takes effect.
   */
  step(state: State, input: Input, output: Output | undefined): readonly State[];
  /** Equal for equal states, and for no others. */
  key(state: State): string;
  /** Objects that have nothing to do with each other are distinguished by a name. Absent: there is one. */
  partition?(input: Input): string;
}

/** The operations of each object, in the order in which objects first come up. */
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

/** The same operation without its output. */
export function forgetOutput<Input, Output>(
  operation: HistoryOperation<Input, Output>,
): HistoryOperation<Input, Output> {
  const { end } = operation;
  return end === undefined ? operation : { ...operation, end: { at: end.at } };
}
