import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Action,
  type AgentSetting,
  isObject,
  type JsonObject,
  readJson,
  type SigningKey,
  TouchstoneError,
} from "../../../../../schemas/index.ts";
import { readRequestBody } from "../../../../base/http/request-body.ts";
import { submitAsk } from "./asking.ts";
import { type AgentPolicy, correctAgentPolicy, type ReceivedPush, type Signatures } from "./policy.ts";

/** A running agent, and the setting that the suite needs to reach it. */
export interface StartedAgent {
  setting: AgentSetting;
  close(): Promise<void>;
}

/**
 * Starts an agent on the loopback interface, for testing only. Instead of acting on an outcome, it records an action and
 * reports it at `/acted`. Throws a usage error if the port cannot be used.
 */
export async function startAgent(
  key: SigningKey,
  policy: Partial<AgentPolicy> = {},
  port: number | undefined = 0,
): Promise<StartedAgent> {
  const signatures = await import("../../rules/signature.ts");
  const agent = new OutcomeAgent(key, await verifyingKey(key), signatures, { ...correctAgentPolicy, ...policy });
  const server = createServer((request, response) => serveRequest(agent, request, response));
  await new Promise<void>((resolve, fail) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      fail(new TouchstoneError("usage", `port ${port} cannot be used: ${cause.code}`, { hint: "name another", cause })),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  agent.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback?agent=1`;
  return {
    setting: { url: agent.url, key, hooks: hooksOf(agent) },
    close: () =>
      new Promise((resolve) => {
        agent.stopAsking();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function hooksOf(agent: OutcomeAgent): NonNullable<AgentSetting["hooks"]> {
  return {
    expect: (message) => agent.expectMessage(message),
    acted: () => ({ actions: [...agent.actions] }),
    submit: (request) => agent.submit(request),
    restart: () => agent.restart(),
  };
}

/** The hooks that the agent also offers over HTTP, by path. */
const operations: Readonly<Record<string, (agent: OutcomeAgent, input: JsonObject) => JsonObject>> = {
  "/acted": ({ actions }) => ({ actions }),
  "/expect": (agent, message) => agent.expectMessage(message),
  "/submit": (agent, request) => agent.submit(request),
  "/restart": (agent) => agent.restart(),
};

/** Answers a call of a hook, or a push to any other path. */
async function serveRequest(agent: OutcomeAgent, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readRequestBody(request);
  if (typeof body === "string") {
    response.writeHead(body === "broken" ? 400 : 413, { connection: "close" }).end(() => request.destroy());
    return;
  }
  const operation = operations[request.url ?? ""];
  if (operation === undefined) {
    response.writeHead(statusOfPush(agent, body, request.headers["ahcp-signature"])).end();
    return;
  }
  const answer = JSON.stringify(operation(agent, parseBody(body)));
  response.writeHead(200, { "content-type": "application/json" }).end(answer);
}

function statusOfPush(agent: OutcomeAgent, body: Buffer, header: string | string[] | undefined): number {
  try {
    const { value } = readJson(body, "body");
    return isObject(value) ? agent.receivePush(value, typeof header === "string" ? header : undefined) : 400;
  } catch {
    return 400;
  }
}

/** An agent that acts on outcomes, and records its actions. */
class OutcomeAgent {
  /** The address of its callback. */
  url = "";
  readonly actions: Action[] = [];
  readonly #key: SigningKey;
  readonly #verifyingKey: ReceivedPush["key"];
  readonly #signatures: Signatures;
  readonly #policy: AgentPolicy;
  readonly #seenOutcomes = new Set<string>();
  /** The time when each used nonce may be forgotten, in milliseconds since 1970. */
  readonly #nonceExpiries = new Map<string, number>();
  /** The agent of each announced message, by message id. */
  readonly #agentsByMessage = new Map<string, string>();
  readonly #stopController = new AbortController();

  constructor(key: SigningKey, verifying: ReceivedPush["key"], signatures: Signatures, policy: AgentPolicy) {
    this.#key = key;
    this.#verifyingKey = verifying;
    this.#signatures = signatures;
    this.#policy = policy;
  }

  /** Verifies a push and acts on its outcome. Returns the HTTP status of the answer. */
  receivePush(body: JsonObject, header: string | undefined): number {
    const policy = this.#policy;
    const now = Date.now();
    const push: ReceivedPush = { body, header, url: this.url, key: this.#verifyingKey, clock: now / 1000 };
    const nonce = policy.nonceIn(header ?? "");
    const isUsed = nonce !== undefined && (this.#nonceExpiries.get(nonce) ?? 0) > now;
    const useNonce = (): void =>
      void (nonce !== undefined && this.#nonceExpiries.set(nonce, now + policy.nonceLifetimeMs));
    if (policy.usesUpUnverified) useNonce();
    if (policy.verify(push, this.#signatures) !== undefined) return 401;
    // Only a verified push uses up a nonce: otherwise any sender could use it up.
    if (isUsed) return 409;
    useNonce();
    return this.#act(body, "pushed");
  }

  /** Announces a message, so that the agent expects its outcome. Returns the state to send with the message. */
  expectMessage({ id, agent }: JsonObject): JsonObject {
    const name = isObject(agent) ? String(agent.id) : "";
    this.#agentsByMessage.set(String(id), name);
    const state = this.#policy.sealState(String(id), name);
    return state === undefined ? {} : { state };
  }

  /** Submits an ask to a hub in the background. */
  submit({ hub, agent = "touchstone-agent", push }: JsonObject): JsonObject {
    const policy = this.#policy;
    const asksForPush = policy.asksForPush ?? push === true;
    const options = {
      agent: String(agent),
      policy,
      state: policy.sealState(randomUUID(), String(agent)),
      callback: asksForPush ? callbackOf(this.url, this.#key) : undefined,
      onOutcome: (response: JsonObject): void => void (policy.actsOnReads && this.#act(response, "read")),
      signal: this.#stopController.signal,
    };
    submitAsk(String(hub), options).catch(() => {});
    return {};
  }

  /** Simulates a restart: the agent loses its memory unless its policy makes it durable. */
  restart(): JsonObject {
    if (!this.#policy.isDurable) for (const memory of [this.#seenOutcomes, this.#nonceExpiries]) memory.clear();
    return { restarted: true };
  }

  stopAsking(): void {
    this.#stopController.abort();
  }

  /** Acts on an accepted outcome, once. Returns the status of the answer to a push. */
  #act(body: JsonObject, channel: "pushed" | "read"): number {
    const { in_reply_to: messageId, resolution_id: resolutionId, resolution = "" } = body;
    if (!this.#policy.acceptsState(body, this.#agentsByMessage.get(String(messageId)))) return 422;
    const outcomeKey = this.#policy.outcomeKey(body, channel);
    if (outcomeKey !== undefined && this.#seenOutcomes.has(outcomeKey)) return 200;
    if (outcomeKey !== undefined) this.#seenOutcomes.add(outcomeKey);
    this.actions.push({
      in_reply_to: String(messageId),
      resolution_id: String(resolutionId),
      resolution,
      isDefault: this.#policy.isDefault(body),
    });
    return 200;
  }
}

/** The callback of a message. The test has already given the hub its key. */
function callbackOf(url: string, { alg }: SigningKey): JsonObject {
  const auth = alg === "hmac-sha256" ? { scheme: "hmac", secret_ref: "ours" } : { scheme: "bearer", token_ref: "ours" };
  return { mode: "push", url, auth };
}

async function verifyingKey(key: SigningKey): Promise<ReceivedPush["key"]> {
  if (key.alg === "hmac-sha256") return key;
  const { ed25519 } = await import("@noble/curves/ed25519.js");
  return { alg: key.alg, public_key: Buffer.from(ed25519.getPublicKey(Buffer.from(key.seed, "hex"))).toString("hex") };
}

/** The input of an operation, or an empty object if the body is not a JSON object. */
function parseBody(body: Buffer): JsonObject {
  try {
    const { value } = readJson(body, "body");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
