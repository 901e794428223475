import type { Json, OutgoingMessage, Question } from "../../../schemas/index.ts";
import { replace } from "../../base/http/replacement.ts";
import { freshen, freshIn } from "./fresh.ts";

/** A question as a letter to a receiver: the whole message, which is the document itself or its carrier. */
export function letterOf(
  { document, data, text, bytes, keep, sign, seed }: Question,
  isWrapped: boolean,
  now: number,
): OutgoingMessage {
  const { wrap } = document;
  const parts = freshIn(document);
  const own = (part: Json): Json => freshen(part, parts.own, { keep, seed, now });
  if (data === undefined) return { text: text ?? (bytes as Uint8Array), fresh: own, keep, sign: sign === true };
  if (wrap === undefined || !isWrapped) return { was: data, fresh: own, keep, sign: sign === true };
  return {
    was: replace(wrap.in, wrap.at, () => data),
    fresh: (message) => freshen(replace(message, wrap.at, own), parts.carrier, { keep: [], seed, now }),
    // The kept places of the question are in the document, not in its carrier.
    keep: [],
    sign: true,
  };
}
