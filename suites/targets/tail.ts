import type { Readable } from "node:stream";
import { quote } from "../text/show.ts";

/** Bytes of what was printed that are kept. */
const kept = 4096;

/** Drains streams and keeps the end of what they said, for the message about a crash. */
export function tail(...streams: (Readable | null)[]): () => string {
  let last = Buffer.alloc(0);
  for (const stream of streams) {
    stream?.on("data", (chunk: Buffer) => {
      last = Buffer.concat([last, Buffer.from(chunk)]).subarray(-kept);
    });
    stream?.on("error", () => {});
  }
  return () => (last.length === 0 ? "" : `; it printed last: ${quote(last.toString("utf8").trim(), kept)}`);
}
