import type { ServerResponse } from "node:http";
import { setImmediate as soon } from "node:timers/promises";

/** The maximum number of texts that are written with pauses between their pieces. If more are waiting, the pauses are left out. */
const maxBacklog = 5;

/** Writes texts to a response: whole, or in pieces of this many bytes, each in its own chunk. */
export function writerTo(
  response: ServerResponse,
  size: number | undefined,
): { write(text: string): void; end(): void } {
  if (size === undefined) return { write: (text) => void response.write(text), end: () => void response.end() };
  let lastWrite = Promise.resolve();
  let waitingTexts = 0;
  const queue = (act: () => Promise<void> | void): void => {
    lastWrite = lastWrite.then(act);
  };
  return {
    write(text) {
      waitingTexts += 1;
      queue(async () => {
        const bytes = Buffer.from(text);
        for (let offset = 0; offset < bytes.length && !response.destroyed; offset += size) {
          response.write(bytes.subarray(offset, offset + size));
          // With a long backlog, a pause after each piece would hold up new events.
          if (waitingTexts < maxBacklog) await soon();
        }
        waitingTexts -= 1;
      });
    },
    end: () => queue(() => void response.end()),
  };
}
