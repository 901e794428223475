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
  /** The times of its arrival and of its answer, in milliseconds of a monotonic clock. */
  at: number;
  answeredAt: number;
}

/** The fate of the first submit: its answer is lost, or it is refused with 429. Later submits are accepted. */
export type FirstReply = "lost" | "limited" | undefined;

/** A hub that the suite runs for one agent. */
export interface SuiteHub {
  url: string;
  /** The seconds in the Retry-After of a 429. */
  retryAfter: number;
  requests: readonly AgentRequest[];
  /** Ends a message with this outcome. Until `after` is settled, reads of the message wait. */
  endMessage(id: string, envelope: JsonObject, after?: Promise<unknown>): void;
  /** Whether a read of this message was answered with its outcome. */
  isRead(id: string): boolean;
  /** The id of the accepted message with the same idempotency key. */
  idOf(body: JsonObject): string | undefined;
  close(): Promise<void>;
}

/** At most this many bytes of a request are kept. */
const maxBytes = 1024 * 1024;

/** Starts a hub on the loopback interface. `retryAfter` is the Retry-After of a 429, in seconds. */
export async function startSuiteHub(
  firstReply: FirstReply,
  retryAfter: number,
  nextId: () => string,
): Promise<SuiteHub> {
  const hub = new LoopbackHub(firstReply, retryAfter, nextId);
  await hub.listen();
  return hub;
}

interface SuiteReply {
  status: number;
  body: JsonObject;
  headers?: Record<string, string>;
}

interface SubmittedMessage {
  id: string;
  body: JsonObject;
}

class LoopbackHub implements SuiteHub {
  url = "";
  readonly retryAfter: number;
  readonly requests: AgentRequest[] = [];
  readonly #firstReply: FirstReply;
  readonly #nextId: () => string;
  /** The accepted messages, by idempotency key. */
  readonly #messages = new Map<string, SubmittedMessage>();
  /** The outcomes, by message id. */
  readonly #outcomes = new Map<string, JsonObject>();
  /** Promises that delay the reads of a message, by message id. */
  readonly #delays = new Map<string, Promise<unknown>>();
  /** The ids of the messages that were read together with their outcome. */
  readonly #readIds = new Set<string>();
  readonly #server = createServer((request, response) => this.#serve(request, response));

  constructor(firstReply: FirstReply, retryAfter: number, nextId: () => string) {
    this.#firstReply = firstReply;
    this.retryAfter = retryAfter;
    this.#nextId = nextId;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  endMessage(id: string, envelope: JsonObject, after?: Promise<unknown>): void {
    this.#outcomes.set(id, envelope);
    if (after === undefined) return;
    const settled = after.catch(() => {});
    this.#delays.set(id, settled);
  }

  isRead(id: string): boolean {
    return this.#readIds.has(id);
  }

  idOf(body: JsonObject): string | undefined {
    return [...this.#messages.values()].find((message) => message.body.idempotency_key === body.idempotency_key)?.id;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request).catch(() => "");
    const [method, path, at] = [request.method ?? "", request.url ?? "", performance.now()];
    const entry = { method, path, text, body: jsonObjectOf(text), at, answeredAt: Number.POSITIVE_INFINITY };
    this.requests.push(entry);
    const postCount = this.requests.filter((agentRequest) => agentRequest.method === "POST").length;
    await this.#delays.get(idIn(path) ?? "");
    const reply = this.#answer(entry, postCount);
    if (reply === "lost") {
      entry.answeredAt = performance.now();
      response.socket?.destroy();
      return;
    }
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(reply.body));
    entry.answeredAt = performance.now();
  }

  /** The answer to a request. `postCount` is the number of POSTs of the agent so far. */
  #answer({ method, path, body }: AgentRequest, postCount: number): SuiteReply | "lost" {
    if (method !== "POST" || path !== "/v1/messages") return this.#read(method, path);
    if (postCount === 1 && this.#firstReply === "lost") return "lost";
    if (postCount === 1 && this.#firstReply === "limited")
      return { ...refusal(429, "rate_limited"), headers: { "retry-after": String(this.retryAfter) } };
    return this.#submit(body);
  }

  /** Accepts a message. A repeated idempotency key returns the message that was accepted first. */
  #submit(body: JsonObject | undefined): SuiteReply {
    if (body === undefined) return refusal(400, "validation_error");
    const key = String(body.idempotency_key ?? this.#nextId());
    const message = this.#messages.get(key) ?? { id: this.#nextId(), body };
    this.#messages.set(key, message);
    const status = body.type === "notify" ? "delivered" : "open";
    return { status: 202, body: { id: message.id, status, poll_url: `${this.url}/v1/messages/${message.id}` } };
  }

  #read(method: string, path: string): SuiteReply {
    const id = idIn(path);
    const message = [...this.#messages.values()].find((accepted) => accepted.id === id);
    if (method !== "GET" || message === undefined) return refusal(404, "not_found");
    const response = this.#outcomes.get(message.id);
    if (response !== undefined) this.#readIds.add(message.id);
    const status = String(response?.resolution ?? (message.body.type === "notify" ? "delivered" : "open"));
    const outcome = response === undefined ? {} : { response };
    return { status: 200, body: { ...message.body, id: message.id, status, ...outcome } };
  }
}

/** The message id in a path. */
function idIn(path: string): string | undefined {
  return /^\/v1\/messages\/([^/?]+)/.exec(path)?.[1];
}

function refusal(status: number, code: string): SuiteReply {
  return { status, body: { error: { code, message: "refused by the hub of the suite" } } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const bytes = gatherChunks();
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) bytes.add(chunk);
  }
  return bytes.join().toString("utf8");
}
