import type { Checker } from "../../../../../schemas/index.ts";
import { idOf, pairCalls } from "./pairing.ts";
import { onSessions } from "./recording.ts";

/** Checks of the ids of tool calls, and of the events while a call is open. */
export const callCheckers: readonly Checker[] = [
  onSessions("AAEP-TOOL-006", function* (session) {
    for (const { call, isRepeated } of pairCalls(session).pairs)
      if (isRepeated) yield { at: `${call.at}/tool_call_id`, why: `is ${idOf(call)}, the id of an earlier call` };
  }),
  onSessions("AAEP-TOOL-011", function* (session, { excludes }) {
    if (excludes("agent.tool.completed")) return;
    for (const { at, message } of pairCalls(session).earlyChanges)
      yield { at: `${at}/to_state`, why: `is ${message.to_state}, while a call is still open` };
  }),
  onSessions("AAEP-TOOL-013", function* (session) {
    for (const { call, overlaps } of pairCalls(session).pairs)
      if (overlaps)
        yield { at: call.at, why: `lacks a tool_call_id, although another call of ${call.message.tool} is open` };
  }),
];
