import { isUtf8 } from "node:buffer";
import { type Checker, equal, type Json, jsonOf } from "../../../../schemas/index.ts";
import { events } from "./event.ts";
import { walk } from "./walk.ts";

const messages = [
  ...events,
  "subscription.request",
  "subscription.accepted",
  "subscription.rejected",
  "confirmation.reply",
  "clarification.reply",
];

/** Members that must not have a second value: the question, its sender, and the answer. */
const decidingPaths: readonly string[] = ["/type", "/reply_token", "/decision", "/default_decision"];

/** Checks of the bytes of a message, before they are parsed. */
export const textCheckers: readonly Checker[] = [
  {
    rule: "AAEP-ENV-001",
    documents: messages,
    *read(bytes) {
      const text = decodeText(bytes);
      const value = text === undefined ? undefined : jsonOf(text);
      if (text === undefined) yield { at: "", why: "is not UTF-8" };
      else if (text.startsWith("\uFEFF")) yield { at: "", why: "begins with a byte order mark" };
      else if (value === undefined) yield { at: "", why: "is not one JSON text" };
      else if (!isAsWritten(text, value))
        for (const { at, text: own, kind, first } of walk(text)) {
          if (kind === "repeated") {
            const place = at();
            const isGrave =
              decidingPaths.includes(place) && !equal(JSON.parse(own) as Json, JSON.parse(first ?? own) as Json);
            yield { at: place, why: "is there twice", ...(isGrave ? {} : { level: "SHOULD" }) };
          } else if (own.startsWith('"') && /\p{Surrogate}/u.test(JSON.parse(own) as string))
            yield { at: at(), why: "contains half a surrogate pair" };
        }
    },
  },
  {
    rule: "AAEP-ENV-035",
    documents: events,
    *read(bytes) {
      const text = decodeText(bytes);
      if (text === undefined || !/\d{16}/.test(text) || jsonOf(text) === undefined) return;
      for (const { at, text: own, kind } of walk(text))
        if (kind === "value" && isTooBig(own))
          yield { at: at(), why: `is the number ${shortenLiteral(own)}, beyond 2^53` };
    },
  },
];

function decodeText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : undefined;
}

/** Whether a text equals the output of JSON.stringify for its value, without lone surrogates. No name then occurs twice. */
function isAsWritten(text: string, value: Json): boolean {
  try {
    return JSON.stringify(value) === text && !/\\u[dD]/.test(text);
  } catch {
    // The value is nested too deeply to be written.
    return false;
  }
}

/** Compares the digits as they are written: as a double, the number has lost the last one. */
function isTooBig(literal: string): boolean {
  const [, digits] = /^-?([0-9]+)$/.exec(literal) ?? [];
  if (digits === undefined) return false;
  const most = "9007199254740992";
  return digits.length === most.length ? digits > most : digits.length > most.length;
}

function shortenLiteral(literal: string): string {
  return literal.length > 40 ? `${literal.slice(0, 20)}… of ${literal.length} digits` : literal;
}
