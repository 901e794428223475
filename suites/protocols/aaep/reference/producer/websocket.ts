import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { channelOf } from "./channel.ts";
import type { IsValidDocument, Producer } from "./model.ts";

/** Also serves a producer over WebSocket at the same address. Returns a function that breaks all connections. */
export function serveWebSocket(server: Server, producer: Producer, isValid: IsValidDocument): () => void {
  const sockets = new WebSocketServer({
    server,
    path: "/aaep/v1/ws",
    perMessageDeflate: false,
    maxPayload: 1024 * 1024,
    handleProtocols: (offeredProtocols) =>
      offeredProtocols.has("aaep.v1") && producer.policy.namesProtocol ? "aaep.v1" : false,
  });
  sockets.on("connection", (socket, { headers }) => {
    const principal = producer.principals.get((headers.authorization ?? "").replace(/^Bearer /, ""));
    serveConnection(producer, isValid, principal, socket);
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
  };
}

function serveConnection(
  producer: Producer,
  isValid: IsValidDocument,
  principal: string | undefined,
  socket: WebSocket,
): void {
  let isRejected = false;
  const channel = channelOf(producer, isValid, principal, {
    send(message) {
      isRejected = message.type === "subscription.rejected";
      socket.send(JSON.stringify(message));
    },
    end: () => socket.close(isRejected ? 4001 : 4000),
  });
  socket.on("message", (data) => channel.handle(String(data)));
  // After an error the connection ends, which is handled as a close.
  socket.on("error", () => {});
  socket.on("close", channel.onDisconnect);
}
