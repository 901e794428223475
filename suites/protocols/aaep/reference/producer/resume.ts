import type { JsonObject } from "../../../../../schemas/index.ts";
import { offer } from "./emit.ts";
import type { Policy, Producer, Subscription } from "./model.ts";
import { state } from "./work.ts";

/** Sends a subscription that comes back what it has missed since an event, or how things stand. */
export function reconnect(producer: Producer, subscription: Subscription, last: string): void {
  const { resumes } = producer.policy;
  for (const session of producer.sessions.values()) {
    const at = session.events.findIndex(({ event_id: id }) => id === last);
    if (at === -1) continue;
    if (resumes === "the state") state(producer, session, "awaiting_input", "awaiting_input");
    else for (const event of chosen(resumes, session.events, at + 1)) offer(producer, subscription, event);
  }
}

/** The events that are sent again, where those from an index on were missed. */
function chosen(resumes: Policy["resumes"], events: readonly JsonObject[], from: number): readonly JsonObject[] {
  const missed = events.slice(from);
  switch (resumes) {
    case "nothing":
      return [];
    case "everything":
      return events;
    case "all but the first":
      return missed.slice(1);
    case "all but questions":
      return missed.filter(({ type }) => !String(type).startsWith("aaep:agent.awaiting."));
    case "the last state":
      return missed.slice(
        Math.max(
          0,
          missed.findLastIndex(({ type }) => type === "aaep:agent.state.changed"),
        ),
      );
    default:
      return missed;
  }
}
