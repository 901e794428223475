import type { Json, OutgoingMessage, Question } from "../../../schemas/index.ts";
import { replaceValueAt } from "../../base/http/replacement.ts";
import { freshIn, refreshValues } from "./fresh-values.ts";

/** Creates the message to a receiver for a question: the document itself, or its carrier. */
export function outgoingMessage(
  { document, data, text, bytes, keep, sign, seed }: Question,
  isWrapped: boolean,
  now: number,
): OutgoingMessage {
  const { wrap } = document;
  const parts = freshIn(document);
  const refreshOwn = (part: Json): Json => refreshValues(part, parts.own, { keep, seed, now });
  if (data === undefined) return { text: text ?? (bytes as Uint8Array), fresh: refreshOwn, keep, sign: sign === true };
  if (wrap === undefined || !isWrapped) return { was: data, fresh: refreshOwn, keep, sign: sign === true };
  return {
    was: replaceValueAt(wrap.in, wrap.at, () => data),
    fresh: (message) =>
      refreshValues(replaceValueAt(message, wrap.at, refreshOwn), parts.carrier, { keep: [], seed, now }),
    // The kept places of the question are in the document, not in its carrier.
    keep: [],
    sign: true,
  };
}
