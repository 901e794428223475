import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";

/** If this many texts are waiting, they are written without pauses between their pieces. */
const maxBacklog = 5;

/** Writes texts to a response: whole, or in pieces of this many bytes, each in its own chunk. */
export function writerTo(
  response: ServerResponse,
  pieceBytes: number | undefined,
): { write(text: string): void; end(): void } {
  if (pieceBytes === undefined) return { write: (text) => void response.write(text), end: () => void response.end() };
  let lastWrite = Promise.resolve();
  let waitingTexts = 0;
  const enqueue = (task: () => Promise<void> | void): void => {
    lastWrite = lastWrite.then(task);
  };
  return {
    write(text) {
      waitingTexts += 1;
      enqueue(async () => {
        const bytes = Buffer.from(text);
        for (let offset = 0; offset < bytes.length && !response.destroyed; offset += pieceBytes) {
          response.write(bytes.subarray(offset, offset + pieceBytes));
          // With a long backlog, a pause after each piece would hold up new events.
          if (waitingTexts < maxBacklog) await nextTurn();
        }
        waitingTexts -= 1;
      });
    },
    end: () => enqueue(() => void response.end()),
  };
}
