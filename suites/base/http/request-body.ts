import type { IncomingMessage } from "node:http";
import { gatherChunks } from "../process/chunks.ts";

/** The maximum length of a request body, in bytes; longer requests are refused. */
export const maxRequestLength: number = 1024 * 1024;

/** Reads the body of a request. Returns the fault if it is too large or breaks off. */
export async function readRequestBody(request: IncomingMessage): Promise<Buffer | "too-large" | "broken"> {
  const chunks = gatherChunks();
  // The loop below reports the error; without a listener, it would end the process.
  request.on("error", () => {});
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.add(chunk);
      if (chunks.size > maxRequestLength) return "too-large";
    }
  } catch {
    return "broken";
  }
  return chunks.join();
}
