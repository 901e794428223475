import type { RunningHub } from "./hub.ts";
import type { Happening } from "./journal.ts";
import type { LogLine } from "./log.ts";
import { applyHappening } from "./store.ts";
import { timestamp } from "./time.ts";

/** Writes an event to the journal, then applies it, so that a confirmed event is never lost. Wakes the waiting reads. */
export function commit(hub: RunningHub, happening: Happening): void {
  const recorded = hub.policy.recordedEvent(happening, hub);
  if (recorded !== undefined) hub.journal.append(recorded);
  applyHappening(hub.store, happening);
  if (!("id" in happening)) return;
  const waitingReads = [...(hub.waiting.get(happening.id) ?? [])].slice(0, hub.policy.readsToWake(happening));
  for (const wake of waitingReads) wake();
}

export function note(hub: RunningHub, event: string, line: Omit<LogLine, "at" | "event"> = {}): void {
  hub.log.write({ at: timestamp(hub.clock.now()), event, ...line });
}
