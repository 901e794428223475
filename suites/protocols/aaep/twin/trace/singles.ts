import type { Say } from "../../../../packs/twins/say.ts";
import { event } from "../event.ts";
import { change, message, messageNames } from "../messages.ts";
import { manifest } from "../records.ts";
import type { Item } from "./items.ts";

/** Breaking a recommendation is not a reason to refuse a recording. */
const slight = ["usual-timeouts", "usual-urgency", "versions-told"];

/** Reports faults that an implementation may leave to the check of single messages. */
export function sayAside(say: Say): Say {
  return (why, ...freedoms) => {
    if (freedoms.some((freedom) => slight.includes(freedom))) return;
    if (freedoms.length === 0) say(why, "recorded-messages");
    else say(why, "advice-on-recorded-messages", ...freedoms);
  };
}

/** Judges a message of a recording separately. */
export function sayOfMessage(say: Say, { message: value, from, type, isEvent }: Item): void {
  const isMeantAsEvent = from === "producer" && (value.event_id !== undefined || value.session_id !== undefined);
  if (isEvent || isMeantAsEvent) event(sayAside(say), value);
  else if (messageNames.includes(type)) message(sayAside(say), type, value);
  else if (type === "subscription.renegotiate" || type === "subscription.close") change(sayAside(say), value);
  else if (type === "aaep:producer.manifest") manifest(sayAside(say), value);
}
