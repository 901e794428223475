import type { ServerResponse } from "node:http";
import { setImmediate as soon } from "node:timers/promises";

/** How many texts may wait to be written piece by piece. If there are more, their pieces follow at once. */
const backlog = 5;

/** A function that writes to a response: whole texts, or pieces of this many bytes, each in its own chunk. */
export function writerTo(
  response: ServerResponse,
  size: number | undefined,
): { write(text: string): void; end(): void } {
  if (size === undefined) return { write: (text) => void response.write(text), end: () => void response.end() };
  let last = Promise.resolve();
  let waiting = 0;
  const queue = (act: () => Promise<void> | void): void => {
    last = last.then(act);
  };
  return {
    write(text) {
      waiting += 1;
      queue(async () => {
        const bytes = Buffer.from(text);
        for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
          response.write(bytes.subarray(from, from + size));
          // With a long backlog, a pause after each piece would hold up new events.
          if (waiting < backlog) await soon();
        }
        waiting -= 1;
      });
    },
    end: () => queue(() => void response.end()),
  };
}
