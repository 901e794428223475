import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { request as call } from "undici";

/** How a party sends bytes and uses connections, regardless of the content. */
export interface Transport {
  /** The number of bytes of a body written at once; if absent, all of them. */
  piece?: number;
  /** The milliseconds after which a connection without a request is closed; if absent, it stays open. */
  idle?: number;
  /** Whether a connection is closed after each answer. */
  closes?: true;
  /** Whether the headers of a stream are sent with its first item. */
  holdsHeaders?: true;
  /** The milliseconds before a request is answered. */
  delay?: number;
  /** If set, one in this many requests is refused with status 503 and `Retry-After`. */
  unavailableEach?: number;
  /** Rewrites a JSON body without changing its meaning. */
  respells?(text: string): string;
}

/** The maximum number of pieces of a body, so that tests do not take minutes. */
const maxPieces = 200;

/** Starts a proxy that serves the content of another server with this transport. */
export async function serveThrough(
  origin: () => string,
  transport: Transport,
): Promise<{ url: string; close(): Promise<void> }> {
  let requestCount = 0;
  const ending = new AbortController();
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  // By default the server never closes an idle connection.
  server.keepAliveTimeout = transport.idle ?? 0;
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const { method = "GET", url = "/" } = request;
    if (transport.delay !== undefined && !url.startsWith("/operator/")) await sleep(transport.delay);
    requestCount += 1;
    if (transport.closes === true) response.setHeader("connection", "close");
    if (
      transport.unavailableEach !== undefined &&
      method === "POST" &&
      requestCount % transport.unavailableEach === 0
    ) {
      response.writeHead(503, { "content-type": "text/plain", "retry-after": "1" }).end("try again");
      return;
    }
    const clientGone = new AbortController();
    response.on("close", () => clientGone.abort());
    const { connection: _, "transfer-encoding": _coding, ...headers } = request.headers;
    const answer = await call(`${origin()}${url}`, {
      method: method as "GET",
      headers,
      body,
      signal: AbortSignal.any([ending.signal, clientGone.signal]),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    await forwardAnswer(response, answer, transport);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        ending.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 0 ? null : Buffer.concat(chunks);
}

/** Forwards an answer: a stream chunk by chunk, and JSON possibly rewritten. */
async function forwardAnswer(
  response: ServerResponse,
  { statusCode, headers, body }: Awaited<ReturnType<typeof call>>,
  transport: Transport,
): Promise<void> {
  const { "content-length": _length, connection: _connection, "transfer-encoding": _sent, ...otherHeaders } = headers;
  response.writeHead(statusCode, otherHeaders);
  const type = String(otherHeaders["content-type"] ?? "");
  if (/^text\/event-stream/.test(type)) {
    if (transport.holdsHeaders !== true) response.flushHeaders();
    for await (const chunk of body as AsyncIterable<Buffer>) await writePieces(response, chunk, transport);
  } else {
    const text = await body.text();
    const isRespelled = /^application\/json/.test(type) && text !== "";
    await writePieces(response, Buffer.from(isRespelled ? (transport.respells?.(text) ?? text) : text), transport);
  }
  response.end();
}

async function writePieces(response: ServerResponse, bytes: Buffer, { piece }: Transport): Promise<void> {
  const size = piece === undefined ? bytes.length : Math.max(piece, bytes.length / maxPieces);
  for (let offset = 0; offset < bytes.length; offset += size) {
    response.write(bytes.subarray(Math.floor(offset), Math.floor(offset + size)));
    if (piece !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
}
