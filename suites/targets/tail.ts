import type { Readable } from "node:stream";
import { quote } from "../base/text/show.ts";

/** Maximum number of bytes kept of the output. */
const maxBytes = 4096;

/** Drains streams and keeps the end of their output for the message about a crash. */
export function keepTail(...streams: (Readable | null)[]): () => string {
  let tail = Buffer.alloc(0);
  for (const stream of streams) {
    stream?.on("data", (chunk: Buffer) => {
      tail = Buffer.concat([tail, Buffer.from(chunk)]).subarray(-maxBytes);
    });
    stream?.on("error", () => {});
  }
  return () => {
    const lines = withoutFrames(tail.toString("utf8").trim()).split(/\r?\n/);
    // If the beginning was cut off, the cut may have been within a secret.
    if (tail.length === maxBytes) lines[0] = `…${lines[0]}`;
    return tail.length === 0 ? "" : `; it printed last: ${lines.map((line) => quote(line, maxBytes)).join("\n")}`;
  };
}

/** Removes the calls of a stack trace except the innermost one. The error itself precedes or follows them. */
function withoutFrames(text: string): string {
  return (
    text
      // Python: lines of `File …` and their code.
      .replace(/(?:^ {2}(?:File ".*|\[Previous line .*)\n(?: {4}.*\n)*)+/gm, (frames) =>
        frames.slice(frames.lastIndexOf("  File ")),
      )
      // JavaScript: lines of `at …`.
      .replace(/^(\s+at .*)(?:\n\s+at .*)*/gm, "$1")
  );
}
