import { once } from "node:events";
import { WebSocket } from "ws";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerTransport } from "./transport.ts";

/** Subscribes over a WebSocket: one message per text frame, beginning with the request. */
export async function connectOverWebSocket(url: string, request: JsonObject): Promise<ProducerTransport> {
  const socket = new WebSocket(url, ["aaep.v1"], { perMessageDeflate: false, handshakeTimeout: 10_000 });
  await once(socket, "open");
  // After an error the connection ends, which is handled as a close.
  socket.on("error", () => {});
  const closed = once(socket, "close");
  const earlyTexts: string[] = [];
  let handleNext = (text: string): void => void earlyTexts.push(text);
  socket.on("message", (data) => handleNext(String(data)));
  socket.send(JSON.stringify(request));
  await Promise.race([once(socket, "message", { signal: AbortSignal.timeout(10_000) }), closed]);
  return {
    answer: JSON.parse(earlyTexts.shift() ?? "{}") as JsonObject,
    send: (message) => new Promise((resolve) => socket.send(JSON.stringify(message), () => resolve())),
    async listen(handleText) {
      for (const text of earlyTexts.splice(0)) handleText(text);
      handleNext = handleText;
      await closed;
    },
    end: () => socket.close(1000),
  };
}
