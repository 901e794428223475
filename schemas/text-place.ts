import { type TextFault, TouchstoneError } from "./error.ts";
import type { Json } from "./json.ts";

/** A place in a text. Lines and columns count from 1, columns in UTF-16 code units, as editors count them. */
export interface TextPlace {
  line: number;
  column: number;
}

/** The value of a text, and the positions of its parts. */
export interface Text {
  value: Json;
  /** The start of the value at the JSON Pointer, or of the nearest value above it. */
  locate(pointer: string): TextPlace;
  /**
   * The number at the JSON Pointer as written; undefined for other values, if the written form is unknown, and in a text without a number
   * of 16 digits, since all its numbers equal their doubles.
   */
  number?(pointer: string): string | undefined;
  /** The file and the JSON Pointer in it, for a value composed of several files. For a generated value, those of the nearest written value above it. */
  origin?(pointer: string): { file: string; at: string; isWritten: boolean };
}

export function placeAt(text: string, offset: number): TextPlace {
  let line = 1;
  let start = 0;
  for (let feed = text.indexOf("\n"); feed >= 0 && feed < offset; feed = text.indexOf("\n", start)) {
    line += 1;
    start = feed + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Returns a function from offsets to positions, which finds the lines of the text only once. */
export function placesIn(text: string): (offset: number) => TextPlace {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) starts.push(feed + 1);
  return starts;
}

/** The error for an unreadable text: the place, the problem, the remedy. */
export function unreadableText(
  file: string,
  text: string,
  {
    offset,
    what,
    hint,
    fault,
  }: { offset: number; what: string; hint?: string | undefined; fault?: TextFault | undefined },
): TouchstoneError {
  const { line, column } = placeAt(text, offset);
  return new TouchstoneError("usage", what, {
    where: `${file}:${line}:${column}`,
    ...(hint === undefined ? {} : { hint }),
    ...(fault === undefined ? {} : { fault }),
  });
}

/** Decodes a text, and keeps a byte order mark. Throws for bytes that are not UTF-8, and for half a surrogate pair. */
export function decodeText(source: string | Uint8Array, file: string): string {
  if (typeof source === "string") {
    const surrogateOffset = source.search(/\p{Surrogate}/u);
    if (surrogateOffset < 0) return source;
    throw unreadableText(file, source, {
      offset: surrogateOffset,
      what: "found half a surrogate pair, which is not a character",
      hint: "remove it",
      fault: "half-pair",
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(source);
  } catch {
    const lenient = new TextDecoder("utf-8", { ignoreBOM: true }).decode(source);
    const { offset, byte } = firstReplaced(lenient, source);
    const shownByte = `0x${byte?.toString(16).padStart(2, "0")}`;
    throw unreadableText(file, lenient, {
      offset,
      what: `found the byte ${shownByte}, which is not UTF-8`,
      hint: "save the text as UTF-8",
    });
  }
}

/** The first replacement character that the decoder inserted, and the byte that it replaces. */
function firstReplaced(text: string, bytes: Uint8Array): { offset: number; byte: number | undefined } {
  let byteIndex = 0;
  let searchStart = 0;
  for (;;) {
    const offset = text.indexOf("\uFFFD", searchStart);
    byteIndex += Buffer.byteLength(text.slice(searchStart, offset));
    if (bytes[byteIndex] !== 0xef || bytes[byteIndex + 1] !== 0xbf || bytes[byteIndex + 2] !== 0xbd)
      return { offset, byte: bytes[byteIndex] };
    byteIndex += 3;
    searchStart = offset + 1;
  }
}
