import { type Freshness, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { stringIn, stringsAt, withSpans } from "../../http/spans.ts";
import { make, type Occasion, seedFor } from "./fresh.ts";

/**
 * A JSON text, which need be none, in which the texts that a live server wants unique, or near now, are so, and nothing else is touched: where they
 * stand before its fault, and as they are usually written. Members that it is about are left alone.
 */
export function freshenText(text: string, entries: readonly Freshness[], occasion: Occasion): string {
  let fresh = text;
  for (const entry of entries) {
    const isKept = occasion.keep.some((kept) => pointer.related(kept, entry.at));
    if (isKept || entry.make === "signature" || entry.make === "unix-time") continue;
    const path = pointer.segments(entry.at);
    // Under a name that is there twice there may be two values, which stay two.
    for (const [index, old] of [...new Set(plainAt(fresh, path).map(({ value }) => value))].entries()) {
      const made = valueFor(fresh, old, entry, { ...occasion, seed: occasion.seed + index });
      if (made === undefined) continue;
      const spans = plainAt(fresh, path).flatMap(({ span, value }) => (value === old ? [span] : []));
      fresh = withSpans(fresh, spans, JSON.stringify(made));
    }
  }
  return fresh;
}

function plainAt(text: string, path: readonly string[]): { span: { from: number; to: number }; value: string }[] {
  return stringsAt(text, path).flatMap((span) => {
    const value = stringIn(text, span);
    const isUsual = value !== undefined && JSON.stringify(value) === text.slice(span.from, span.to);
    return isUsual && isAscii(value) ? [{ span, value }] : [];
  });
}

function valueFor(text: string, old: string, entry: Freshness, { seed, now, fitting }: Occasion): string | undefined {
  const made = make(entry, seed, now);
  const fit =
    fitting === undefined ? made : fitting(messageIn(text, old, entry.at), entry, made, seedFor(seed, entry.at));
  return typeof fit === "string" && isAscii(fit) ? fit : undefined;
}

/** Then it is the same in every encoding of the text. */
function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** The message that the text is, or the least that has the member. */
function messageIn(text: string, old: string, at: string): Json {
  try {
    const message = JSON.parse(text) as Json;
    if (pointer.at(at, message) === old) return message;
  } catch {
    // A fault of the text is what most of them are about.
  }
  return pointer.segments(at).reduceRight<Json>((value, name): JsonObject => ({ [name]: value }), old);
}
