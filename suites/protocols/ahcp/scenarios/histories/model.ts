import type { SequentialModel } from "../../../../running/histories/index.ts";

/** An operation on one ask. `of` names the ask before it has an id. Submits of different variants have different titles with the same key. */
export type Input = { of: string } & (
  | { do: "submit"; variant: number }
  | { do: "read" | "cancel" | "decline"; id: string }
  | { do: "answer"; id: string; value: string }
  | { do: "deadline" | "restart" }
);

/** The answer to an operation. `told`: a cancellation had no effect, and the answer names the status. */
export type Output =
  | { is: "taken"; id: string; status: string }
  | { is: "shown"; id: string; variant: number; status: string; value?: string; outcome?: string }
  | { is: "told"; status: string }
  | { is: "conflict" | "absent" | "applied" | "refused" | "cancelled" | "done" };

/** The state of an ask in a hub. Values that the hub chooses are recorded when they are first seen. */
export interface AskState {
  variant: number;
  status: string;
  id?: string;
  value?: string;
  /** The resolution_id. */
  outcome?: string;
}

export interface HistoryState {
  ask?: AskState;
  /** The deadline has passed. */
  past: boolean;
}

/** A sequential model of one ask of a hub. It is more lenient than the scenarios, since it is only about the order of operations. */
export const hub: SequentialModel<HistoryState, Input, Output> = {
  init: () => ({ past: false }),
  step: (state, input, output) => {
    switch (input.do) {
      case "submit":
        return submitTo(state, input.variant, output);
      case "deadline":
        return [{ ...state, past: true }];
      case "restart":
        return [state];
      case "read":
        return readFrom(state, input.id, output);
      case "cancel":
        return cancelIn(state, output);
      case "answer":
        return resolveIn(state, { status: "answered", value: input.value }, output);
      case "decline":
        return resolveIn(state, { status: "declined" }, output);
    }
  },
  key: ({ ask, past: isPast }) =>
    JSON.stringify(
      ask === undefined
        ? [isPast]
        : [isPast, ask.variant, ask.status, ask.id ?? "", ask.value ?? "", ask.outcome ?? ""],
    ),
  partition: ({ of }) => of,
};

function submitTo(state: HistoryState, variant: number, output: Output | undefined): HistoryState[] {
  const { ask } = state;
  const isKnown = ask !== undefined;
  if (output === undefined) return [isKnown ? state : { ...state, ask: { variant, status: "open" } }];
  if (output.is === "conflict") return isKnown && ask.variant !== variant ? [state] : [];
  if (output.is !== "taken") return [];
  const { id, status } = output;
  if (!isKnown) return status === "open" ? [{ ...state, ask: { variant, status, id } }] : [];
  if (ask.variant !== variant) return [];
  // A repeated submit may report an expiry later than other requests.
  const isLate = status === "open" && ask.status === "expired";
  return isLate
    ? bindMembers(state, { id })
    : seeStatus(state, status).flatMap((historyState) => bindMembers(historyState, { id }));
}

function readFrom(state: HistoryState, id: string, output: Output | undefined): HistoryState[] {
  const { ask } = state;
  if (output === undefined) return [state];
  if (output.is === "absent") return ask === undefined || (ask.id !== undefined && ask.id !== id) ? [state] : [];
  if (output.is !== "shown" || ask === undefined || output.variant !== ask.variant || output.id !== id) return [];
  const { status, value, outcome } = output;
  return seeStatus(state, status).flatMap((historyState) =>
    bindMembers(historyState, {
      id,
      ...(value === undefined ? {} : { value }),
      ...(outcome === undefined ? {} : { outcome }),
    }),
  );
}

/** A resolution. The hub may refuse it for its own reasons; then it has no effect. */
function resolveIn(
  state: HistoryState,
  end: Pick<AskState, "status" | "value">,
  output: Output | undefined,
): HistoryState[] {
  if (output?.is === "refused") return [state];
  return output === undefined || output.is === "applied" ? endIn(state, end) : [];
}

function cancelIn(state: HistoryState, output: Output | undefined): HistoryState[] {
  const { ask } = state;
  const withCancellation = ask?.status === "cancelled" ? [state] : endIn(state, { status: "cancelled" });
  switch (output?.is) {
    case undefined:
    case "cancelled":
      return withCancellation;
    case "refused":
      return [state];
    case "absent":
      return ask === undefined ? [state] : [];
    case "told":
      return output.status === "open" ? [state] : seeStatus(state, output.status);
    default:
      return [];
  }
}

function endIn(state: HistoryState, end: Pick<AskState, "status" | "value">): HistoryState[] {
  const { ask, past: isPast } = state;
  return ask?.status === "open" && !isPast ? [{ ...state, ask: { ...ask, ...end } }] : [];
}

/** The states that explain a visible status: the current one, or an expiry that was not seen before. */
function seeStatus(state: HistoryState, status: string): HistoryState[] {
  const { ask, past: isPast } = state;
  if (ask === undefined) return [];
  if (ask.status === status) return [state];
  return ask.status === "open" && isPast && status === "expired" ? [{ ...state, ask: { ...ask, status } }] : [];
}

function bindMembers(state: HistoryState, members: Pick<AskState, "id" | "value" | "outcome">): HistoryState[] {
  const { ask } = state;
  const names = ["id", "value", "outcome"] as const;
  const isDifferent = names.some(
    (name) => ask?.[name] !== undefined && members[name] !== undefined && ask[name] !== members[name],
  );
  return ask === undefined || isDifferent ? [] : [{ ...state, ask: { ...ask, ...members } }];
}
