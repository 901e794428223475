import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { copyOfMessage, sessionOf } from "./session.ts";
import { stampAt } from "./session-messages.ts";

/** A copy of the first entry of a type in a recording, with other members. */
export type TracePiece = readonly [trace: readonly JsonObject[], type: string, members: Members];

const plainSession = sessionOf("start think wait ask reject think complete");

/** Makes entries that happen at the same time. */
export function insertMeanwhile(seconds: number, ...pieces: readonly TracePiece[]): JsonObject[] {
  return pieces.map(([trace, type, members], index) =>
    copyOfMessage(trace, type, { event_id: `evt_${seconds}${index + 1}`, timestamp: stampAt(seconds), ...members }),
  );
}

export function stateChange(from: string, to: string): TracePiece {
  return [plainSession, "state.changed", { from_state: from, to_state: to }];
}

export function decisionReply(decision: string, token: string): TracePiece {
  return [plainSession, "confirmation.reply", { decision, reply_token: token, event_id: undefined }];
}
