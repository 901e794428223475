import type { History } from "./history.ts";

/** A call, with the return that belongs to it unless it is open; or a return. */
export interface Event {
  /** Index of its operation. */
  index: number;
  isCall: boolean;
  return?: Event;
  before: Event | undefined;
  after: Event | undefined;
}

/** The events of a history in their order, behind a head that is not an event. Throws a RangeError when one returned before it was called. */
export function eventsOf(history: History<unknown, unknown>): Event {
  const timed = history.flatMap(({ call, end }, index) => {
    if (end !== undefined && !(end.at >= call)) throw new RangeError(`operation ${index} ends before it begins`);
    const called = { index, at: call, isCall: true };
    return end === undefined ? [called] : [called, { index, at: end.at, isCall: false }];
  });
  // At one instant calls come first: what may have been at once is taken to have been.
  timed.sort((a, b) => a.at - b.at || Number(b.isCall) - Number(a.isCall) || a.index - b.index);
  const head: Event = { index: -1, isCall: false, before: undefined, after: undefined };
  const calls = new Map<number, Event>();
  let last = head;
  for (const { index, isCall } of timed) {
    const event: Event = { index, isCall, before: last, after: undefined };
    last.after = event;
    last = event;
    if (isCall) calls.set(index, event);
    else (calls.get(index) as Event).return = event;
  }
  return head;
}

/** Removes a call and its return from the list. */
export function lift(call: Event): void {
  unlink(call);
  if (call.return !== undefined) unlink(call.return);
}

/** Restores the last removed call. */
export function unlift(call: Event): void {
  if (call.return !== undefined) relink(call.return);
  relink(call);
}

function unlink({ before, after }: Event): void {
  if (before !== undefined) before.after = after;
  if (after !== undefined) after.before = before;
}

function relink(event: Event): void {
  if (event.before !== undefined) event.before.after = event;
  if (event.after !== undefined) event.after.before = event;
}
