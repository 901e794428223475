import type { Server } from "node:http";
import { WebSocketServer } from "ws";

/** The server's side of one open WebSocket. */
export interface Connection {
  /** The path and query of the request that opened it. */
  target: string;
  send(frame: string | Uint8Array): void;
  ping(): void;
  onText(listen: (text: string) => void): void;
  onPong(listen: () => void): void;
  onClose(listen: () => void): void;
  /** Closes the WebSocket with a code of RFC 6455 (default: 1000). */
  close(code?: number): void;
  /** Breaks the connection without a closing handshake. */
  cut(): void;
}

export interface WebSocketOptions {
  /** The maximum bytes of a message (default: 16 MiB); a longer one ends the connection with 1009. */
  longest?: number;
  /** The subprotocol that is chosen if the client offers it. */
  protocol?: string;
}

/** Accepts the WebSockets of an HTTP server, without extensions. Returns a function that ends them all. */
export function takeSockets(
  server: Server,
  take: (connection: Connection) => void,
  { longest: maxPayload = 16 * 1024 * 1024, protocol }: WebSocketOptions = {},
): () => void {
  const handleProtocols = (protocols: Set<string>): string | false =>
    protocol !== undefined && protocols.has(protocol) ? protocol : false;
  const subprotocolOptions = protocol === undefined ? {} : { handleProtocols };
  const sockets = new WebSocketServer({ server, maxPayload, perMessageDeflate: false, ...subprotocolOptions });
  sockets.on("connection", (socket, { url = "/" }) => {
    // An error also closes the connection, which is reported.
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
