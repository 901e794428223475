import type { Checker } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { idOf, pairCalls } from "./pairing.ts";
import { onSessions } from "./recording.ts";

/** Checks of the completion of each call. */
export const completionCheckers: readonly Checker[] = [
  onSessions("AAEP-TOOL-007", function* (session, { excludes }) {
    if (excludes("agent.tool.invoked")) return;
    for (const { at, message } of pairCalls(session).unannounced)
      yield { at, why: `completes a call of ${message.tool} that was not announced` };
  }),
  onSessions("AAEP-TOOL-008", function* (session, { excludes }) {
    const { pairs, repeatedCompletions } = pairCalls(session);
    for (const { at, message } of repeatedCompletions) yield { at, why: `completes a call of ${message.tool} again` };
    const lastEvent = session.events.at(-1) as Event;
    if (excludes("agent.tool.completed") || !session.isClosed) return;
    for (const { call, completion } of pairs)
      if (completion === undefined && call.era === lastEvent.era)
        yield {
          at: call.at,
          why: "is a call that is never completed",
          ...(session.events.some(({ name }) => name === "agent.session.completed") ? {} : { level: "SHOULD" }),
        };
  }),
  onSessions("AAEP-TOOL-009", function* (session) {
    for (const { call, completion } of pairCalls(session).pairs) {
      const [calledTool, completedTool] = [call.message.tool, completion?.message.tool];
      if (
        completion !== undefined &&
        typeof calledTool === "string" &&
        typeof completedTool === "string" &&
        calledTool !== completedTool
      )
        yield { at: `${completion.at}/tool`, why: `is ${completedTool}, but the call was of ${calledTool}` };
    }
  }),
  onSessions("AAEP-TOOL-010", function* (session) {
    for (const { call, completion } of pairCalls(session).pairs) {
      if (completion === undefined || idOf(call) === undefined || idOf(completion) === idOf(call)) continue;
      const id = idOf(completion);
      if (id === undefined) yield { at: completion.at, why: `lacks the tool_call_id ${idOf(call)} of its call` };
      else yield { at: `${completion.at}/tool_call_id`, why: `is ${id}, but the id of the call was ${idOf(call)}` };
    }
  }),
];
