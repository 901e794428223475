import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import {
  isObject,
  type Json,
  type JsonObject,
  jsonOf,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import type { AgentInterface, CallName } from "../calls.ts";
import { wellKnownPath } from "../party.ts";
import { type ReadCall, readCall } from "./routes.ts";

/** A request that the client sent to an interface of the stub agent. */
export interface SeenCall extends ReadCall {
  method: string;
  /** The path and the query, not decoded. */
  target: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** The name of the interface. */
  endpoint: string;
}

/** An interface in the card of the stub agent. */
export interface StubInterface {
  /** The first segment of its path. */
  name: string;
  binding: string;
  version?: string;
  tenant?: string;
  /** A suffix after its name in the address. */
  tail?: string;
  /** Replaces its address in the card; no server listens there. */
  url?: string;
}

/** The answer of the stub agent: a result, a raw response, or the pieces of a stream, which may break off after the last. */
export type StubAnswer =
  | { result: Json }
  | { status?: number; headers?: Record<string, string>; text: string }
  | { pieces: readonly (string | Uint8Array)[]; breaks?: true };

/** An agent played by the suite for a client. */
export interface AgentStub {
  url: string;
  /** The requests to its interfaces, in order. */
  calls: readonly SeenCall[];
}

export interface StubSettings {
  endpoints: readonly StubInterface[];
  /** Changes the usual card before it is served. */
  card?(card: JsonObject, url: string): JsonObject;
  answer(call: SeenCall, card: JsonObject): StubAnswer | Promise<StubAnswer>;
}

/** The maximum size of a request in bytes. */
const maxRequestBytes = 4 * 1024 * 1024;

/** The maximum number of requests. */
const maxRequests = 1000;

/** The pause between two pieces of a stream, in milliseconds. Without it, two pieces may arrive as one. */
const piecePause = 50;

/** Starts a stub agent, which serves requests until the scenario ends. */
export async function startStubAgent(context: ScenarioContext, settings: StubSettings): Promise<AgentStub> {
  const calls: SeenCall[] = [];
  let url = "";
  const server = createServer(async (request, response) => {
    try {
      const text = await textOf(request);
      context.record({ from: "target", to: "touchstone", head: `${request.method} ${request.url}`, text });
      const card = cardOf(settings, url);
      if ((request.url ?? "").split("?")[0] === wellKnownPath) return writeAnswer(context, response, { result: card });
      const call = callFrom(request, text, settings);
      if (call === undefined) return writeAnswer(context, response, { status: 404, text: "There is nothing here." });
      if (calls.length >= maxRequests) throw new Error("too many requests");
      calls.push(call);
      await writeAnswer(context, response, await settings.answer(call, card), call);
    } catch {
      response.destroy();
    }
  });
  url = await listen(context, server);
  return { url, calls };
}

async function listen(context: ScenarioContext, server: ReturnType<typeof createServer>): Promise<string> {
  const host = context.setting.receiver?.host ?? "127.0.0.1";
  const openSockets = new Set<Socket>();
  server.on("connection", (socket) => {
    openSockets.add(socket);
    socket.on("close", () => openSockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  }).catch((error: Error) => {
    throw new TargetFailure("errored", "play", `nothing can listen on ${host}: ${error.message}`);
  });
  context.closing(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of openSockets) socket.destroy();
      }),
  );
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Finds an address where nothing listens. */
export async function findDeadAddress(context: ScenarioContext): Promise<string> {
  const server = createServer();
  const url = await listen(context, server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `${url}/dead`;
}

function cardOf({ endpoints, card = (usualCard) => usualCard }: StubSettings, url: string): JsonObject {
  const supportedInterfaces = endpoints.map(({ name, binding, version = "1.0", tenant, tail = "", url: fixedUrl }) => ({
    url: fixedUrl ?? `${url}/${name}${tail}`,
    protocolBinding: binding,
    protocolVersion: version,
    ...(tenant === undefined ? {} : { tenant }),
  }));
  return card(
    {
      name: "Stub",
      description: "An agent of a test suite.",
      version: "1.0.0",
      supportedInterfaces,
      capabilities: { streaming: true, pushNotifications: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "stub", name: "Stub", description: "Answers.", tags: ["test"] }],
    },
    url,
  );
}

function callFrom(
  { method = "", url: target = "", headers }: IncomingMessage,
  text: string,
  { endpoints }: StubSettings,
): SeenCall | undefined {
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  const endpoint = endpoints.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`));
  if (endpoint === undefined) return undefined;
  const pathBelow = path.slice(endpoint.name.length + 1);
  const readParts = readCall(endpoint.binding as AgentInterface["binding"], { method, path: pathBelow, query, text });
  return { ...readParts, method, target, headers, text, endpoint: endpoint.name };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxRequestBytes) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function writeAnswer(
  context: ScenarioContext,
  response: ServerResponse,
  answer: StubAnswer,
  call?: ReadCall,
): Promise<void> {
  if ("pieces" in answer) return writePieces(context, response, answer);
  const { status = 200, headers = {}, text } = "text" in answer ? answer : resultAnswer(answer.result, call);
  context.record({ from: "touchstone", to: "target", head: `HTTP ${status}`, text });
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

function resultAnswer(
  result: Json,
  call: ReadCall | undefined,
): { status?: number; headers?: Record<string, string>; text: string } {
  if (call?.binding === "JSONRPC") return { text: JSON.stringify({ jsonrpc: "2.0", id: call.id ?? null, result }) };
  const isRest = call !== undefined;
  return {
    ...(isRest ? { headers: { "content-type": "application/a2a+json" } } : {}),
    text: JSON.stringify(result ?? {}),
  };
}

async function writePieces(
  context: ScenarioContext,
  response: ServerResponse,
  { pieces, breaks }: Extract<StubAnswer, { pieces: unknown }>,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await context.wait(piecePause);
    context.record({ from: "touchstone", to: "target", text: Buffer.from(piece).toString("utf8") });
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
  }
  if (breaks === true) {
    await context.wait(piecePause);
    response.destroy();
  } else response.end();
}

/** Parses a JSON object; undefined for any other string. */
export function objectIn(text: string): JsonObject | undefined {
  const value = jsonOf(text);
  return isObject(value) ? value : undefined;
}

/** Lists the calls of the named operations, in order. */
export function callsOf({ calls }: AgentStub, ...operations: CallName[]): SeenCall[] {
  return calls.filter(({ operation }) => operation !== undefined && operations.includes(operation));
}
