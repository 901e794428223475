import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { copyOfMessage, session } from "./session.ts";
import { stampAt } from "./session-messages.ts";

/** An entry like the first of a type in a recording, with other members. */
export type TracePiece = readonly [like: readonly JsonObject[], type: string, members: Members];

const plainSession = session("start think wait ask reject think complete");

/** Events that happen at the same time. */
export function insertMeanwhile(seconds: number, ...pieces: readonly TracePiece[]): JsonObject[] {
  return pieces.map(([like, type, members], index) =>
    copyOfMessage(like, type, { event_id: `evt_${seconds}${index + 1}`, timestamp: stampAt(seconds), ...members }),
  );
}

export function turn(from: string, to: string): TracePiece {
  return [plainSession, "state.changed", { from_state: from, to_state: to }];
}

export function saysDecision(decision: string, token: string): TracePiece {
  return [plainSession, "confirmation.reply", { decision, reply_token: token, event_id: undefined }];
}
