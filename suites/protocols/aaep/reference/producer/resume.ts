import { offer } from "./emit.ts";
import type { Producer, Subscription } from "./model.ts";
import { state } from "./work.ts";

/** Sends a subscription that comes back what it has missed since an event, or how things stand. */
export function reconnect(producer: Producer, subscription: Subscription, last: string): void {
  const { resumes } = producer.policy;
  if (resumes === "nothing") return;
  for (const session of producer.sessions.values()) {
    const at = session.events.findIndex(({ event_id: id }) => id === last);
    if (at === -1) continue;
    if (resumes === "the state") state(producer, session, "awaiting_input", "awaiting_input");
    else
      for (const event of session.events.slice(resumes === "everything" ? 0 : at + 1))
        offer(producer, subscription, event);
  }
}
