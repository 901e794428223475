import type { Checker } from "../../../../../schemas/index.ts";
import { idOf, pairing } from "./pairing.ts";
import { onSessions } from "./recording.ts";

/** Tool calls: their ids, and the events while they are open. */
export const callCheckers: readonly Checker[] = [
  onSessions("AAEP-TOOL-006", function* (session) {
    for (const { call, isRepeated } of pairing(session).pairs)
      if (isRepeated) yield { at: `${call.at}/tool_call_id`, why: `is ${idOf(call)}, the id of an earlier call` };
  }),
  onSessions("AAEP-TOOL-011", function* (session, { keepsOut }) {
    if (keepsOut("agent.tool.completed")) return;
    for (const { at, message } of pairing(session).early)
      yield { at: `${at}/to_state`, why: `is ${message.to_state}, while a call is still open` };
  }),
  onSessions("AAEP-TOOL-013", function* (session) {
    for (const { call, overlaps } of pairing(session).pairs)
      if (overlaps) yield { at: call.at, why: `lacks a tool_call_id, beside another call of ${call.message.tool}` };
  }),
];
