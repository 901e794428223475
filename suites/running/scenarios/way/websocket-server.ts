import type { Server } from "node:http";
import { WebSocketServer } from "ws";

/** The server's side of one open WebSocket. */
export interface Connection {
  /** Path and query that it was opened with. */
  target: string;
  send(frame: string | Uint8Array): void;
  ping(): void;
  onText(listen: (text: string) => void): void;
  onPong(listen: () => void): void;
  onClose(listen: () => void): void;
  /** Ends it with a code of RFC 6455 (absent: 1000). */
  close(code?: number): void;
  /** Breaks it without a closing handshake. */
  cut(): void;
}

export interface WebSocketOptions {
  /** Bytes of a message (absent: 16 MiB); a longer one ends the connection with 1009. */
  longest?: number;
  /** The subprotocol that is chosen if it is offered. */
  protocol?: string;
}

/** Accepts the WebSockets of an HTTP server, without extensions. Returns a function that ends them all. */
export function takeSockets(
  server: Server,
  take: (connection: Connection) => void,
  { longest: maxPayload = 16 * 1024 * 1024, protocol }: WebSocketOptions = {},
): () => void {
  const handleProtocols = (offered: Set<string>): string | false =>
    protocol !== undefined && offered.has(protocol) ? protocol : false;
  const agreeing = protocol === undefined ? {} : { handleProtocols };
  const sockets = new WebSocketServer({ server, maxPayload, perMessageDeflate: false, ...agreeing });
  sockets.on("connection", (socket, { url = "/" }) => {
    // A failure of a connection ends it, and that is reported.
    socket.on("error", () => {});
    take({
      target: url,
      send: (frame) => socket.send(frame),
      ping: () => socket.ping(),
      onText: (listen) =>
        void socket.on("message", (data, isBinary) => (isBinary ? socket.close(1003) : listen(String(data)))),
      onPong: (listen) => void socket.on("pong", () => listen()),
      onClose: (listen) => void socket.on("close", () => listen()),
      close: (code = 1000) => socket.close(code),
      cut: () => socket.terminate(),
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}
