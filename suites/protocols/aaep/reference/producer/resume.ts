import { offer } from "./emit.ts";
import type { Producer, Subscription } from "./model.ts";

/** Sends a subscription that comes back what it has missed since an event. */
export function reconnect(producer: Producer, subscription: Subscription, last: string): void {
  if (!producer.policy.resumes) return;
  for (const { events } of producer.sessions.values()) {
    const at = events.findIndex(({ event_id: id }) => id === last);
    if (at === -1) continue;
    const since = events.slice(at + 1);
    for (const event of since) offer(producer, subscription, event);
  }
}
