import type { Level } from "../../../../../schemas/index.ts";

/** A form of a frame, and the level of a failure to read it if it differs from the rule's. */
type FrameForm = [description: string, makeFrames: (text: string) => readonly (string | Uint8Array)[], level?: Level];

/** Forms of a frame of an event stream that have the same meaning. */
export const frameForms: readonly FrameForm[] = [
  ["as usual", (text) => [`event: aaep.event\ndata: ${text}\n\n`]],
  ["without spaces after the colons", (text) => [`event:aaep.event\ndata:${text}\n\n`]],
  // Appendix B, which defines the line ends of a stream, is not binding.
  ["with CRLF at the ends of its lines", (text) => [`event: aaep.event\r\ndata: ${text}\r\n\r\n`], "SHOULD"],
  ["with each byte of a non-ASCII character in a separate chunk", (text) => splitCharacters(`data: ${text}\n\n`)],
];

/** Characters of two, three and four bytes. */
export const specialCharacters: string = "é€😀";

function splitCharacters(text: string): Uint8Array[] {
  return text.split(/(\P{ASCII})/u).flatMap((part) => {
    const bytes = Buffer.from(part);
    return bytes.length > part.length ? [...bytes].map((byte) => Uint8Array.of(byte)) : [bytes];
  });
}
