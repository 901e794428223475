import type { SequentialModel } from "../../../../running/histories/index.ts";

/**
 * An operation on one ask. `of` identifies the ask even before it has an id. Submits of different variants have the same key but
 * different titles.
 */
export type Input = { of: string } & (
  | { do: "submit"; variant: number }
  | { do: "read" | "cancel" | "decline"; id: string }
  | { do: "answer"; id: string; value: string }
  | { do: "deadline" | "restart" }
);

/** The answer to an operation. `reported`: a cancellation had no effect, and the answer reports the status. */
export type Output =
  | { is: "accepted"; id: string; status: string }
  | { is: "shown"; id: string; variant: number; status: string; value?: string; outcome?: string }
  | { is: "reported"; status: string }
  | { is: "conflict" | "absent" | "applied" | "refused" | "cancelled" | "done" };

/** The state of an ask in a hub. Values that the hub chooses are recorded when they first occur. */
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
  /** Whether the deadline has passed. */
  isPast: boolean;
}

/** A sequential model of one ask in a hub. It is more lenient than the scenarios, because it only tests the order of operations. */
export const hub: SequentialModel<HistoryState, Input, Output> = {
  init: () => ({ isPast: false }),
  step: (state, input, output) => {
    switch (input.do) {
      case "submit":
        return applySubmit(state, input.variant, output);
      case "deadline":
        return [{ ...state, isPast: true }];
      case "restart":
        return [state];
      case "read":
        return applyRead(state, input.id, output);
      case "cancel":
        return applyCancel(state, output);
      case "answer":
        return applyResolution(state, { status: "answered", value: input.value }, output);
      case "decline":
        return applyResolution(state, { status: "declined" }, output);
    }
  },
  key: ({ ask, isPast }) =>
    JSON.stringify(
      ask === undefined
        ? [isPast]
        : [isPast, ask.variant, ask.status, ask.id ?? "", ask.value ?? "", ask.outcome ?? ""],
    ),
  partition: ({ of }) => of,
};

function applySubmit(state: HistoryState, variant: number, output: Output | undefined): HistoryState[] {
  const { ask } = state;
  const isKnown = ask !== undefined;
  if (output === undefined) return [isKnown ? state : { ...state, ask: { variant, status: "open" } }];
  if (output.is === "conflict") return isKnown && ask.variant !== variant ? [state] : [];
  if (output.is !== "accepted") return [];
  const { id, status } = output;
  if (!isKnown) return status === "open" ? [{ ...state, ask: { variant, status, id } }] : [];
  if (ask.variant !== variant) return [];
  // A repeated submit may report an expiry later than other requests.
  const isLate = status === "open" && ask.status === "expired";
  return isLate
    ? bindMembers(state, { id })
    : explainStatus(state, status).flatMap((historyState) => bindMembers(historyState, { id }));
}

function applyRead(state: HistoryState, id: string, output: Output | undefined): HistoryState[] {
  const { ask } = state;
  if (output === undefined) return [state];
  if (output.is === "absent") return ask === undefined || (ask.id !== undefined && ask.id !== id) ? [state] : [];
  if (output.is !== "shown" || ask === undefined || output.variant !== ask.variant || output.id !== id) return [];
  const { status, value, outcome } = output;
  return explainStatus(state, status).flatMap((historyState) =>
    bindMembers(historyState, {
      id,
      ...(value === undefined ? {} : { value }),
      ...(outcome === undefined ? {} : { outcome }),
    }),
  );
}

/** Applies a resolution. The hub may refuse it for any reason; then it has no effect. */
function applyResolution(
  state: HistoryState,
  end: Pick<AskState, "status" | "value">,
  output: Output | undefined,
): HistoryState[] {
  if (output?.is === "refused") return [state];
  return output === undefined || output.is === "applied" ? endAsk(state, end) : [];
}

function applyCancel(state: HistoryState, output: Output | undefined): HistoryState[] {
  const { ask } = state;
  const withCancellation = ask?.status === "cancelled" ? [state] : endAsk(state, { status: "cancelled" });
  switch (output?.is) {
    case undefined:
    case "cancelled":
      return withCancellation;
    case "refused":
      return [state];
    case "absent":
      return ask === undefined ? [state] : [];
    case "reported":
      return output.status === "open" ? [state] : explainStatus(state, output.status);
    default:
      return [];
  }
}

function endAsk(state: HistoryState, end: Pick<AskState, "status" | "value">): HistoryState[] {
  const { ask, isPast } = state;
  return ask?.status === "open" && !isPast ? [{ ...state, ask: { ...ask, ...end } }] : [];
}

/** The states that explain a visible status: the current state, or an expiry if the deadline has passed. */
function explainStatus(state: HistoryState, status: string): HistoryState[] {
  const { ask, isPast } = state;
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
