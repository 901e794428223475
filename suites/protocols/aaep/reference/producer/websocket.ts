import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { channelOf } from "./channel.ts";
import type { IsWhole, Producer } from "./model.ts";

/** RFC 6455, section 1.3. */
const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const [continuation, text, close, ping, pong] = [0, 1, 8, 9, 10];

/** Serves a producer over WebSocket (RFC 6455) as well, at the same address. */
export function upgrade(server: Server, producer: Producer, isWhole: IsWhole): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const key = request.headers["sec-websocket-key"];
    if (key === undefined || pathname !== "/aaep/v1/ws") {
      socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
      return;
    }
    const accept = createHash("sha1").update(`${key}${magic}`).digest("base64");
    const protocols = (request.headers["sec-websocket-protocol"] ?? "").split(/, */);
    const chosen = protocols.includes("aaep.v1") && producer.policy.namesProtocol;
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    lines.push(`Sec-WebSocket-Accept: ${accept}`, ...(chosen ? ["Sec-WebSocket-Protocol: aaep.v1"] : []));
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const principal = producer.principals.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
    talk(producer, isWhole, principal, socket);
  });
  return sockets;
}

function talk(producer: Producer, isWhole: IsWhole, principal: string | undefined, socket: Duplex): void {
  const end = (code: number): void => {
    const body = Buffer.alloc(2);
    body.writeUInt16BE(code);
    socket.write(frame(close, body));
    socket.end();
  };
  let isRejected = false;
  const channel = channelOf(producer, isWhole, principal, {
    send(message) {
      isRejected = message.type === "subscription.rejected";
      socket.write(frame(text, Buffer.from(JSON.stringify(message))));
    },
    end: () => end(isRejected ? 4001 : 4000),
  });
  let rest: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  socket.on("data", (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (let found = unframed(rest); found !== undefined; found = unframed(rest)) {
      rest = rest.subarray(found.size);
      if (found.kind === ping) socket.write(frame(pong, found.body));
      if (found.kind === close) end(4000);
      if (found.kind !== text && found.kind !== continuation) continue;
      parts.push(found.body);
      if (!found.isFinal) continue;
      channel.take(Buffer.concat(parts).toString("utf8"));
      parts = [];
    }
  });
  socket.on("close", channel.gone);
}

function frame(kind: number, body: Buffer): Buffer {
  const head = body.length < 126 ? Buffer.alloc(2) : body.length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = 0x80 | kind;
  head[1] = head.length === 2 ? body.length : head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(body.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}

/** The first whole frame of a client, unmasked. */
function unframed(bytes: Buffer): { kind: number; isFinal: boolean; body: Buffer; size: number } | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const at = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < at + 4) return undefined;
  const length = at === 4 ? bytes.readUInt16BE(2) : at === 10 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < at + 4 + length) return undefined;
  const mask = bytes.subarray(at, at + 4);
  const body = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
  for (const [index, byte] of body.entries()) body[index] = byte ^ (mask[index % 4] ?? 0);
  return { kind: first & 0x0f, isFinal: (first & 0x80) !== 0, body, size: at + 4 + length };
}
