import { eventsOf, type HistoryEvent, removeCall, restoreCall } from "./events.ts";
import { type History, type HistoryOperation, partitionOperations, type SequentialModel } from "./history.ts";

/** Whether some order explains a history. It is `undecided` if the search would have needed more steps than the limit. */
export type HistoryVerdict = "legal" | "illegal" | "undecided";

export interface CheckedHistory {
  verdict: HistoryVerdict;
  /** The number of calls of the model. */
  steps: number;
  /** An order that explains a legal history, as indices. Open operations that are not needed are omitted. */
  order?: number[];
}

/** The number of steps after which the history of one object stays undecided. */
export const usualSteps = 200_000;

/** Checks each object's operations separately. Reports the name of the first object without a valid order. */
export function check<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: History<Input, Output>,
  maxSteps: number = usualSteps,
): { verdict: HistoryVerdict; steps: number; part?: string } {
  let steps = 0;
  let verdict: HistoryVerdict = "legal";
  for (const [part, operations] of partitionOperations(model, history)) {
    const result = checkOne(model, operations, maxSteps);
    steps += result.steps;
    if (result.verdict === "illegal") return { verdict: "illegal", steps, part };
    if (result.verdict === "undecided") verdict = "undecided";
  }
  return { verdict, steps };
}

/** The states that the object may be in, with one key for the set. */
interface Possible<State> {
  states: readonly State[];
  key: string;
}

/** Searches for an order of one object's operations that respects the times and the model: Wing and Gong's search, with Lowe's memory of visited states. README.md has the sources. */
export function checkOne<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: History<Input, Output>,
  maxSteps: number = usualSteps,
): CheckedHistory {
  const head = eventsOf(history);
  const triedStates = new Set<string>();
  const linearized: { call: HistoryEvent; from: Possible<State> }[] = [];
  let current = findPossible(model, [model.init()]);
  let linearizedBits = 0n;
  let completedCount = history.filter(({ end }) => end !== undefined).length;
  let steps = 0;
  let nextEvent = head.after;
  while (completedCount > 0) {
    if (nextEvent?.isCall === true) {
      const { input, end } = history[nextEvent.index] as HistoryOperation<Input, Output>;
      steps += current.states.length;
      if (steps > maxSteps) return { verdict: "undecided", steps };
      const previous = current;
      const statesAfter = previous.states.flatMap((state) => model.step(state, input, end?.output));
      const isUnknown = end !== undefined && end.output === undefined;
      const possibleAfter = findPossible(model, isUnknown ? [...previous.states, ...statesAfter] : statesAfter);
      const operationBit = 1n << BigInt(nextEvent.index);
      // An open operation that changes nothing can be left out.
      const isUnneeded = end === undefined && possibleAfter.key === previous.key;
      const visitedKey = `${(linearizedBits | operationBit).toString(36)} ${possibleAfter.key}`;
      if (possibleAfter.states.length > 0 && !isUnneeded && !triedStates.has(visitedKey)) {
        triedStates.add(visitedKey);
        linearized.push({ call: nextEvent, from: previous });
        removeCall(nextEvent);
        completedCount -= end === undefined ? 0 : 1;
        linearizedBits |= operationBit;
        current = possibleAfter;
        nextEvent = head.after;
      } else nextEvent = nextEvent.after;
      continue;
    }
    // At an unexplained return, or at the end of the list, the last choice was wrong.
    const lastChoice = linearized.pop();
    if (lastChoice === undefined) return { verdict: "illegal", steps };
    restoreCall(lastChoice.call);
    if (lastChoice.call.return !== undefined) completedCount += 1;
    linearizedBits &= ~(1n << BigInt(lastChoice.call.index));
    current = lastChoice.from;
    nextEvent = lastChoice.call.after;
  }
  return { verdict: "legal", steps, order: linearized.map(({ call }) => call.index) };
}

function findPossible<State>(
  model: Pick<SequentialModel<State, never, never>, "key">,
  states: readonly State[],
): Possible<State> {
  const byKey = new Map(states.map((state) => [model.key(state), state]));
  const keys = [...byKey.keys()].sort();
  return { states: keys.map((key) => byKey.get(key) as State), key: JSON.stringify(keys) };
}
