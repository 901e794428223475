import type { SequentialModel } from "../../../../running/histories/index.ts";

/** The operation on one ask; `of` names it before it has an id. A submit of another variant has another title under the same key. */
export type Input = { of: string } & (
  | { do: "submit"; variant: number }
  | { do: "read" | "cancel" | "decline"; id: string }
  | { do: "answer"; id: string; value: string }
  | { do: "deadline" | "restart" }
);

/** The answer. `told`: a cancellation did not count, and the answer names a status. */
export type Output =
  | { is: "taken"; id: string; status: string }
  | { is: "shown"; id: string; variant: number; status: string; value?: string; outcome?: string }
  | { is: "told"; status: string }
  | { is: "conflict" | "absent" | "applied" | "refused" | "cancelled" | "done" };

/** The state of an ask in a hub; values that only the hub decides are bound at first sight. */
export interface AskState {
  variant: number;
  status: string;
  id?: string;
  value?: string;
  /** Its resolution_id. */
  outcome?: string;
}

export interface HistoryState {
  ask?: AskState;
  /** Its deadline has passed. */
  past: boolean;
}

/** One ask of a hub, asked one thing after the other. It is judged more leniently than single scenarios judge: it is about order alone. */
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
        return read(state, input.id, output);
      case "cancel":
        return withdrawn(state, output);
      case "answer":
        return resolveIn(state, { status: "answered", value: input.value }, output);
      case "decline":
        return resolveIn(state, { status: "declined" }, output);
    }
  },
  key: ({ ask, past }) =>
    JSON.stringify(
      ask === undefined ? [past] : [past, ask.variant, ask.status, ask.id ?? "", ask.value ?? "", ask.outcome ?? ""],
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
  // Of an expiry, repetitions may learn later than others.
  const isLate = status === "open" && ask.status === "expired";
  return isLate ? bindMembers(state, { id }) : seeStatus(state, status).flatMap((each) => bindMembers(each, { id }));
}

function read(state: HistoryState, id: string, output: Output | undefined): HistoryState[] {
  const { ask } = state;
  if (output === undefined) return [state];
  if (output.is === "absent") return ask === undefined || (ask.id !== undefined && ask.id !== id) ? [state] : [];
  if (output.is !== "shown" || ask === undefined || output.variant !== ask.variant || output.id !== id) return [];
  const { status, value, outcome } = output;
  return seeStatus(state, status).flatMap((each) =>
    bindMembers(each, { id, ...(value === undefined ? {} : { value }), ...(outcome === undefined ? {} : { outcome }) }),
  );
}

/** A resolution may be refused for reasons of the hub's own, but then it has no effect. */
function resolveIn(
  state: HistoryState,
  end: Pick<AskState, "status" | "value">,
  output: Output | undefined,
): HistoryState[] {
  if (output?.is === "refused") return [state];
  return output === undefined || output.is === "applied" ? endIn(state, end) : [];
}

function withdrawn(state: HistoryState, output: Output | undefined): HistoryState[] {
  const { ask } = state;
  const cancelled = ask?.status === "cancelled" ? [state] : endIn(state, { status: "cancelled" });
  switch (output?.is) {
    case undefined:
    case "cancelled":
      return cancelled;
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
  const { ask, past } = state;
  return ask?.status === "open" && !past ? [{ ...state, ask: { ...ask, ...end } }] : [];
}

/** A party sees a status: the present one, or an expiry that was not seen before. */
function seeStatus(state: HistoryState, status: string): HistoryState[] {
  const { ask, past } = state;
  if (ask === undefined) return [];
  if (ask.status === status) return [state];
  return ask.status === "open" && past && status === "expired" ? [{ ...state, ask: { ...ask, status } }] : [];
}

function bindMembers(state: HistoryState, members: Pick<AskState, "id" | "value" | "outcome">): HistoryState[] {
  const { ask } = state;
  const names = ["id", "value", "outcome"] as const;
  const isOther = names.some(
    (name) => ask?.[name] !== undefined && members[name] !== undefined && ask[name] !== members[name],
  );
  return ask === undefined || isOther ? [] : [{ ...state, ask: { ...ask, ...members } }];
}
