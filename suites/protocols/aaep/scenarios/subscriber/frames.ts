/** Frames of an event stream that say the same. */
export const frames: readonly [what: string, form: (text: string) => readonly (string | Uint8Array)[]][] = [
  ["as usual", (text) => [`event: aaep.event\ndata: ${text}\n\n`]],
  ["without spaces after the colons", (text) => [`event:aaep.event\ndata:${text}\n\n`]],
  ["with CRLF at the ends of its lines", (text) => [`event: aaep.event\r\ndata: ${text}\r\n\r\n`]],
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
