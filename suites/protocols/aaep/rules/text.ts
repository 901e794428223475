import { isUtf8 } from "node:buffer";
import { type Checker, equal, type Json, jsonOf } from "../../../../schemas/index.ts";
import { eventDocuments } from "./event.ts";
import { walkText } from "./walk.ts";

const messageDocuments = [
  ...eventDocuments,
  "subscription.request",
  "subscription.accepted",
  "subscription.rejected",
  "confirmation.reply",
  "clarification.reply",
];

/** Members that decide the meaning of a message, and therefore must not have a second value. */
const decidingPaths: readonly string[] = ["/type", "/reply_token", "/decision", "/default_decision"];

/** Checks of faults in the bytes of a message that parsing would hide. */
export const textCheckers: readonly Checker[] = [
  {
    rule: "AAEP-ENV-001",
    documents: messageDocuments,
    *read(bytes) {
      const text = decodeText(bytes);
      const value = text === undefined ? undefined : jsonOf(text);
      if (text === undefined) yield { at: "", why: "is not UTF-8" };
      else if (text.startsWith("\uFEFF")) yield { at: "", why: "begins with a byte order mark" };
      else if (value === undefined) yield { at: "", why: "is not one JSON text" };
      else if (!isCanonical(text, value))
        for (const { at, text: pieceText, kind, first } of walkText(text)) {
          if (kind === "repeated") {
            const path = at();
            const changesMeaning =
              decidingPaths.includes(path) &&
              !equal(JSON.parse(pieceText) as Json, JSON.parse(first ?? pieceText) as Json);
            yield { at: path, why: "occurs twice", ...(changesMeaning ? {} : { level: "SHOULD" }) };
          } else if (pieceText.startsWith('"') && /\p{Surrogate}/u.test(JSON.parse(pieceText) as string))
            yield { at: at(), why: "contains half a surrogate pair" };
        }
    },
  },
  {
    rule: "AAEP-ENV-035",
    documents: eventDocuments,
    *read(bytes) {
      const text = decodeText(bytes);
      if (text === undefined || !/\d{16}/.test(text) || jsonOf(text) === undefined) return;
      for (const { at, text: literal, kind } of walkText(text))
        if (kind === "value" && exceedsDouble(literal))
          yield { at: at(), why: `is the number ${shortenLiteral(literal)}, beyond 2^53` };
    },
  },
];

function decodeText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : undefined;
}

/** Whether a text is what JSON.stringify makes of its value, without lone surrogates. If so, no name occurs twice. */
function isCanonical(text: string, value: Json): boolean {
  try {
    return JSON.stringify(value) === text && !/\\u[dD]/.test(text);
  } catch {
    // The value is nested too deeply to be written.
    return false;
  }
}

/** Whether an integer is beyond 2^53. Its digits are compared, because a double would have lost the last one. */
function exceedsDouble(literal: string): boolean {
  const [, digits] = /^-?([0-9]+)$/.exec(literal) ?? [];
  if (digits === undefined) return false;
  const limit = "9007199254740992";
  return digits.length === limit.length ? digits > limit : digits.length > limit.length;
}

function shortenLiteral(literal: string): string {
  return literal.length > 40 ? `${literal.slice(0, 20)}… of ${literal.length} digits` : literal;
}
