import { gatherChunks } from "../../base/process/chunks.ts";

/** Bytes of one line; a command that writes more without a line feed cannot be listened to. */
export const maxLineLength: number = 16 * 1024 * 1024;

/** Cuts a stream of bytes into lines of text. `onLine` is never called with an empty line; false from `push`: a line is too long. */
export function createLineReader(onLine: (line: string) => void): { push(chunk: Buffer): boolean } {
  const held = gatherChunks();
  return {
    push(chunk) {
      let begin = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
        held.add(chunk.subarray(begin, end));
        const line = held.bytes().toString("utf8").trim();
        held.clear();
        begin = end + 1;
        if (line !== "") onLine(line);
      }
      if (begin < chunk.length) held.add(chunk.subarray(begin));
      return held.size <= maxLineLength;
    },
  };
}
