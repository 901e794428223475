import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, jsonOf, TouchstoneError } from "../../../../../schemas/index.ts";
import { gatherChunks } from "../../../../base/process/chunks.ts";
import { manifestOf, subscribe, termsOf } from "./handshake.ts";
import { type IsValidDocument, idFor, type Producer, type Subscription } from "./model.ts";
import { applyDefaults } from "./questions.ts";
import { loseSubscription, receiveMessage } from "./receive.ts";
import { writerTo } from "./response-writer.ts";
import { reconnect, repeatEarlierEvents } from "./resume.ts";
import { serveWebSocket } from "./websocket.ts";

export interface RunningServer {
  url: string;
  close(): Promise<void>;
}

/** Serves a producer as Appendix B describes it: requests and replies by POST, events as a stream. WebSocket is served as well. */
export async function listen(producer: Producer, isValid: IsValidDocument, port = 0): Promise<RunningServer> {
  const server = createServer((request, response) => {
    serve(producer, isValid, request, response).catch(() => response.writeHead(500).end());
  });
  server.keepAliveTimeout = producer.policy.idleTimeout;
  const terminateSockets = serveWebSocket(server, producer, isValid);
  await startListening(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        producer.clock.close();
        server.close(() => resolve());
        server.closeAllConnections();
        terminateSockets();
      }),
  };
}

function startListening(server: Server, port: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((error: Error) => {
    throw new TouchstoneError("usage", `port ${port} cannot be used: ${error.message}`, {
      hint: "name another port, or none for a free one",
      cause: error,
    });
  });
}

async function serve(
  producer: Producer,
  isValid: IsValidDocument,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = makeAnswerSender(response, producer.policy.sendsInPieces);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const principal = producer.principals.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
  const route = `${request.method} ${pathname}`;
  if (route === `GET ${producer.policy.manifestPath}`) {
    const manifest = producer.policy.changeManifest(manifestOf(producer, `http://${request.headers.host}`));
    return manifest === undefined ? answer(404) : answer(200, manifest);
  }
  const { paths, shakesHands } = producer.policy;
  if (route === `GET ${paths.events}`) {
    const id = searchParams.get("subscription_id") ?? "";
    const subscription = shakesHands ? producer.subscriptions.get(id) : createImplicitSubscription(producer);
    if (subscription === undefined) return answer(404);
    if (!producer.policy.mayRead(principal, subscription)) return answer(403);
    return openStream(producer, subscription, request, response);
  }
  const body = await bodyOf(request, producer.policy.maxMessageBytes);
  if (body === undefined) return answer(413);
  if (shakesHands && route === `POST ${paths.subscriptions}`)
    return openSubscription(producer, isValid, { body, principal }, answer);
  if (route !== `POST ${paths.replies}` || !producer.policy.receivesReplies) return answer(404, { paths });
  const { status, body: replyBody } = receiveMessage(producer, isValid, body, principal);
  answer(status, replyBody);
}

/** Creates a subscription for a client that listens without a handshake, and may answer. */
function createImplicitSubscription(producer: Producer): Subscription {
  const capabilities = { supports_confirmation_reply: true, supports_clarification_reply: true };
  const subscription: Subscription = {
    id: idFor(producer, "sub"),
    owner: undefined,
    capabilities,
    terms: termsOf(capabilities),
    budget: { tokens: 0, since: 0 },
    heldEvents: [],
  };
  producer.subscriptions.set(subscription.id, subscription);
  return subscription;
}

function openSubscription(
  producer: Producer,
  isValid: IsValidDocument,
  { body, principal }: { body: string; principal: string | undefined },
  answer: AnswerSender,
): void {
  const { answer: handshakeAnswer, subscription } = subscribe(producer, jsonOf(body) ?? null, principal, isValid);
  if (handshakeAnswer === undefined || subscription === undefined) {
    const refusalStatus =
      handshakeAnswer?.reason_code === "authentication_required" ? 401 : producer.policy.rejectionStatus;
    answer(handshakeAnswer === undefined ? 204 : refusalStatus, handshakeAnswer);
    return;
  }
  producer.subscriptions.set(subscription.id, subscription);
  expectStream(producer, subscription);
  const { status, location } = producer.policy.createdResponse;
  const headers = location ? { location: `${producer.policy.paths.events}?subscription_id=${subscription.id}` } : {};
  answer(status, handshakeAnswer, headers);
}

/** Counts a subscription as present until it has had time to open its stream. */
function expectStream(producer: Producer, subscription: Subscription): void {
  const { streamGrace } = producer.policy;
  if (streamGrace === 0) return;
  subscription.isExpected = true;
  producer.clock.after(streamGrace, () => {
    if (subscription.isExpected !== true) return;
    delete subscription.isExpected;
    applyDefaults(producer, "loss");
  });
}

/** The size of pieces that split events at arbitrary places. */
const pieceBytes = 31;

function openStream(
  producer: Producer,
  subscription: Subscription,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { flushesHeaders, sendsInPieces } = producer.policy;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  if (flushesHeaders) response.flushHeaders();
  const { write, end } = writerTo(response, sendsInPieces ? pieceBytes : undefined);
  subscription.outlet?.end();
  const outlet = {
    send(message: JsonObject): void {
      for (const data of producer.policy.framesOf(JSON.stringify(message), message))
        write(producer.policy.writeServerSentEvent(data, message));
    },
    end,
  };
  subscription.outlet = outlet;
  delete subscription.isExpected;
  response.on("close", () => {
    if (subscription.outlet === outlet) loseSubscription(producer, subscription);
  });
  if (flushesHeaders) write(": welcome\n\n");
  const lastEventId = request.headers["last-event-id"];
  if (typeof lastEventId === "string") reconnect(producer, subscription, lastEventId);
  else repeatEarlierEvents(producer, subscription);
}

/** Reads the text of a body. Undefined if it is longer than the limit. */
async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const bytes = gatherChunks();
  let isTooLong = false;
  // Reads the body to the end, so that the sender receives the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    isTooLong ||= bytes.size + chunk.length > maxBytes;
    if (!isTooLong) bytes.add(chunk);
  }
  return isTooLong ? undefined : bytes.join().toString("utf8");
}

type AnswerSender = (status: number, body?: JsonObject, headers?: Record<string, string>) => void;

function makeAnswerSender(response: ServerResponse, isByteByByte: boolean): AnswerSender {
  return (status, body, headers = {}) => {
    response.writeHead(status, { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers });
    const { write, end } = writerTo(response, isByteByByte ? 1 : undefined);
    if (body !== undefined) write(JSON.stringify(body));
    end();
  };
}
