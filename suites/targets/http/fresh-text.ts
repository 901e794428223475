import { type Freshness, type Json, type JsonObject, pointer, type Question } from "../../../schemas/index.ts";
import { findStringsAt, replaceSpans, stringInSpan, type TextSpan } from "../../base/http/spans.ts";
import { makeFreshValue, type Occasion, seedFor } from "./fresh-values.ts";

/** Returns the text, which may not be JSON, with fresh values wherever a live server requires them to be unique or recent. Only values before the fault of the text are replaced, and their escapes are kept. Members that the vector is about, and the rest of the text, are not changed. */
export function refreshText(text: string, entries: readonly Freshness[], occasion: Occasion): string {
  let fresh = text;
  for (const entry of entries) {
    const isKept = occasion.keep.some((keptPlace) => pointer.areRelated(keptPlace, entry.at));
    if (isKept || entry.make === "signature" || entry.make === "unix-time") continue;
    // A repeated name may have two values, which stay different.
    for (const [index, old] of [...new Set(textsAt(fresh, entry.at).map(({ value }) => value))].entries()) {
      const { value, places } = fitFor(fresh, old, entry, { ...occasion, seed: occasion.seed + index });
      for (const place of places) fresh = renewText(fresh, place, old, value);
    }
  }
  return fresh;
}

function textsAt(text: string, at: string): { span: TextSpan; value: string }[] {
  return findStringsAt(text, pointer.segments(at)).flatMap((span) => {
    const value = stringInSpan(text, span);
    return value !== undefined && isAscii(value) ? [{ span, value }] : [];
  });
}

/** Whether the string at this place of a question is the same in the sent body. */
export function isSame({ data, text, bytes }: Question, sent: string | Uint8Array, at: string): boolean {
  const path = pointer.segments(at);
  const textsIn = (written: string | Uint8Array): (string | undefined)[] => {
    const wholeText = typeof written === "string" ? written : Buffer.from(written).toString("latin1");
    return findStringsAt(wholeText, path).map((span) => stringInSpan(wholeText, span));
  };
  const originals = data === undefined ? textsIn(text ?? bytes ?? "") : [pointer.at(at, data)];
  return textsIn(sent).some((sentText) => sentText !== undefined && originals.includes(sentText));
}

/** Replaces a value at a place of the text. The new value is escaped like the old one. */
function renewText(text: string, at: string, old: string, value: string): string {
  const spans = textsAt(text, at).flatMap((found) => (found.value === old ? [found.span] : []));
  // From the last place to the first, so that replacing one does not move the others.
  return spans.reduceRight(
    (wholeText, span) => replaceSpans(wholeText, [span], spellLike(value, wholeText.slice(span.from, span.to))),
    text,
  );
}

/** Writes a string with its characters escaped like those of a model, and all further characters like the model's last one. */
function spellLike(value: string, model: string): string {
  const units = model.slice(1, -1).match(/\\u[0-9a-fA-F]{4}|\\.|[^\\]/gu) ?? [];
  const isUpper = /\\u[0-9a-f]*[A-F]/.test(model);
  const written = [...value].map((character, index) => {
    const unit = units[Math.min(index, units.length - 1)] ?? "";
    if (!unit.startsWith("\\u")) return JSON.stringify(character).slice(1, -1);
    const digits = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${isUpper ? digits.toUpperCase() : digits}`;
  });
  return `"${written.join("")}"`;
}

function fitFor(
  text: string,
  old: string,
  entry: Freshness,
  { seed, now, fitting }: Occasion,
): { value: string; places: readonly string[] } {
  const made = makeFreshValue(entry, seed, now);
  const fit =
    fitting === undefined
      ? { value: made, places: [entry.at] }
      : fitting(messageIn(text, old, entry.at), entry, made, seedFor(seed, entry.at));
  return typeof fit?.value === "string" && isAscii(fit.value)
    ? { value: fit.value, places: fit.places }
    : { value: old, places: [] };
}

/** Whether a text is printable ASCII, which is the same in every encoding. */
function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Returns the message that the text contains, or the smallest object with the member if the text is not JSON. */
function messageIn(text: string, old: string, at: string): Json {
  try {
    const message = JSON.parse(text) as Json;
    if (pointer.at(at, message) === old) return message;
  } catch {
    // The text is not JSON: most of these vectors have a fault in the text.
  }
  return pointer.segments(at).reduceRight<Json>((value, name): JsonObject => ({ [name]: value }), old);
}
