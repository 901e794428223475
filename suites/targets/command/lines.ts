/** Bytes of one line; a command that writes more without a line feed cannot be listened to. */
export const longestLine: number = 16 * 1024 * 1024;

/** Cuts a stream of bytes into lines of text. `onLine` is never called with an empty line; false from `push`: a line is too long. */
export function lines(onLine: (line: string) => void): { push(chunk: Buffer): boolean } {
  let held: Buffer[] = [];
  let size = 0;
  return {
    push(chunk) {
      let begin = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
        held.push(chunk.subarray(begin, end));
        const line = Buffer.concat(held).toString("utf8").trim();
        held = [];
        size = 0;
        begin = end + 1;
        if (line !== "") onLine(line);
      }
      if (begin < chunk.length) {
        held.push(chunk.subarray(begin));
        size += chunk.length - begin;
      }
      return size <= longestLine;
    },
  };
}
