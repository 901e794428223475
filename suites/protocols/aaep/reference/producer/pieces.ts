import type { ServerResponse } from "node:http";
import { setImmediate as soon } from "node:timers/promises";

/** A function that writes to a response: whole texts, or pieces of this many bytes, each in its own chunk. */
export function writerTo(
  response: ServerResponse,
  size: number | undefined,
): { write(text: string): void; end(): void } {
  if (size === undefined) return { write: (text) => void response.write(text), end: () => void response.end() };
  let last = Promise.resolve();
  const queue = (act: () => Promise<void> | void): void => {
    last = last.then(act);
  };
  return {
    write: (text) =>
      queue(async () => {
        const bytes = Buffer.from(text);
        for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
          response.write(bytes.subarray(from, from + size));
          await soon();
        }
      }),
    end: () => queue(() => void response.end()),
  };
}
