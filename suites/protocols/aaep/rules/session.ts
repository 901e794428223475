import {
  isObject,
  type Json,
  type SessionMessage,
  type SessionReader,
  type SessionRecord,
} from "../../../../schemas/index.ts";
import { entryOf } from "./trace/index.ts";

/** A message that is no valid reply is no reply: whoever asked goes on waiting. */
const replies = new Set<unknown>(["confirmation.reply", "clarification.reply"]);

export const session: SessionReader = (lines, { partial = false, ignored } = {}) => {
  const entries = lines.map((line, index): Json => {
    const entry = entryOf(line);
    return isObject(entry) && ignored?.has(index) ? { ...entry, message: {} } : entry;
  });
  const gap: Json[] = partial ? [{ gap: "the recording is a part" }] : [];
  const indexes = [...lines.keys()];
  const last = Math.max(0, lines.length - 1);
  return {
    document: "session",
    value: [...gap, ...entries, ...gap],
    at: "",
    ...(partial ? { lines: [0, ...indexes, last] } : {}),
    messages: entries.flatMap((entry, line) => messageIn(entry, line, line + gap.length)),
    records: handshakes(entries),
    hasGaps: partial || entries.some((entry) => isObject(entry) && typeof entry.gap === "string"),
  };
};

function messageIn(entry: Json, line: number, index: number): SessionMessage[] {
  if (!isObject(entry) || !isObject(entry.message)) return [];
  const { from, message } = entry;
  const sender = typeof from === "string" ? { from } : {};
  return [{ message, line, at: `/${index}/message`, ...sender, ignorable: replies.has(message.type) }];
}

/** Each acceptance with the request that it answers on its subscription. */
function handshakes(entries: readonly Json[]): SessionRecord[] {
  const asked = new Map<string, { request: Json; line: number }>();
  return entries.flatMap((entry, line) => {
    if (!isObject(entry) || !isObject(entry.message)) return [];
    const { message, subscription } = entry;
    const on = typeof subscription === "string" ? subscription : "";
    if (message.type === "subscription.request") asked.set(on, { request: message, line });
    const { request, line: from } = asked.get(on) ?? {};
    if (message.type !== "subscription.accepted" || request === undefined || from === undefined) return [];
    asked.delete(on);
    return [{ document: "handshake", value: { request, accepted: message }, lines: { request: from, accepted: line } }];
  });
}
