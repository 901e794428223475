import type { ReportFault } from "../../../../packs/twins/say.ts";
import { judgeEvent } from "../event.ts";
import { judgeChange, judgeMessage, messageNames } from "../messages.ts";
import { judgeManifest } from "../records.ts";
import type { Item } from "./items.ts";

/** Recommendations for single messages. Breaking one is not a reason to reject a recording. */
const recommendations = ["usual-timeouts", "usual-urgency", "versions-told"];

/** Makes a reporter for the faults of single messages. An implementation that checks a recording may ignore them. */
export function reporterOfSingleMessages(report: ReportFault): ReportFault {
  return (why, ...freedoms) => {
    if (freedoms.some((freedom) => recommendations.includes(freedom))) return;
    if (freedoms.length === 0) report(why, "recorded-messages");
    else report(why, "advice-on-recorded-messages", ...freedoms);
  };
}

/** Judges a message of a recording separately. */
export function judgeSingleMessage(report: ReportFault, { message: value, from, type, isEvent }: Item): void {
  const looksLikeEvent = from === "producer" && (value.event_id !== undefined || value.session_id !== undefined);
  if (isEvent || looksLikeEvent) judgeEvent(reporterOfSingleMessages(report), value);
  else if (messageNames.includes(type)) judgeMessage(reporterOfSingleMessages(report), type, value);
  else if (type === "subscription.renegotiate" || type === "subscription.close")
    judgeChange(reporterOfSingleMessages(report), value);
  else if (type === "aaep:producer.manifest") judgeManifest(reporterOfSingleMessages(report), value);
}
