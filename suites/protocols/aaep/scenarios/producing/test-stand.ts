import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  isObject,
  type JsonObject,
  jsonOf,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { takeSockets } from "../../../../running/scenarios/way/websocket-server.ts";
import { boundOf } from "../bounds.ts";
import { readProducerFacts } from "../subscribing/producer-facts.ts";
import type { ConnectionHandler, Outlet } from "./connection-handler.ts";
import { idFor } from "./events.ts";
import { handlePost, streamTo } from "./sse.ts";
import { serveConnection } from "./websocket.ts";

/** The maximum number of stored messages of a scenario. */
const maxMessages = 2000;

/** How many milliseconds a subscriber has to disconnect by itself at the end of a scenario. */
const disconnectDelayMs = 50;

/** A producer played by the suite. It handles handshakes, streams events, and accepts replies, over HTTP and WebSocket. */
export interface TestStand {
  url: string;
  /** The address of its WebSocket. */
  websocket: string;
  /** The id of the latest granted subscription. */
  id: string;
  /** The requests for a subscription. */
  requests: JsonObject[];
  /** The other messages of the subscriber in order: replies, changes, closes. */
  messages: JsonObject[];
  /** The number of streams or WebSockets that were opened, and how many of them the subscriber has ended. */
  streams: { opened: number; ended: number };
  emit(...events: JsonObject[]): void;
  /** Sends the text of a message unchanged. */
  sendText(text: string): void;
  /** Sends the text of a message in the given frame, each piece separately. Skips if frames are not text. */
  sendFramed(text: string, makeFrames: (text: string) => readonly (string | Uint8Array)[]): Promise<void>;
  /** Breaks the connection without a message. */
  cut(): void;
  /** Closes the subscription with a message, and ends the connection. */
  closeSubscription(): void;
  /** Waits until a condition is true. Returns false on timeout. */
  waitUntil(condition: () => boolean, milliseconds?: number): Promise<boolean>;
}

/** Starts the producer. Its acceptances have the given members in addition to the usual ones. */
export async function openTestStand(
  context: ScenarioContext,
  acceptanceMembers: JsonObject = {},
  manifest: JsonObject | string = defaultManifest,
): Promise<TestStand> {
  const manifestText = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  const producer = new PlayedProducer(context, acceptanceMembers, manifestText);
  await producer.listen();
  return producer;
}

class PlayedProducer implements TestStand, ConnectionHandler {
  url = "";
  websocket = "";
  id = "";
  readonly requests: JsonObject[] = [];
  readonly messages: JsonObject[] = [];
  readonly streams = { opened: 0, ended: 0 };
  readonly #context: ScenarioContext;
  readonly #acceptanceMembers: JsonObject;
  readonly #manifestText: string;
  /** The open connections. */
  readonly #outlets = new Set<Outlet>();
  /** Callbacks that check the awaited conditions again. */
  readonly #waiters = new Set<() => void>();

  constructor(context: ScenarioContext, acceptanceMembers: JsonObject, manifestText: string) {
    this.#context = context;
    this.#acceptanceMembers = acceptanceMembers;
    this.#manifestText = manifestText;
  }

