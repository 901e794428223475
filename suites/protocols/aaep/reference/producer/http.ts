import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, jsonOf, TouchstoneError } from "../../../../../schemas/index.ts";
import { gatherChunks } from "../../../../base/process/chunks.ts";
import { manifestOf, subscribe, termsOf } from "./handshake.ts";
import { type IsWhole, idFor, type Producer, type Subscription } from "./model.ts";
import { writerTo } from "./pieces.ts";
import { applyDefaults } from "./questions.ts";
import { loseSubscription, receiveMessage } from "./receive.ts";
import { reconnect, retell } from "./resume.ts";
import { upgrade } from "./websocket.ts";

export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Serves a producer as Appendix B describes it: requests and replies by POST, events as a stream. It also speaks WebSocket. */
export async function listen(producer: Producer, isWhole: IsWhole, port = 0): Promise<Listening> {
  const server = createServer((request, response) => {
    serve(producer, isWhole, request, response).catch(() => response.writeHead(500).end());
  });
  server.keepAliveTimeout = producer.policy.idle;
  const breakAll = upgrade(server, producer, isWhole);
  await startListening(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        producer.clock.close();
        server.close(() => done());
        server.closeAllConnections();
        breakAll();
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
  isWhole: IsWhole,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = answersOn(response, producer.policy.inPieces);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const principal = producer.principals.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
  const route = `${request.method} ${pathname}`;
  if (route === `GET ${producer.policy.manifestAt}`) {
    const manifest = producer.policy.manifest(manifestOf(producer, `http://${request.headers.host}`));
    return manifest === undefined ? answer(404) : answer(200, manifest);
  }
  const { paths, shakesHands } = producer.policy;
  if (route === `GET ${paths.events}`) {
    const id = searchParams.get("subscription_id") ?? "";
    const subscription = shakesHands ? producer.subscriptions.get(id) : implicitSubscription(producer);
    if (subscription === undefined) return answer(404);
    if (!producer.policy.mayRead(principal, subscription)) return answer(403);
    return openStream(producer, subscription, request, response);
  }
  const body = await bodyOf(request, producer.policy.largest);
  if (body === undefined) return answer(413);
  if (shakesHands && route === `POST ${paths.subscriptions}`)
    return openSubscription(producer, isWhole, { body, principal }, answer);
  if (route !== `POST ${paths.replies}` || !producer.policy.replies) return answer(404, { paths });
  const { status, body: said } = receiveMessage(producer, isWhole, body, principal);
  answer(status, said);
}

/** The subscription of a client that listens without a handshake and may answer. */
function implicitSubscription(producer: Producer): Subscription {
  const capabilities = { supports_confirmation_reply: true, supports_clarification_reply: true };
  const subscription: Subscription = {
    id: idFor(producer, "sub"),
    owner: undefined,
    capabilities,
    terms: termsOf(capabilities),
    budget: { tokens: 0, since: 0 },
    held: [],
  };
  producer.subscriptions.set(subscription.id, subscription);
  return subscription;
}

function openSubscription(
  producer: Producer,
  isWhole: IsWhole,
  { body, principal }: { body: string; principal: string | undefined },
  answer: AnswerSender,
): void {
  const { answer: said, subscription } = subscribe(producer, jsonOf(body) ?? null, principal, isWhole);
  if (said === undefined || subscription === undefined) {
    const refused = said?.reason_code === "authentication_required" ? 401 : producer.policy.rejects;
    answer(said === undefined ? 204 : refused, said);
    return;
  }
  producer.subscriptions.set(subscription.id, subscription);
  expectStream(producer, subscription);
  const { status, location } = producer.policy.created;
  const headers = location ? { location: `${producer.policy.paths.events}?subscription_id=${subscription.id}` } : {};
  answer(status, said, headers);
}

/** Counts a subscription as present until it has had time to open its stream. */
function expectStream(producer: Producer, subscription: Subscription): void {
  const { waitsFor } = producer.policy;
  if (waitsFor === 0) return;
  subscription.isExpected = true;
  producer.clock.after(waitsFor, () => {
    if (subscription.isExpected !== true) return;
    delete subscription.isExpected;
    applyDefaults(producer, "loss");
  });
}

function openStream(
  producer: Producer,
  subscription: Subscription,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { flushes, inPieces } = producer.policy;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  if (flushes) response.flushHeaders();
  const { write, end } = writerTo(response, inPieces ? 31 : undefined);
  subscription.outlet?.end();
  const outlet = {
    send(message: JsonObject): void {
      for (const data of producer.policy.frames(JSON.stringify(message), message))
        write(producer.policy.spells(data, message));
    },
    end,
  };
  subscription.outlet = outlet;
  delete subscription.isExpected;
  response.on("close", () => {
    if (subscription.outlet === outlet) loseSubscription(producer, subscription);
  });
  if (flushes) write(": welcome\n\n");
  const last = request.headers["last-event-id"];
  if (typeof last === "string") reconnect(producer, subscription, last);
  else retell(producer, subscription);
}

/** The text of a body; undefined if it is longer than the limit. */
async function bodyOf(request: IncomingMessage, most: number): Promise<string | undefined> {
  const bytes = gatherChunks();
  let isTooLong = false;
  // Reads to the end, so that the sender gets the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    isTooLong ||= bytes.size + chunk.length > most;
    if (!isTooLong) bytes.add(chunk);
  }
  return isTooLong ? undefined : bytes.bytes().toString("utf8");
}

type AnswerSender = (status: number, body?: JsonObject, headers?: Record<string, string>) => void;

function answersOn(response: ServerResponse, isByteByByte: boolean): AnswerSender {
  return (status, body, headers = {}) => {
    response.writeHead(status, { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers });
    const { write, end } = writerTo(response, isByteByByte ? 1 : undefined);
    if (body !== undefined) write(JSON.stringify(body));
    end();
  };
}
