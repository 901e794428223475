import { gatherChunks } from "../../base/process/chunks.ts";

/** The maximum bytes of one line; a command that writes more without a line feed is given up. */
export const maxLineLength: number = 16 * 1024 * 1024;

/** Splits a stream of bytes into lines of text. `onLine` is never called with an empty line; `push` returns false if a line is too long. */
export function createLineReader(onLine: (line: string) => void): { push(chunk: Buffer): boolean } {
  const chunks = gatherChunks();
  return {
    push(chunk) {
      let begin = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
        chunks.add(chunk.subarray(begin, end));
        const line = chunks.join().toString("utf8").trim();
        chunks.clear();
        begin = end + 1;
        if (line !== "") onLine(line);
      }
      if (begin < chunk.length) chunks.add(chunk.subarray(begin));
      return chunks.size <= maxLineLength;
    },
  };
}
