import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../../../../schemas/index.ts";
import { gatherChunks } from "../../../../base/process/chunks.ts";
import type { ConnectionHandler, Outlet } from "./connection-handler.ts";

/** The maximum bytes of a message that are stored. */
const maxBodyBytes = 2 * 1024 * 1024;

/** Opens a stream of events, with names and ids as in Appendix B.1, or without them like shipped producers. */
export function streamTo(response: ServerResponse, handler: ConnectionHandler, hasNames: boolean): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(": welcome\n\n");
  const outlet: Outlet = {
    write(text, id) {
      const data = text.split("\n").map((line) => `data: ${line}\n`);
      const head = hasNames ? `event: aaep.event\n${id === undefined ? "" : `id: ${id}\n`}` : "";
      response.write(`${head}${data.join("")}\n`);
    },
    async writeFrame(pieces) {
      for (const piece of pieces) {
        response.write(hasNames || typeof piece !== "string" ? piece : piece.replace(/^event: ?aaep\.event\r?\n/, ""));
        // The pause lets the subscriber read a piece before the next one arrives.
        if (pieces.length > 1) await sleep(5);
      }
    },
    cut: () => void response.destroy(),
    end: () => void response.end(),
  };
  response.on("close", () => handler.onEnd(outlet));
  handler.onOpen(outlet);
}

/** Handles a posted message. */
export async function handlePost(
  request: IncomingMessage,
  response: ServerResponse,
  handler: ConnectionHandler,
): Promise<void> {
  const answer = handler.handleMessage(await bodyOf(request));
  const isGranted = isObject(answer);
  const status = isGranted ? 201 : statusWithoutGrant(answer);
  const text = isGranted ? JSON.stringify(answer) : "";
  const location = isGranted ? `/aaep/v1/events?subscription_id=${answer.subscription_id}` : "";
  handler.onAnswer(text, status);
  response.writeHead(status, isGranted ? { "content-type": "application/json", location } : {}).end(text);
}

function statusWithoutGrant(answer: "refused" | undefined): number {
  return answer === "refused" ? 400 : 204;
}

/** Reads the text of a body, up to the maximum length. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const bytes = gatherChunks();
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) if (bytes.size < maxBodyBytes) bytes.add(chunk);
  } catch {
    // The subscriber has disconnected, so the body is complete.
  }
  // A character may be split between chunks.
  return bytes.join().toString("utf8");
}
