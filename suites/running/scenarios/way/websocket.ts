import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type RawData, WebSocket } from "ws";
import {
  type Channel,
  type ScenarioContext,
  type SocketReply,
  type StreamEnd,
  TargetFailure,
} from "../../../../schemas/index.ts";
import { type MessageQueue, type NextItem, queueFor } from "./queue.ts";

/** The placeholder for a frame other than text. */
export const binary = "(binary)";

/** A WebSocket to a counterpart. */
export interface Socket {
  send(text: string): void;
  /** Waits for the next text frame. A binary frame is returned as the placeholder `binary`. */
  next(milliseconds?: number): Promise<NextItem<string>>;
  /** Returns the number of ping frames so far. They are answered automatically. */
  pings(): number;
  /** Begins the closing handshake, with a code of RFC 6455 (default: 1000). */
  close(code?: number): void;
  /** Breaks the connection. */
  cut(): void;
  ended(): StreamEnd;
  /** Returns the close code; undefined while the socket is open, or if it was closed without a code. */
  code(): number | undefined;
}

/** The answer to a request for a socket. An answer without a socket is a refusal. */
interface DialResult extends Omit<SocketReply, "channel"> {
  socket: Socket | undefined;
}

/** The maximum number of pings on one socket; a server usually sends one in half a minute. */
const maxPings = 1000;
/** The maximum bytes that are read from a socket, and from a refusal. */
const [maxSocketBytes, maxRefusalBytes] = [16 * 1024 * 1024, 65_536];
/** Milliseconds for the closing handshake at the end of a scenario. */
const closingGraceMs = 1000;

/** Opens a socket that is closed with the scenario. Throws a TargetFailure if none opens within the bound `answer`. */
export async function openSocket(context: ScenarioContext, url: string): Promise<Socket> {
  const { socket, status } = await dialSocket(context, url);
  if (socket !== undefined) return socket;
  throw new TargetFailure("errored", "connect", `no WebSocket at ${url}: it was refused (HTTP ${status})`);
}

/** Requests a socket as a channel of frames. Throws a TargetFailure if there is no answer within the bound `answer`. */
export async function dialChannel(
  context: ScenarioContext,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<SocketReply> {
  const lowerCaseHeaders = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const { socket, ...head } = await dialSocket(context, url, Object.fromEntries(lowerCaseHeaders));
  return { ...head, channel: socket === undefined ? undefined : channelOf(socket) };
}

function channelOf({ send, next, ended, code, close, cut }: Socket): Channel {
  return {
    tell: send,
    ended,
    code,
    close,
    cut,
    async next(milliseconds) {
      const item = await next(milliseconds);
      return typeof item === "string" ? item : { item: { data: item.item } };
    },
  };
}

function newClient(
  url: string,
  subprotocols: string | undefined,
  headers: Readonly<Record<string, string>>,
): WebSocket {
  const protocols = subprotocols === undefined ? [] : subprotocols.split(",").map((name) => name.trim());
  // Without extensions, every server receives the same messages.
  return new WebSocket(url, protocols, {
    headers,
    perMessageDeflate: false,
    maxPayload: maxSocketBytes,
    // Pings are counted before they are answered, so that a flood is noticed.
    autoPong: false,
  });
}

/** Requests a socket that is closed with the scenario; header names are in lower case. Throws a TargetFailure after the bound `answer`. */
async function dialSocket(
  context: ScenarioContext,
  url: string,
  { "sec-websocket-protocol": subprotocols, ...headers }: Readonly<Record<string, string>> = {},
): Promise<DialResult> {
  const client = newClient(url, subprotocols, headers);
  closeAtEnd(context, client);
  const answers = queueFor<DialResult>(context);
  let failureReason = "";
  let head: Pick<DialResult, "status" | "headers"> = { status: 101, headers: {} };
  const socket = socketOf(context, client);
  client.on("upgrade", ({ statusCode = 101, headers: responseHeaders }: IncomingMessage) => {
    head = { status: statusCode, headers: plainHeaders(responseHeaders) };
  });
  client.on("open", () => answers.put({ ...head, text: "", socket }));
  client.on("unexpected-response", (request, response) => {
    void readRefusal(response).then((refusal) => {
      answers.put(refusal);
      request.destroy();
    });
  });
  client.on("error", ({ message }) => {
    failureReason = message;
    answers.end();
  });
  client.on("close", () => answers.end());
  const answer = await answers.next();
  if (answer === "silence")
    throw new TargetFailure("timed-out", "connect", `no WebSocket at ${url}: it did not open in time`);
  if (answer === "end")
    throw new TargetFailure(
      "errored",
      "connect",
      `no WebSocket at ${url}: it was refused${failureReason === "" ? "" : `: ${failureReason}`}`,
    );
  return answer.item;
}

function closeAtEnd(context: ScenarioContext, client: WebSocket): void {
  context.closing(() => {
    if (client.readyState !== WebSocket.OPEN) return client.terminate();
    client.close();
    // A counterpart that does not complete the closing handshake must not keep the process alive.
    const graceTimer = setTimeout(() => client.terminate(), closingGraceMs);
    client.once("close", () => clearTimeout(graceTimer));
  });
}

function socketOf(context: ScenarioContext, client: WebSocket): Socket {
  const queue: MessageQueue<string> = queueFor(context);
  let [pings, size] = [0, 0];
  let end: StreamEnd = "open";
  let code: number | undefined;
  const overflow = (why: string): void => {
    end = "limit";
    queue.end(new TargetFailure("errored", "read", why));
    client.terminate();
  };
  client.on("message", (data: RawData, isBinary: boolean) => {
    const text = isBinary ? binary : String(data);
    size += (data as Buffer).length;
    context.record({ from: "target", to: "touchstone", text });
    queue.put(text);
    if (size > maxSocketBytes) overflow(`it sends more than ${maxSocketBytes} bytes on a WebSocket`);
    else if (queue.isOver) overflow("it sends without end");
  });
  client.on("ping", (data) => {
    pings += 1;
    if (pings < maxPings && client.readyState === WebSocket.OPEN) client.pong(data);
    if (pings === maxPings) overflow(`it sends pings without end: ${maxPings} of them`);
  });
  client.on("close", (closeCode) => {
    // 1005 means that no code was received, and 1006 that the closing handshake is missing (RFC 6455, 7.1.5).
    if (end === "open") end = closeCode === 1006 ? "cut" : "closed";
    if (closeCode !== 1005 && closeCode !== 1006) code = closeCode;
    queue.end();
  });
  return {
    send(text) {
      context.record({ from: "touchstone", to: "target", text });
      if (client.readyState === WebSocket.OPEN) client.send(text);
    },
    next: (milliseconds) => queue.next(milliseconds),
    pings: () => pings,
    close: (closeCode) => client.close(closeCode),
    cut: () => client.terminate(),
    ended: () => end,
    code: () => code,
  };
}

/** Reads the refusal of a request for a socket, with the beginning of its body. */
async function readRefusal(response: IncomingMessage): Promise<DialResult> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxRefusalBytes) break;
    }
  } catch {
    // The received part of the body is shown.
  }
  const text = Buffer.concat(chunks).subarray(0, maxRefusalBytes).toString("utf8");
  return { status: response.statusCode ?? 0, headers: plainHeaders(response.headers), text, socket: undefined };
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
