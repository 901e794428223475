import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createListener, type Server, type Socket } from "node:net";
import {
  isObject,
  type Json,
  type JsonObject,
  jsonOf,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { gatherChunks } from "../../../../base/process/chunks.ts";
import { networkOf } from "../../rules/address.ts";
import { keyB, type TestKey } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import { signCheaply } from "../../rules/signature.ts";
import { freshId, type MemberChanges, nowInSeconds } from "../parties.ts";

/** A received request. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  message?: JsonObject;
  /** The time on a monotonic clock, in milliseconds. */
  at: number;
}

/** The suite's answer: a body, a stream in pieces that may break after the last one, or a broken connection. */
export type StubReply =
  | { status?: number; headers?: Record<string, string>; body: Json }
  | { stream: readonly (string | Uint8Array)[]; breaks?: true }
  | "reset";

/** An agent played by the suite over HTTP. */
export interface Stub {
  url: string;
  seen: readonly SeenRequest[];
}

/** The maximum size of a request in bytes, and the maximum number of requests. */
const [maxBytes, maxRequests] = [32 * 1024 * 1024, 1000];

/** Starts an agent that answers each request with `makeReply`. It runs until the scenario is over. */
export async function stubAgent(
  context: ScenarioContext,
  makeReply: (request: SeenRequest, index: number) => Promise<StubReply> | StubReply,
): Promise<Stub> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    try {
      const text = await readBody(request);
      const { method = "", url = "", headers } = request;
      const parsedBody = jsonOf(text);
      const received = {
        method,
        path: url,
        headers,
        text,
        at: performance.now(),
        ...(isObject(parsedBody) ? { message: parsedBody } : {}),
      };
      if (requests.length >= maxRequests) throw new Error("too many requests");
      requests.push(received);
      context.record({ from: "target", to: "touchstone", head: `${method} ${url}`, text });
      await writeReply(context, response, await makeReply(received, requests.length - 1));
    } catch {
      response.destroy();
    }
  });
  return { url: await listen(context, server), seen: requests };
}

/** Opens a server for the time of a scenario, and returns its address as a URL. */
async function listen(context: ScenarioContext, server: Server): Promise<string> {
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

async function writeReply(context: ScenarioContext, response: ServerResponse, reply: StubReply): Promise<void> {
  if (reply === "reset") {
    response.destroy();
    return;
  }
  if ("stream" in reply) {
    response.writeHead(200, { "content-type": "text/event-stream", "snap-version": "0.1" });
    for (const [index, piece] of reply.stream.entries()) {
      // Bytes sent in immediate succession may arrive as one piece.
      if (index > 0 && typeof piece !== "string") await context.wait(50);
      context.record({ from: "touchstone", to: "target", text: Buffer.from(piece).toString("utf8") });
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    }
    if (reply.breaks === true) response.destroy();
    else response.end();
    return;
  }
  const { status = 200, headers = {}, body } = reply;
  const text = JSON.stringify(body);
  context.record({ from: "touchstone", to: "target", head: `HTTP ${status}`, text });
  response.writeHead(status, { "content-type": "application/json", "snap-version": "0.1", ...headers }).end(text);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const bytes = gatherChunks();
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error("too long");
    bytes.add(chunk);
  }
  return bytes.join().toString("utf8");
}

/** An address that never answers. It records the first bytes of each connection, and closes it. */
export interface DeadEnd {
  /** Host and port. */
  place: string;
  contacts: { at: number; first: string }[];
}

export async function deadEnd(context: ScenarioContext): Promise<DeadEnd> {
  const contacts: DeadEnd["contacts"] = [];
  const server = createListener((socket) => {
    const contact = { at: performance.now(), first: "" };
    if (contacts.length < maxRequests) contacts.push(contact);
    context.record({ from: "target", to: "touchstone", text: "(a connection to an endpoint without an answer)" });
    socket.on("error", () => socket.destroy());
    socket.once("data", (chunk: Buffer) => {
      contact.first = chunk.subarray(0, 32).toString("latin1");
      socket.destroy();
    });
  });
  const url = await listen(context, server);
  return { place: new URL(url).host, contacts };
}

/** Makes the card of an agent that the suite plays, with the test key B. */
export function cardFor(endpoints: readonly { protocol: string; url: string }[], members: JsonObject = {}): JsonObject {
  return {
    name: "Stub",
    description: "Is played by a test suite.",
    version: "1.0.0",
    identity: keyB.address.main,
    protocolVersion: "0.1",
    supportedVersions: ["0.1"],
    endpoints: [...endpoints] as unknown as Json,
    skills: [{ id: "stub", name: "Stub", description: "Answers.", tags: ["test"] }],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    ...members,
  };
}

/** Returns the HTTP endpoint of a stub. */
export function endpointOver({ url }: Stub): { protocol: string; url: string } {
  return { protocol: "http", url: `${url}/snap` };
}

/** Makes a signed answer to a request, by default from B. `more` adds, replaces or removes members before the answer is signed. */
export async function answerTo(
  context: ScenarioContext,
  { message }: Pick<SeenRequest, "message">,
  { payload, more: members = {}, by = keyB }: { payload: JsonObject; more?: MemberChanges; by?: TestKey },
): Promise<JsonObject> {
  const from = message?.from ?? "";
  const senderAddress = by.address[networkOf(String(from))];
  const head = { id: freshId(context, "ans"), version: "0.1", from: senderAddress, to: from, type: "response" };
  const allMembers = {
    ...head,
    method: message?.method ?? "message/send",
    payload,
    timestamp: await nowInSeconds(context),
    ...members,
  };
  return signedBy(
    by,
    Object.fromEntries(Object.entries(allMembers).filter(([, value]) => value !== undefined)) as JsonObject,
    signCheaply,
  );
}

/** Makes a task as an answer reports it, by default a completed task. */
export async function doneTask(context: ScenarioContext, state = "completed"): Promise<JsonObject> {
  const timestamp = new Date(await context.now()).toISOString();
  return { task: { id: "task-1", contextId: "ctx-1", status: { state, timestamp } } };
}
