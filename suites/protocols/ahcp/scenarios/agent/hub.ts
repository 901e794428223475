import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, jsonObjectOf } from "../../../../../schemas/index.ts";
import { gatherChunks } from "../../../../base/process/chunks.ts";

/** A request from an agent to the suite's hub. */
export interface AgentRequest {
  method: string;
  path: string;
  text: string;
  /** The body, if it is a JSON object. */
  body: JsonObject | undefined;
  /** Milliseconds on a monotonic clock: when it arrived, and when its answer was sent. */
  at: number;
  answeredAt: number;
}

/** What happens to the first submit: its answer is lost, or it is refused with 429. Later ones are accepted. */
export type FirstReply = "lost" | "limited" | undefined;

/** A hub of the suite's own that one agent may talk to. */
export interface SuiteHub {
  url: string;
  retryAfter: number;
  asked: readonly AgentRequest[];
  /** Ends the message of an agent. Reads show the outcome, and are answered once `after` has resolved. A message that is not ended stays open. */
  endMessage(id: string, envelope: JsonObject, after?: Promise<unknown>): void;
  /** Whether a read of this message was answered with its outcome. */
  isRead(id: string): boolean;
  /** The id of an accepted message. */
  idOf(body: JsonObject): string | undefined;
  close(): Promise<void>;
}

/** At most this many bytes of a request are read. */
const maxBytes = 1024 * 1024;

/** Starts a hub on the loopback interface; `retryAfter` are the seconds for which a limited agent is asked to wait. */
export async function startSuiteHub(
  firstReply: FirstReply,
  retryAfter: number,
  nextId: () => string,
): Promise<SuiteHub> {
  const requests: AgentRequest[] = [];
  const acceptedMessages = new Map<string, { id: string; body: JsonObject }>();
  const outcomes = new Map<string, JsonObject>();
  const pendingReads = new Map<string, Promise<unknown>>();
  const readIds = new Set<string>();
  let url = "";

  function submit(body: JsonObject | undefined): {
    status: number;
    body?: JsonObject;
    headers?: Record<string, string>;
  } {
    if (body === undefined) return refusal(400, "validation_error");
    const key = String(body.idempotency_key ?? nextId());
    const message = acceptedMessages.get(key) ?? { id: nextId(), body };
    acceptedMessages.set(key, message);
    const status = body.type === "notify" ? "delivered" : "open";
    return { status: 202, body: { id: message.id, status, poll_url: `${url}/v1/messages/${message.id}` } };
  }

  function answer(
    method: string,
    path: string,
    body: JsonObject | undefined,
    postCount: number,
  ): ReturnType<typeof submit> | "lost" {
    if (method === "POST" && path === "/v1/messages") {
      if (postCount === 1 && firstReply === "lost") return "lost";
      if (postCount === 1 && firstReply === "limited")
        return { ...refusal(429, "rate_limited"), headers: { "retry-after": String(retryAfter) } };
      return submit(body);
    }
    const id = idIn(path);
    const message = [...acceptedMessages.values()].find((entry) => entry.id === id);
    if (method !== "GET" || message === undefined) return refusal(404, "not_found");
    const response = outcomes.get(message.id);
    if (response !== undefined) readIds.add(message.id);
    const status = String(response?.resolution ?? (message.body.type === "notify" ? "delivered" : "open"));
    return {
      status: 200,
      body: { ...message.body, id: message.id, status, ...(response === undefined ? {} : { response }) },
    };
  }

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(request).catch(() => "");
    const [method, path, at] = [request.method ?? "", request.url ?? "", performance.now()];
    const body = jsonObjectOf(text);
    const postCount =
      requests.filter((agentRequest) => agentRequest.method === "POST").length + (method === "POST" ? 1 : 0);
    const entry = { method, path, text, body, at, answeredAt: Number.POSITIVE_INFINITY };
    requests.push(entry);
    await pendingReads.get(idIn(path) ?? "");
    const reply = answer(method, path, body, postCount);
    if (reply === "lost") {
      entry.answeredAt = performance.now();
      response.socket?.destroy();
      return;
    }
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(reply.body));
    entry.answeredAt = performance.now();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    retryAfter,
    asked: requests,
    endMessage(id, envelope, after) {
      outcomes.set(id, envelope);
      if (after !== undefined)
        pendingReads.set(
          id,
          after.catch(() => {}),
        );
    },
    isRead: (id) => readIds.has(id),
    idOf: (body) =>
      [...acceptedMessages.values()].find((entry) => entry.body.idempotency_key === body.idempotency_key)?.id,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function idIn(path: string): string | undefined {
  return /^\/v1\/messages\/([^/?]+)/.exec(path)?.[1];
}

function refusal(status: number, code: string): { status: number; body: JsonObject } {
  return { status, body: { error: { code, message: "says the hub of the suite" } } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const bytes = gatherChunks();
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) bytes.add(chunk);
  }
  return bytes.bytes().toString("utf8");
}
