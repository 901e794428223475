import type { ServerResponse } from "node:http";
import type { Reaction, ReactionAnswer } from "../../../../schemas/index.ts";

const bodyText = "A body without meaning: the status counts.";

/** Performs a reaction. `wait` waits for a number of milliseconds. */
export async function applyReaction(
  response: ServerResponse,
  reaction: Reaction,
  wait: (milliseconds: number) => Promise<void>,
): Promise<void> {
  if (reaction === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const {
    status,
    headers = {},
    afterMs = 0,
    half,
  }: ReactionAnswer = typeof reaction === "number" ? { status: reaction } : reaction;
  if (afterMs > 0) await wait(afterMs);
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { "content-type": "text/plain", "content-length": String(bodyText.length), ...headers });
  if (half !== true) response.end(bodyText);
  else response.write(bodyText.slice(0, bodyText.length / 2), () => response.socket?.destroy());
}
