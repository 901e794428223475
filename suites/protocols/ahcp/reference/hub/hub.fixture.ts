import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { type HubOptions, type StartedHub, startHub } from "./start.ts";

/** The time at which the clock of a hub under test stops. */
export const noon = "2026-03-01T12:00:00.000Z";
export const soonTime = "2026-03-01T12:00:10.000Z";
export const lateTime = "2026-03-01T12:00:10.001Z";

export const credentials = {
  a: { agent: "a", token: "token-of-a" },
  b: { agent: "b", apikey: "key-of-b" },
} as const;

const credentialHeaders: Record<string, Record<string, string>> = {
  a: { authorization: "Bearer token-of-a" },
  b: { "x-api-key": "key-of-b" },
  nobody: {},
};

export const notify: JsonObject = {
  ahcp_version: "0.3",
  type: "notify",
  created_at: noon,
  agent: { id: "a", run_id: "run-1", runtime: "cli" },
  title: "Done",
};

const options: Json = [
  { value: "red", label: "Red" },
  { value: "blue", label: "Blue" },
];

let keyCount = 0;
const nextKey = (): string => `key-${++keyCount}`;

/** An ask to select red or blue, which `human:tester` may answer. `request` and `message` replace members. */
export function select(request: JsonObject = {}, message: JsonObject = {}): JsonObject {
  const base = { mode: "select", options, allowed_resolvers: ["human:tester"] };
  return { ...notify, type: "ask", idempotency_key: nextKey(), request: { ...base, ...request }, ...message };
}

export function task(action: JsonObject = {}, message: JsonObject = {}): JsonObject {
  const base = { instructions: "Do it.", allowed_resolvers: ["human:tester"] };
  return { ...notify, type: "task", idempotency_key: nextKey(), action: { ...base, ...action }, ...message };
}

/** The members of a request or an action that ask for a push to this URL. */
export function push(url: string, scheme = "hmac"): JsonObject {
  const reference = scheme === "hmac" ? "secret_ref" : "token_ref";
  return { callback: { mode: "push", url, auth: { scheme, [reference]: `vault://touchstone/${scheme}` } } };
}

export interface HubAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  body: any;
}

interface RequestOptions {
  /** The credential to send: `a` (the default), `b` or `nobody`. */
  as?: string;
  body?: Json;
  text?: string;
}

export interface Hub {
  hub: StartedHub;
  send(method: string, path: string, members?: RequestOptions): Promise<HubAnswer>;
  submit(body: Json, as?: string): Promise<HubAnswer>;
  read(id: string, query?: string, as?: string): Promise<HubAnswer>;
  cancel(id: string, as?: string): Promise<HubAnswer>;
  /** Submits a message and returns its id. */
  accept(body: Json, as?: string): Promise<string>;
  operate(name: string, input?: JsonObject): Promise<JsonObject>;
  resolve(id: string, resolution: string, members?: JsonObject): Promise<JsonObject>;
  clock(input: JsonObject): Promise<JsonObject>;
}

/** Starts a hub on a free port, with its clock stopped at noon. */
export async function startTestHub(settings: HubOptions = {}): Promise<Hub> {
  const hub = await startHub({ credentials, timeScale: 0.01, ...settings });
  const { operator } = hub;
  await operator.clock?.({ at: noon, stopped: true });

  async function send(method: string, path: string, members: RequestOptions = {}): Promise<HubAnswer> {
    const { as = "a", body, text = body === undefined ? undefined : JSON.stringify(body) } = members;
    const headers = { ...credentialHeaders[as], ...(text === undefined ? {} : { "content-type": "application/json" }) };
    const init = { method, headers, ...(text === undefined ? {} : { body: text }) };
    const answer = await fetch(path.startsWith("http") ? path : `${hub.url}${path}`, init);
    const bodyText = await answer.text();
    return { status: answer.status, headers: answer.headers, body: bodyText === "" ? undefined : JSON.parse(bodyText) };
  }
  return {
    hub,
    send,
    submit: (body, as) => send("POST", "/v1/messages", { ...(as === undefined ? {} : { as }), body }),
    read: (id, query = "", as = "a") => send("GET", `/v1/messages/${id}${query}`, { as }),
    cancel: (id, as = "a") => send("POST", `/v1/messages/${id}/cancel`, { as, body: {} }),
    async accept(body, as = "a") {
      const { body: ack } = await send("POST", "/v1/messages", { as, body });
      return ack.id;
    },
    operate: (name, input = {}) => operator[name]?.(input) ?? Promise.reject(new Error(name)),
    resolve: (id, resolution, members = {}) =>
      operator.resolve?.({ id, actor: "human:tester", resolution, ...members }) ?? Promise.reject(),
    clock: (input) => operator.clock?.(input) ?? Promise.reject(),
  };
}

export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

type Answer = number | "break" | { status: number; location: string };

export interface Receiver {
  url: string;
  port: number;
  pushes: ReceivedPush[];
  /** Received requests that are not pushes. */
  refused: string[];
  answers: Answer[];
  /** Waits until this many pushes have arrived. */
  waitForPushes(count: number): Promise<void>;
  close(): void;
}

/** Starts a callback on a free port. It sends these answers in turn, and repeats the last one; `break` closes the connection. */
export async function startReceiver(...answers: Answer[]): Promise<Receiver> {
  const pushes: ReceivedPush[] = [];
  const otherRequests: string[] = [];
  const waiters = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST") {
        otherRequests.push(request.url ?? "");
        response.writeHead(405).end();
        return;
      }
      pushes.push({
        path: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString("utf8")),
      });
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200;
      if (answer === "break") request.socket.destroy();
      else if (typeof answer === "number") response.writeHead(answer).end();
      else response.writeHead(answer.status, { location: answer.location }).end();
      for (const wake of waiters) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    pushes,
    refused: otherRequests,
    answers,
    async waitForPushes(count) {
      while (pushes.length < count)
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiters.delete(wake);
            resolve();
          };
          waiters.add(wake);
        });
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Advances the hub's clock until the hub has logged this many attempts, and returns their log lines. */
export async function waitForAttempts(hub: Hub, count: number): Promise<string[]> {
  for (;;) {
    const { lines } = (await hub.operate("logs")) as unknown as { lines: { event: string; note: string }[] };
    const attemptNotes = lines.filter(({ event }) => event === "pushed").map(({ note }) => note);
    if (attemptNotes.length >= count) return attemptNotes;
    await hub.clock({ advanceMs: 1000 });
    await new Promise((resolve) => setImmediate(resolve));
  }
}
