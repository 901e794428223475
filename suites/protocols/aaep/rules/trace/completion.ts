import type { Checker } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { idOf, pairing } from "./pairing.ts";
import { onSessions } from "./recording.ts";

/** The completion of each call. */
export const completionCheckers: readonly Checker[] = [
  onSessions("AAEP-TOOL-007", function* (session, { keepsOut }) {
    if (keepsOut("agent.tool.invoked")) return;
    for (const { at, message } of pairing(session).orphans)
      yield { at, why: `completes a call of ${message.tool} that was not announced` };
  }),
  onSessions("AAEP-TOOL-008", function* (session, { keepsOut }) {
    const { pairs, repeats } = pairing(session);
    for (const { at, message } of repeats) yield { at, why: `completes a call of ${message.tool} again` };
    const last = session.events.at(-1) as Event;
    if (keepsOut("agent.tool.completed") || !session.isClosed) return;
    for (const { call, completion } of pairs)
      if (completion === undefined && call.era === last.era)
        yield {
          at: call.at,
          why: "is a call that nothing completes",
          ...(session.events.some(({ name }) => name === "agent.session.completed") ? {} : { level: "SHOULD" }),
        };
  }),
  onSessions("AAEP-TOOL-009", function* (session) {
    for (const { call, completion } of pairing(session).pairs) {
      const [one, other] = [call.message.tool, completion?.message.tool];
      if (completion !== undefined && typeof one === "string" && typeof other === "string" && one !== other)
        yield { at: `${completion.at}/tool`, why: `is ${other}, and the call was of ${one}` };
    }
  }),
  onSessions("AAEP-TOOL-010", function* (session) {
    for (const { call, completion } of pairing(session).pairs) {
      if (completion === undefined || idOf(call) === undefined || idOf(completion) === idOf(call)) continue;
      const id = idOf(completion);
      if (id === undefined) yield { at: completion.at, why: `lacks the tool_call_id ${idOf(call)} of its call` };
      else yield { at: `${completion.at}/tool_call_id`, why: `is ${id}, and the call was ${idOf(call)}` };
    }
  }),
];
