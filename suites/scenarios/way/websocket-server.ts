import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** One open WebSocket as its server has it: text frames alone, as long as it lasts. */
export interface Connection {
  /** Path and query that it was opened with. */
  target: string;
  send(text: string): void;
  ping(): void;
  onText(listen: (text: string) => void): void;
  onPong(listen: () => void): void;
  onClose(listen: () => void): void;
  close(): void;
}

export interface WebSocketOptions {
  /** Bytes of a message (absent: 16 MiB); a longer one ends the connection with 1009. */
  longest?: number;
}

const [text, closing, pinging, ponging] = [1, 8, 9, 10];

/** Takes the WebSockets that come to an HTTP server, by RFC 6455 without extensions. Gives what ends them all. */
export function takeSockets(
  server: Server,
  take: (connection: Connection) => void,
  { longest = 16 * 1024 * 1024 }: WebSocketOptions = {},
): () => void {
  const open = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const key = request.headers["sec-websocket-key"];
    socket.on("error", () => socket.destroy());
    if (request.headers.upgrade?.toLowerCase() !== "websocket" || key === undefined) {
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      return;
    }
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    take(connectionOn(socket, head, request.url ?? "/", longest));
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
}

function connectionOn(socket: Duplex, head: Buffer, target: string, longest: number): Connection {
  const heard: ((text: string) => void)[] = [];
  const ponged: (() => void)[] = [];
  let left = head;
  let parts: Buffer[] = [];
  const write = (opcode: number, payload: Buffer): void => {
    if (socket.writable) socket.write(Buffer.concat([header(opcode, payload.length), payload]));
  };
  const end = (code: number): void => {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    write(closing, payload);
    socket.end();
  };
  const read = (): void => {
    for (;;) {
      const frame = frameIn(left);
      if (frame === undefined) {
        if (left.length > longest + 14) end(1009);
        return;
      }
      left = left.subarray(frame.length);
      const { opcode, payload, isLast } = frame;
      if (opcode === closing) {
        end(payload.length >= 2 ? payload.readUInt16BE(0) : 1000);
        return;
      }
      if (opcode === pinging) write(ponging, payload);
      else if (opcode === ponging) for (const listen of ponged) listen();
      else if (opcode === text || opcode === 0) {
        parts.push(payload);
        if (parts.reduce((sum, part) => sum + part.length, 0) > longest) {
          end(1009);
          return;
        }
        if (!isLast) continue;
        const whole = Buffer.concat(parts).toString("utf8");
        parts = [];
        for (const listen of heard) listen(whole);
      } else {
        end(1003);
        return;
      }
    }
  };
  socket.on("data", (chunk: Buffer) => {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    read();
  });
  // Whoever takes the connection listens first.
  setImmediate(read);
  return {
    target,
    send: (message) => write(text, Buffer.from(message, "utf8")),
    ping: () => write(pinging, Buffer.alloc(0)),
    onText: (listen) => void heard.push(listen),
    onPong: (listen) => void ponged.push(listen),
    onClose: (listen) => void socket.on("close", listen),
    close: () => end(1000),
  };
}

interface Frame {
  opcode: number;
  isLast: boolean;
  payload: Buffer;
  /** Bytes that it took. */
  length: number;
}

function frameIn(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second] = [bytes[0] as number, bytes[1] as number];
  const short = second & 0x7f;
  const wide = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = (second & 0x80) !== 0;
  const start = 2 + wide + (isMasked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const size = wide === 0 ? short : wide === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + size) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + size));
  const mask = bytes.subarray(start - 4, start);
  if (isMasked)
    for (let index = 0; index < size; index++) payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, payload, length: start + size };
}

function header(opcode: number, size: number): Buffer {
  const wide = size < 126 ? 0 : size < 65_536 ? 2 : 8;
  const bytes = Buffer.alloc(2 + wide);
  bytes[0] = 0x80 | opcode;
  bytes[1] = wide === 0 ? size : wide === 2 ? 126 : 127;
  if (wide === 2) bytes.writeUInt16BE(size, 2);
  if (wide === 8) bytes.writeBigUInt64BE(BigInt(size), 2);
  return bytes;
}
