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
import { freshId, type MemberChanges, seconds } from "../parties.ts";

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

/** The suite's answer: a body, pieces of a stream that may break after the last piece, or a connection that breaks. */
export type StubReply =
  | { status?: number; headers?: Record<string, string>; body: Json }
  | { stream: readonly (string | Uint8Array)[]; breaks?: true }
  | "reset";

/** An agent played by the suite over HTTP. */
export interface Stub {
  url: string;
  seen: readonly SeenRequest[];
}

/** The maximum bytes of a request, and the maximum number of requests. */
const [maxBytes, maxRequests] = [32 * 1024 * 1024, 1000];

/** Listens on the interface of the receiver until the scenario is over. */
export async function stubAgent(
  context: ScenarioContext,
  makeReply: (requests: SeenRequest, index: number) => Promise<StubReply> | StubReply,
): Promise<Stub> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    try {
      const text = await textOf(request);
      const { method = "", url = "", headers } = request;
      const value = jsonOf(text);
      const received = {
        method,
        path: url,
        headers,
        text,
        at: performance.now(),
        ...(isObject(value) ? { message: value } : {}),
      };
      if (requests.length >= maxRequests) throw new Error("too many requests");
      requests.push(received);
      context.record({ from: "target", to: "touchstone", head: `${method} ${url}`, text });
      await write(context, response, await makeReply(received, requests.length - 1));
    } catch {
      response.destroy();
    }
  });
  return { url: await listen(context, server), seen: requests };
}

/** Opens a server for the time of a scenario, and returns its address as a URL. */
async function listen(context: ScenarioContext, server: Server): Promise<string> {
  const host = context.setting.receiver?.host ?? "127.0.0.1";
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
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
        for (const socket of open) socket.destroy();
      }),
  );
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

async function write(context: ScenarioContext, response: ServerResponse, makeReply: StubReply): Promise<void> {
  if (makeReply === "reset") {
    response.destroy();
    return;
  }
  if ("stream" in makeReply) {
    response.writeHead(200, { "content-type": "text/event-stream", "snap-version": "0.1" });
    for (const [index, piece] of makeReply.stream.entries()) {
      // Bytes sent in immediate succession may arrive as one piece.
      if (index > 0 && typeof piece !== "string") await context.wait(50);
      context.record({ from: "touchstone", to: "target", text: Buffer.from(piece).toString("utf8") });
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    }
    if (makeReply.breaks === true) response.destroy();
    else response.end();
    return;
  }
  const { status = 200, headers = {}, body } = makeReply;
  const text = JSON.stringify(body);
  context.record({ from: "touchstone", to: "target", head: `HTTP ${status}`, text });
  response.writeHead(status, { "content-type": "application/json", "snap-version": "0.1", ...headers }).end(text);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const bytes = gatherChunks();
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error("too long");
    bytes.add(chunk);
  }
  return bytes.join().toString("utf8");
}

/** An address that never answers. It notes each connection with its first bytes, and then closes it. */
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

/** The card of an agent that the suite plays, with the test key B. */
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

/** The HTTP endpoint of a stub. */
export function endpointOver({ url }: Stub): { protocol: string; url: string } {
  return { protocol: "http", url: `${url}/snap` };
}

/** A message that answers a request, written as B; the given members replace others, and are signed as well. */
export async function answerTo(
  context: ScenarioContext,
  { message }: Pick<SeenRequest, "message">,
  { payload, more: members = {}, by = keyB }: { payload: JsonObject; more?: MemberChanges; by?: TestKey },
): Promise<JsonObject> {
  const from = message?.from ?? "";
  const ownAddress = by.address[networkOf(String(from))];
  const head = { id: freshId(context, "ans"), version: "0.1", from: ownAddress, to: from, type: "response" };
  const allMembers = {
    ...head,
    method: message?.method ?? "message/send",
    payload,
    timestamp: await seconds(context),
    ...members,
  };
  return signedBy(
    by,
    Object.fromEntries(Object.entries(allMembers).filter(([, value]) => value !== undefined)) as JsonObject,
    signCheaply,
  );
}

/** A finished task, as an answer reports it. */
export async function doneTask(context: ScenarioContext, state = "completed"): Promise<JsonObject> {
  const timestamp = new Date(await context.now()).toISOString();
  return { task: { id: "task-1", contextId: "ctx-1", status: { state, timestamp } } };
}
