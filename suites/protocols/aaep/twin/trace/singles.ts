import type { ReportFault } from "../../../../packs/twins/say.ts";
import { judgeEvent } from "../event.ts";
import { judgeChange, judgeMessage, messageNames } from "../messages.ts";
import { judgeManifest } from "../records.ts";
import type { Item } from "./items.ts";

/** Recommendations for single messages. Breaking one is not a reason to refuse a recording. */
const recommendations = ["usual-timeouts", "usual-urgency", "versions-told"];

/** Reports faults of a single message, which an implementation may leave to the check of single messages. */
export function sayOfSingleMessage(say: ReportFault): ReportFault {
  return (why, ...freedoms) => {
    if (freedoms.some((freedom) => recommendations.includes(freedom))) return;
    if (freedoms.length === 0) say(why, "recorded-messages");
    else say(why, "advice-on-recorded-messages", ...freedoms);
  };
}

/** Judges a message of a recording separately. */
export function judgeSingleMessage(say: ReportFault, { message: value, from, type, isEvent }: Item): void {
  const looksLikeEvent = from === "producer" && (value.event_id !== undefined || value.session_id !== undefined);
  if (isEvent || looksLikeEvent) judgeEvent(sayOfSingleMessage(say), value);
  else if (messageNames.includes(type)) judgeMessage(sayOfSingleMessage(say), type, value);
  else if (type === "subscription.renegotiate" || type === "subscription.close")
    judgeChange(sayOfSingleMessage(say), value);
  else if (type === "aaep:producer.manifest") judgeManifest(sayOfSingleMessage(say), value);
}
