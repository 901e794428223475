import { isObject, type Json } from "../../../../schemas/index.ts";
import { keyOf } from "../rules/keys.ts";
import { missignMessage } from "../rules/mistakes.ts";
import { sealMessage } from "./seal.ts";

export { meet } from "./meeting.ts";

/** Signs a message, correctly or with a named mistake. A message stays unchanged if its sender is not a test key. */
export function sign(message: Json, mistake?: string): Json {
  if (mistake === undefined) return sealMessage(message);
  const key = isObject(message) ? keyOf(message.from) : undefined;
  if (key === undefined || !isObject(message)) return message;
  const { sig: _sig, ...rest } = message;
  return { ...message, sig: missignMessage(rest, mistake, key.tweaked) };
}
