import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { channelOf } from "./channel.ts";
import type { IsWhole, Producer } from "./model.ts";

/** Also serves a producer over WebSocket at the same address. Returns a function that breaks all connections. */
export function upgrade(server: Server, producer: Producer, isWhole: IsWhole): () => void {
  const sockets = new WebSocketServer({
    server,
    path: "/aaep/v1/ws",
    perMessageDeflate: false,
    maxPayload: 1024 * 1024,
    handleProtocols: (offered) => (offered.has("aaep.v1") && producer.policy.namesProtocol ? "aaep.v1" : false),
  });
  sockets.on("connection", (socket, { headers }) => {
    const principal = producer.principals.get((headers.authorization ?? "").replace(/^Bearer /, ""));
    converse(producer, isWhole, principal, socket);
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
  };
}

function converse(producer: Producer, isWhole: IsWhole, principal: string | undefined, socket: WebSocket): void {
  let isRejected = false;
  const channel = channelOf(producer, isWhole, principal, {
    send(message) {
      isRejected = message.type === "subscription.rejected";
      socket.send(JSON.stringify(message));
    },
    end: () => socket.close(isRejected ? 4001 : 4000),
  });
  socket.on("message", (data) => channel.take(String(data)));
  // A connection ends after a failure.
  socket.on("error", () => {});
  socket.on("close", channel.gone);
}