  /** Starts its server, which ends with the scenario. */
  async listen(): Promise<void> {
    const context = this.#context;
    const { host = "127.0.0.1", port = 0, url } = context.setting.receiver ?? {};
    const server = createServer((request, response) => this.#serve(request, response));
    const needsRequest = readProducerFacts(context).level >= 3;
    const dropSockets = takeSockets(
      server,
      (connection) => context.closing(serveConnection(connection, this, needsRequest)),
      { protocol: "aaep.v1" },
    );
    context.closing(
      () =>
        new Promise<void>((resolve) => {
          this.#closeOutlets();
          server.close(() => resolve());
          setTimeout(() => {
            dropSockets();
            server.closeAllConnections();
          }, disconnectDelayMs);
        }),
    );
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
    this.url = (url ?? `http://${host}:${(server.address() as AddressInfo).port}`).replace(/\/$/, "");
    this.websocket = `${this.url.replace(/^http/, "ws")}/aaep/v1/ws`;
  }

  emit(...events: JsonObject[]): void {
    for (const event of events) this.#write(JSON.stringify(event), String(event.event_id));
  }

  sendText(text: string): void {
    this.#write(text);
  }

  async sendFramed(text: string, makeFrames: (text: string) => readonly (string | Uint8Array)[]): Promise<void> {
    const outlets = [...this.#outlets];
    if (outlets.some(({ writeFrame }) => writeFrame === undefined))
      throw new TargetSkip("its binding has no frames that can be written in several ways");
    this.#record(text);
    await Promise.all(outlets.map(({ writeFrame }) => writeFrame?.(makeFrames(text))));
  }

  cut(): void {
    this.#record("(breaks the connection)");
    for (const outlet of this.#outlets) outlet.cut();
    this.#outlets.clear();
  }

  closeSubscription(): void {
    this.#write(makeCloseText(this.id));
    for (const outlet of this.#outlets) outlet.end();
    this.#outlets.clear();
  }

  waitUntil(condition: () => boolean, milliseconds = boundOf(this.#context, "subscriber")): Promise<boolean> {
    const {
      signal,
      setting: { timeScale = 1 },
    } = this.#context;
    return new Promise((resolve, reject) => {
      const settle = (value: boolean): void => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        signal.removeEventListener("abort", check);
        resolve(value);
      };
      const check = (): void => {
        if (signal.aborted) reject(signal.reason);
        else if (condition()) settle(true);
      };
      const timer = setTimeout(() => settle(condition()), milliseconds * Math.max(0.2, timeScale));
      this.#waiters.add(check);
      signal.addEventListener("abort", check, { once: true });
      check();
    });
  }

  handleMessage(text: string): JsonObject | "refused" | undefined {
    const message = jsonOf(text);
    if (!isObject(message) || this.requests.length + this.messages.length > maxMessages) return "refused";
    this.#context.record({ from: "subscriber", to: "producer", text: JSON.stringify(message) });
    const isRequest = message.type === "subscription.request";
    if (isRequest) this.id = idFor(this.#context, "sub");
    (isRequest ? this.requests : this.messages).push(message);
    const answer = { ...makeAcceptance(this.id, message), ...this.#acceptanceMembers };
    if (message.type === "subscription.renegotiate") this.#write(JSON.stringify(answer));
    this.#wake();
    return isRequest ? answer : undefined;
  }

  onAnswer(text: string, status?: number): void {
    this.#record(text, status === undefined ? {} : { head: `HTTP ${status}` });
  }

  onOpen(outlet: Outlet): void {
    this.#outlets.add(outlet);
    this.streams.opened += 1;
    this.#wake();
  }

  onEnd(outlet: Outlet): void {
    if (this.#outlets.delete(outlet)) this.streams.ended += 1;
    this.#wake();
  }

  /** Serves a posted message, the stream of events, or the manifest. */
  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = "" } = request;
    response.on("error", () => {});
    if (method === "POST") void handlePost(request, response, this);
    else if (/events/.test(url)) streamTo(response, this, readProducerFacts(this.#context).isAppendixB);
    else {
      const isManifest = /manifest/.test(url);
      const status = isManifest ? 200 : 404;
      const text = isManifest ? this.#manifestText : "";
      this.onAnswer(text, status);
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    }
  }

  /** Sends a text on every connection, with the id of its event if it is one. */
  #write(text: string, id?: string): void {
    this.#record(text);
    for (const outlet of this.#outlets) outlet.write(text, id);
  }

  /** Closes the subscription on every connection at the end of the scenario, without a record. */
  #closeOutlets(): void {
    for (const outlet of this.#outlets) {
      outlet.write(makeCloseText(this.id));
      outlet.end();
    }
  }

  #record(text: string, head: { head?: string } = {}): void {
    this.#context.record({ from: "producer", to: "subscriber", ...head, text });
  }

  #wake(): void {
    for (const check of [...this.#waiters]) check();
  }
}

/** The manifest that is served unless a scenario provides another one. */
const defaultManifest: JsonObject = {
  "@context": "https://aaep-protocol.org/context/v1",
  type: "aaep:producer.manifest",
  agent_id: "touchstone-producer",
  aaep_versions_supported: ["1.0.0"],
  conformance_levels_supported: [1, 2, 3],
  transports_supported: ["sse", "websocket"],
  languages_supported: ["en-GB"],
  event_types_emitted: ["aaep:agent.*"],
};

/** Makes the message with which the producer closes a subscription. */
function makeCloseText(id: string): string {
  const close = { type: "subscription.close", subscription_id: id, reason_code: "shutdown" };
  return JSON.stringify({ ...close, reason_message: "That was all." });
}

/** Makes the acceptance of a request, which grants the requested capabilities. */
function makeAcceptance(id: string, { capabilities }: JsonObject): JsonObject {
  const requested = isObject(capabilities) ? capabilities : {};
  return {
    type: "subscription.accepted",
    subscription_id: id,
    aaep_version: "1.0.0",
    producer: { agent_id: "touchstone-producer" },
    honored_capabilities: Object.fromEntries(
      Object.entries(requested).filter(([name, value]) => name === "event_filters" || !isObject(value)),
    ),
  };
}

/** Lets the subscriber connect with the named binding, and waits until its stream is open. */
export async function connectSubscriber(
  context: ScenarioContext,
  producer: TestStand,
  connectOptions: JsonObject = {},
): Promise<void> {
  const openedBefore = producer.streams.opened;
  await context.hook("connect", { ...addressesOf(context, producer), ...connectOptions });
  // Connecting needs several steps, each of which a busy machine may delay.
  if (!(await producer.waitUntil(() => producer.streams.opened > openedBefore, 2 * boundOf(context, "subscriber"))))
    throw new TargetFailure(
      "timed-out",
      "connect",
      `the subscriber did not open a stream of events at ${producer.url}`,
    );
}

/** Returns the addresses that a subscriber needs for the chosen binding. */
export function addressesOf(context: ScenarioContext, { url, websocket }: TestStand): JsonObject {
  const { binding = "sse" } = readProducerFacts(context);
  if (binding === "websocket") return { url: websocket };
  if (binding === "sse") return { url, events: `${url}/events`, replies: `${url}/messages` };
  throw new TargetSkip(`the suite plays no producer over "${binding}": options.binding is sse or websocket`);
}
