import type { Level } from "../../../../../schemas/index.ts";

/** A form of a frame, and the level of the failure to read it (absent: the level of the rule). */
type Frame = [what: string, form: (text: string) => readonly (string | Uint8Array)[], level?: Level];

/** Frames of an event stream with the same meaning. */
export const frames: readonly Frame[] = [
  ["as usual", (text) => [`event: aaep.event\ndata: ${text}\n\n`]],
  ["without spaces after the colons", (text) => [`event:aaep.event\ndata:${text}\n\n`]],
  // Appendix B defines the line ends of a stream, and is not binding.
  ["with CRLF at the ends of its lines", (text) => [`event: aaep.event\r\ndata: ${text}\r\n\r\n`], "SHOULD"],
  ["with each byte of a non-ASCII character in a chunk of its own", (text) => bytewise(`data: ${text}\n\n`)],
];

/** Characters of two, three and four bytes. */
export const signs: string = "é€😀";

function bytewise(text: string): Uint8Array[] {
  return text.split(/(\P{ASCII})/u).flatMap((part) => {
    const bytes = Buffer.from(part);
    return bytes.length > part.length ? [...bytes].map((byte) => Uint8Array.of(byte)) : [bytes];
  });
}
