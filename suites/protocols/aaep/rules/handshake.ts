import type { Change, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { acceptance, request } from "./messages.ts";

export const document = "handshake";
/** Where the record has what was granted. */
export const terms = "/accepted/honored_capabilities";

/** A record of a request with these capabilities and an acceptance with those. */
export function shake(wanted: Json, granted: Json): JsonObject {
  return { request: request(wanted), accepted: acceptance(granted) };
}

/** A handshake that keeps a rule about one member of what is granted. */
export function kept(
  name: string,
  member: string,
  says: string,
  wanted: Json,
  granted: Json,
  edge: boolean = false,
): ValidCase {
  const data = shake(wanted, granted);
  return { name, at: `${terms}/${member}`, says, data, ...(edge ? { edge } : {}) };
}

/** One that was changed so that it breaks the rule. */
export function broken(name: string, from: string, says: string, change: Change[], level?: "SHOULD"): InvalidCase {
  return { name, from, says, change, ...(level === undefined ? {} : { level }) };
}
