import type { Level } from "../../../../../schemas/index.ts";

/** A form of a frame, and how much it counts that such a frame is not read (absent: as much as the rule). */
type Frame = [what: string, form: (text: string) => readonly (string | Uint8Array)[], level?: Level];

/** Frames of an event stream that say the same. */
export const frames: readonly Frame[] = [
  ["as usual", (text) => [`event: aaep.event\ndata: ${text}\n\n`]],
  ["without spaces after the colons", (text) => [`event:aaep.event\ndata:${text}\n\n`]],
  // The line ends of a stream are defined in Appendix B, which is not binding.
  ["with CRLF at the ends of its lines", (text) => [`event: aaep.event\r\ndata: ${text}\r\n\r\n`], "SHOULD"],
  ["of which each byte of a character beyond ASCII is a chunk", (text) => bytewise(`data: ${text}\n\n`)],
];

/** Characters of two, three and four bytes. */
export const signs: string = "é€😀";

function bytewise(text: string): Uint8Array[] {
  return text.split(/(\P{ASCII})/u).flatMap((part) => {
    const bytes = Buffer.from(part);
    return bytes.length > part.length ? [...bytes].map((byte) => Uint8Array.of(byte)) : [bytes];
  });
}
