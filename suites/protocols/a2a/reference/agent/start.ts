import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Json, TouchstoneError } from "../../../../../schemas/index.ts";
import {
  type A2aPolicy,
  type AgentAnswer,
  type AgentCall,
  AgentRefusal,
  type BindingName,
  type CallFault,
  type ReferenceAgent,
  type ServingSettings,
} from "./agent.ts";
import { failureOf, type InterfaceRequest, idIn, parseBody, readRestCall, readRpcCall, successOf } from "./bindings.ts";
import { cardOf } from "./card.ts";
import { checkCall } from "./checks.ts";
import { carryOut } from "./operations.ts";
import { answerStream } from "./stream.ts";

/** The maximum bytes of a request. */
const maxBytes = 2 * 1024 * 1024;

/** Serves an agent on a loopback port until it is closed. Throws a usage error for an unavailable port. */
export async function startAgent(
  settings: ServingSettings,
  policy: A2aPolicy,
): Promise<{ agent: ReferenceAgent; close(): Promise<void> }> {
  const store = { tasks: new Map(), taskCount: 0 };
  const ending = new AbortController();
  // Each open stream adds a listener.
  setMaxListeners(0, ending.signal);
  const agent: ReferenceAgent = { url: "", settings, policy, store, streamCount: 0, ending };
  const server = createServer((request, response) => {
    serve(agent, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new TouchstoneError("usage", `cannot listen on port ${settings.port}: ${cause.message}`, {
          hint: "choose another port",
        }),
      ),
    );
    server.listen(settings.port ?? 0, "127.0.0.1", resolve);
  });
  agent.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    agent,
    close: () =>
      new Promise((resolve) => {
        ending.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(agent: ReferenceAgent, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", agent.url);
  if (pathname === "/.well-known/agent-card.json" && request.method === "GET")
    return serveCard(agent, request, response);
  const binding = bindingAt(pathname);
  const target = (request.url ?? "").replace(/^\/(?:rpc|rest)(?=[/?]|$)/, "");
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { method = "GET" } = request;
  const bytes = await bodyOf(request);
  if (bytes === undefined) {
    const fault: CallFault = { error: "InvalidRequest", message: "the body is too long" };
    return write(response, { ...failureOf(binding, fault, null), status: 413 });
  }
  const headerNames = request.rawHeaders.filter((_, index) => index % 2 === 0);
  await answerRequest(agent, binding, { method, target, headers, headerNames, bytes }, response);
}

/** Returns the binding at a path. The card names `/rpc` and `/rest`. The profile has JSON-RPC at the root and HTTP+JSON below it. */
function bindingAt(path: string): BindingName {
  return path === "/" || path === "/rpc" ? "JSONRPC" : "HTTP+JSON";
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}

function serveCard({ policy, ...agent }: ReferenceAgent, request: IncomingMessage, response: ServerResponse): void {
  const version = String(request.headers["a2a-version"] ?? "");
  const text = JSON.stringify(policy.cardFor(version, cardOf({ policy, ...agent })));
  const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 16)}"`;
  const headers = policy.cardHeaders({ "content-type": "application/json", "cache-control": "max-age=60", etag: tag });
  if (headers.etag !== undefined && request.headers["if-none-match"] === tag) {
    const { "content-type": _, ...otherHeaders } = headers;
    response.writeHead(304, otherHeaders).end();
    return;
  }
  response.writeHead(200, headers).end(text);
}

async function answerRequest(
  agent: ReferenceAgent,
  binding: BindingName,
  request: InterfaceRequest,
  response: ServerResponse,
): Promise<void> {
  const { policy, settings } = agent;
  if (policy.readDelay > 0) await sleep(policy.readDelay);
  let value: Json | undefined;
  let call = unreadCall(binding, request);
  const answer = (agentAnswer: AgentAnswer): void => write(response, policy.changeAnswer(agentAnswer, call));
  try {
    const facts = { ...call, headers: withQueryVersion(agent, request), caller: identifyCaller(agent, request) };
    if (binding === "JSONRPC") {
      value = parseBody(request.bytes);
      call = readRpcCall(agent, value, facts);
    } else call = readRestCall(agent, request, facts);
    const isStranger = settings.tokens !== undefined && call.caller === "";
    if (isStranger && policy.makesCheck("credential", call)) return answer(credentialDemand(binding));
    checkCall(agent, call);
    if (call.operation === "SendStreamingMessage" || call.operation === "SubscribeToTask")
      return answerStream(agent, call, response);
    const { result, task } = await carryOut(agent, call);
    answer(successOf(call, policy.changeResult(result, call, task, agent)));
  } catch (error) {
    if (response.headersSent) throw error;
    const fault: CallFault = error instanceof AgentRefusal ? error.fault : { error: "Internal", message: "it failed" };
    if (policy.isSilent(fault, call)) {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      return;
    }
    answer(failureOf(binding, policy.changeFault(fault, call), idIn(value)));
  }
}

/** Makes the call for a request that has not been parsed yet. */
function unreadCall(binding: BindingName, { headers, headerNames, bytes }: InterfaceRequest): AgentCall {
  return { binding, operation: "GetTask", params: {}, headers, caller: "", headerNames, size: bytes.length };
}

function withQueryVersion(
  { policy }: ReferenceAgent,
  { target, headers }: InterfaceRequest,
): Readonly<Record<string, string>> {
  const version = new URLSearchParams(target.split("?", 2)[1] ?? "").get("A2A-Version");
  const isOnlyInQuery = policy.readsVersionInQuery && headers["a2a-version"] === undefined && version !== null;
  return isOnlyInQuery ? { ...headers, "a2a-version": version } : headers;
}

function identifyCaller({ settings: { tokens } }: ReferenceAgent, { headers }: InterfaceRequest): string {
  if (tokens === undefined) return "anybody";
  const [, token = ""] = /^Bearer (.+)$/i.exec(headers.authorization ?? "") ?? [];
  return Object.hasOwn(tokens, token) ? (tokens[token] as string) : "";
}

function credentialDemand(binding: BindingName): AgentAnswer {
  const message = "a bearer token is required";
  const body =
    binding === "JSONRPC"
      ? { jsonrpc: "2.0", id: null, error: { code: -32010, message } }
      : { error: { code: 401, status: "UNAUTHENTICATED", message, details: [] } };
  const type = binding === "JSONRPC" ? "application/json" : "application/a2a+json";
  return { status: 401, headers: { "content-type": type, "www-authenticate": "Bearer" }, body };
}

function write(response: ServerResponse, { status, headers, body }: AgentAnswer): void {
  response.writeHead(status, headers);
  if (body === undefined) response.end();
  else response.end(typeof body === "object" ? JSON.stringify(body) : String(body));
}
