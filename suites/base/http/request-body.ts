import type { IncomingMessage } from "node:http";
import { gatherChunks } from "../process/chunks.ts";

/** Bytes of a request that somebody else sends us, beyond which it is refused. */
export const longestRequest: number = 1024 * 1024;

/** The body of a request; what is wrong with it where it is too large, or breaks off. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | "too-large" | "broken"> {
  const bytes = gatherChunks();
  // Whoever drops it in the middle has sent nothing.
  request.on("error", () => {});
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes.add(chunk);
      if (bytes.size > longestRequest) return "too-large";
    }
  } catch {
    return "broken";
  }
  return bytes.bytes();
}
