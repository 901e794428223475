import type { IncomingMessage } from "node:http";
import { gatherChunks } from "../process/chunks.ts";

/** The maximum length of a request from another party, in bytes; longer requests are refused. */
export const maxRequestLength: number = 1024 * 1024;

/** The body of a request, or the fault if it is too large or breaks off. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | "too-large" | "broken"> {
  const bytes = gatherChunks();
  // A sender that breaks off has sent nothing.
  request.on("error", () => {});
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes.add(chunk);
      if (bytes.size > maxRequestLength) return "too-large";
    }
  } catch {
    return "broken";
  }
  return bytes.bytes();
}
