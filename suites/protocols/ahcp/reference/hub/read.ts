import { type Caller, findEntry } from "./access.ts";
import type { RunningHub } from "./hub.ts";
import { expire } from "./lifecycle.ts";
import { type HubReply, isReply } from "./reply.ts";
import type { StoredMessage } from "./store.ts";
import { instant } from "./time.ts";

/** The query parameters of a read, not yet parsed. */
export interface Query {
  wait: string | undefined;
  since: string | undefined;
}

/** The maximum time that a read waits, in seconds. */
const maxSeconds = 60;

/** Reads a message and its outcome. With `wait`, waits for an outcome first. */
export async function read(
  hub: RunningHub,
  caller: Caller,
  { id, query, signal }: { id: string; query: Query; signal: AbortSignal },
): Promise<HubReply> {
  const entryBefore = findEntry(hub, caller, id, "maySee");
  if (isReply(entryBefore)) return entryBefore;
  expire(hub, entryBefore, "read");
  const seconds = hub.policy.secondsToWait(secondsIn(query.wait), query.wait);
  const hasWaited = entryBefore.status === "open" && seconds > 0;
  if (hasWaited) await waitForChange(hub, id, seconds, signal);
  // Look it up again: it may have been deleted, and a restart replaces all entries.
  const entry = findEntry(hub, caller, id, "maySee");
  if (isReply(entry)) return entry;
  expire(hub, entry, "read");
  // Query parsing turns the plus of an offset into a space.
  const since = query.since?.replace(/ (?=\d\d:\d\d$)/, "+");
  const reply: HubReply =
    since !== undefined && hub.policy.isUnchanged(entry, instant(since))
      ? { status: 304 }
      : { status: 200, body: showEntry(hub, entry) };
  return hub.policy.reply(reply, { route: "read", hub, entry, hasWaited });
}

function showEntry({ policy }: RunningHub, entry: StoredMessage): NonNullable<HubReply["body"]> {
  const { id, status, envelope } = entry;
  const members = policy.shownMembers(entry.message, entry);
  return { ...members, id, status, ...(envelope === undefined ? {} : { response: envelope }) };
}

/** The seconds to wait; 0 if the parameter is not a positive number. */
function secondsIn(wait: string | undefined): number {
  return wait !== undefined && /^\d+(\.\d+)?$/.test(wait) ? Math.min(Number(wait), maxSeconds) : 0;
}

/** Waits until the message changes, or the time is over by the real clock or the hub's clock. */
function waitForChange(hub: RunningHub, id: string, seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const waiters = hub.waiting.get(id) ?? new Set();
    hub.waiting.set(id, waiters.add(finishWait));
    const timer = setTimeout(finishWait, seconds * 1000);
    const cancelTimer = hub.clock.at(hub.clock.now() + seconds * 1000, finishWait);
    signal.addEventListener("abort", finishWait);
    hub.ending.signal.addEventListener("abort", finishWait);
    function finishWait(): void {
      clearTimeout(timer);
      cancelTimer();
      waiters.delete(finishWait);
      if (waiters.size === 0) hub.waiting.delete(id);
      signal.removeEventListener("abort", finishWait);
      hub.ending.signal.removeEventListener("abort", finishWait);
      resolve();
    }
  });
}
