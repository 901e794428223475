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
  answered: number;
}

/** The treatment of submits: the first one is lost or deferred, and later ones are accepted. */
export type First = "lost" | "limited" | undefined;

/** A hub of the suite's own that one agent may talk to. */
export interface SuiteHub {
  url: string;
  retryAfter: number;
  asked: readonly AgentRequest[];
  /** Ends the message of an agent. Reads show the outcome, and are answered once `then` has resolved. A message that is not ended stays open. */
  ends(id: string, envelope: JsonObject, then?: Promise<unknown>): void;
  /** Whether a read of this message was answered with its outcome. */
  isRead(id: string): boolean;
  /** The id of an accepted message. */
  idOf(body: JsonObject): string | undefined;
  close(): Promise<void>;
}

/** Bytes of a request that are read. */
const maxBytes = 1024 * 1024;

/** Starts a hub on the loopback interface; `retryAfter` are the seconds for which a limited agent is asked to wait. */
export async function startSuiteHub(first: First, retryAfter: number, nextId: () => string): Promise<SuiteHub> {
  const asked: AgentRequest[] = [];
  const taken = new Map<string, { id: string; body: JsonObject }>();
  const outcomes = new Map<string, JsonObject>();
  const held = new Map<string, Promise<unknown>>();
  const read = new Set<string>();
  let url = "";

  function submit(body: JsonObject | undefined): {
    status: number;
    body?: JsonObject;
    headers?: Record<string, string>;
  } {
    if (body === undefined) return refusal(400, "validation_error");
    const key = String(body.idempotency_key ?? nextId());
    const kept = taken.get(key) ?? { id: nextId(), body };
    taken.set(key, kept);
    const status = body.type === "notify" ? "delivered" : "open";
    return { status: 202, body: { id: kept.id, status, poll_url: `${url}/v1/messages/${kept.id}` } };
  }

  function answer(
    method: string,
    path: string,
    body: JsonObject | undefined,
    posts: number,
  ): ReturnType<typeof submit> | "lost" {
    if (method === "POST" && path === "/v1/messages") {
      if (posts === 1 && first === "lost") return "lost";
      if (posts === 1 && first === "limited")
        return { ...refusal(429, "rate_limited"), headers: { "retry-after": String(retryAfter) } };
      return submit(body);
    }
    const id = idIn(path);
    const kept = [...taken.values()].find((each) => each.id === id);
    if (method !== "GET" || kept === undefined) return refusal(404, "not_found");
    const response = outcomes.get(kept.id);
    if (response !== undefined) read.add(kept.id);
    const status = String(response?.resolution ?? (kept.body.type === "notify" ? "delivered" : "open"));
    return {
      status: 200,
      body: { ...kept.body, id: kept.id, status, ...(response === undefined ? {} : { response }) },
    };
  }

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(request).catch(() => "");
    const [method, path, at] = [request.method ?? "", request.url ?? "", performance.now()];
    const body = jsonObjectOf(text);
    const posts = asked.filter((agentRequest) => agentRequest.method === "POST").length + (method === "POST" ? 1 : 0);
    const entry = { method, path, text, body, at, answered: Number.POSITIVE_INFINITY };
    asked.push(entry);
    await held.get(idIn(path) ?? "");
    const told = answer(method, path, body, posts);
    if (told === "lost") {
      entry.answered = performance.now();
      response.socket?.destroy();
      return;
    }
    response.writeHead(told.status, { "content-type": "application/json", ...told.headers });
    response.end(JSON.stringify(told.body));
    entry.answered = performance.now();
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", done);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    retryAfter,
    asked,
    ends(id, envelope, then) {
      outcomes.set(id, envelope);
      if (then !== undefined)
        held.set(
          id,
          then.catch(() => {}),
        );
    },
    isRead: (id) => read.has(id),
    idOf: (body) => [...taken.values()].find((each) => each.body.idempotency_key === body.idempotency_key)?.id,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
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
