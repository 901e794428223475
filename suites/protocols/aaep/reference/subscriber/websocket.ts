import { once } from "node:events";
import { WebSocket } from "ws";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerLine } from "./line.ts";

/** Subscribes over a WebSocket: one message per text frame, beginning with the request. */
export async function overWebSocket(url: string, request: JsonObject): Promise<ProducerLine> {
  const socket = new WebSocket(url, ["aaep.v1"], { perMessageDeflate: false, handshakeTimeout: 10_000 });
  await once(socket, "open");
  // A connection ends after a failure.
  socket.on("error", () => {});
  const ended = once(socket, "close");
  const came: string[] = [];
  let hear = (text: string): void => void came.push(text);
  socket.on("message", (data) => hear(String(data)));
  socket.send(JSON.stringify(request));
  await Promise.race([once(socket, "message", { signal: AbortSignal.timeout(10_000) }), ended]);
  return {
    answer: JSON.parse(came.shift() ?? "{}") as JsonObject,
    send: (message) => new Promise((done) => socket.send(JSON.stringify(message), () => done())),
    async listen(take) {
      for (const text of came.splice(0)) take(text);
      hear = take;
      await ended;
    },
    end: () => socket.close(1000),
  };
}
