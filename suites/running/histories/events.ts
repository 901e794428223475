import type { History } from "./history.ts";

/** A call, with its return unless it is open; or a return. */
export interface HistoryEvent {
  /** The index of its operation. */
  index: number;
  isCall: boolean;
  return?: HistoryEvent;
  before: HistoryEvent | undefined;
  after: HistoryEvent | undefined;
}

/** Returns the events of a history in order, after a list head that is not an event. Throws a RangeError for a return before its call. */
export function eventsOf(history: History<unknown, unknown>): HistoryEvent {
  const events = history.flatMap(({ call, end }, index) => {
    if (end !== undefined && !(end.at >= call)) throw new RangeError(`operation ${index} ends before it begins`);
    const callEvent = { index, at: call, isCall: true };
    return end === undefined ? [callEvent] : [callEvent, { index, at: end.at, isCall: false }];
  });
  // At the same instant calls come first: operations that may have been concurrent count as concurrent.
  events.sort((a, b) => a.at - b.at || Number(b.isCall) - Number(a.isCall) || a.index - b.index);
  const head: HistoryEvent = { index: -1, isCall: false, before: undefined, after: undefined };
  const calls = new Map<number, HistoryEvent>();
  let last = head;
  for (const { index, isCall } of events) {
    const event: HistoryEvent = { index, isCall, before: last, after: undefined };
    last.after = event;
    last = event;
    if (isCall) calls.set(index, event);
    else (calls.get(index) as HistoryEvent).return = event;
  }
  return head;
}

/** Removes a call and its return from the list. */
export function removeCall(call: HistoryEvent): void {
  unlink(call);
  if (call.return !== undefined) unlink(call.return);
}

/** Restores the last removed call. */
export function restoreCall(call: HistoryEvent): void {
  if (call.return !== undefined) relink(call.return);
  relink(call);
}

function unlink({ before, after }: HistoryEvent): void {
  if (before !== undefined) before.after = after;
  if (after !== undefined) after.before = before;
}

function relink(event: HistoryEvent): void {
  if (event.before !== undefined) event.before.after = event;
  if (event.after !== undefined) event.after.before = event;
}
