import { createServer } from "node:http";
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
import { producerFacts } from "../subscribing/producer-facts.ts";
import type { ConnectionHandler, Outlet } from "./connection-handler.ts";
import { idFor } from "./events.ts";
import { handlePost, streamTo } from "./sse.ts";
import { serveConnection } from "./websocket.ts";

/** The maximum number of stored messages of a scenario. */
const maxMessages = 2000;

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
  /** The number of streams or WebSockets that were opened, and of those that the subscriber has ended. */
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
  /** Waits until a condition is true. Returns false at the end of the time. */
  waitUntil(holds: () => boolean, milliseconds?: number): Promise<boolean>;
}

/** Starts the producer. Its acceptances have the given members in addition to the usual ones. */
export async function openTestStand(
  context: ScenarioContext,
  acceptanceMembers: JsonObject = {},
  manifest?: JsonObject | string,
): Promise<TestStand> {
  const { receiver: { host = "127.0.0.1", port = 0, url } = {}, timeScale = 1 } = context.setting;
  const waiters = new Set<() => void>();
  const wake = (): void => {
    for (const waiter of [...waiters]) waiter();
  };
  const outlets = new Set<Outlet>();
  const write = (text: string, id?: string): void => {
    context.record({ from: "producer", to: "subscriber", text });
    for (const outlet of outlets) outlet.write(text, id);
  };
  const stand: TestStand = {
    url: "",
    websocket: "",
    id: "",
    requests: [],
    messages: [],
    streams: { opened: 0, ended: 0 },
    emit(...events) {
      for (const event of events) write(JSON.stringify(event), String(event.event_id));
    },
    sendText: (text) => write(text),
    async sendFramed(text, makeFrames) {
      if ([...outlets].some(({ writeFrame }) => writeFrame === undefined))
        throw new TargetSkip("its binding has no frames that can be written in several ways");
      context.record({ from: "producer", to: "subscriber", text });
      await Promise.all([...outlets].map(({ writeFrame }) => writeFrame?.(makeFrames(text))));
    },
    cut() {
      context.record({ from: "producer", to: "subscriber", text: "(breaks the connection)" });
      for (const outlet of outlets) outlet.cut();
      outlets.clear();
    },
    closeSubscription() {
      write(closeText(stand));
      for (const outlet of outlets) outlet.end();
      outlets.clear();
    },
    waitUntil: (holds, milliseconds = boundOf(context, "subscriber")) =>
      new Promise((resolve, reject) => {
        const settle = (value: boolean): void => {
          clearTimeout(timer);
          waiters.delete(check);
          context.signal.removeEventListener("abort", check);
          resolve(value);
        };
        const check = (): void => {
          if (context.signal.aborted) reject(context.signal.reason);
          else if (holds()) settle(true);
        };
        const timer = setTimeout(() => settle(holds()), milliseconds * Math.max(0.2, timeScale));
        waiters.add(check);
        context.signal.addEventListener("abort", check, { once: true });
        check();
      }),
  };
  const handler: ConnectionHandler = {
    handleMessage(text) {
      const message = jsonOf(text);
      if (!isObject(message) || stand.requests.length + stand.messages.length > maxMessages) return "refused";
      context.record({ from: "subscriber", to: "producer", text: JSON.stringify(message) });
      const isRequest = message.type === "subscription.request";
      if (isRequest) stand.id = idFor(context, "sub");
      (isRequest ? stand.requests : stand.messages).push(message);
      const answer = { ...acceptance(stand, message), ...acceptanceMembers };
      if (message.type === "subscription.renegotiate") write(JSON.stringify(answer));
      wake();
      return isRequest ? answer : undefined;
    },
    onAnswer(text, status) {
      const head = status === undefined ? {} : { head: `HTTP ${status}` };
      context.record({ from: "producer", to: "subscriber", ...head, text });
    },
    onOpen(outlet) {
      outlets.add(outlet);
      stand.streams.opened += 1;
      wake();
    },
    onEnd(outlet) {
      if (outlets.delete(outlet)) stand.streams.ended += 1;
      wake();
    },
  };
  const server = createServer((request, response) => {
    response.on("error", () => {});
    if (request.method === "POST") void handlePost(request, response, handler);
    else if (/events/.test(request.url ?? "")) streamTo(response, handler, producerFacts(context).isAppendixB);
    else {
      const isManifest = /manifest/.test(request.url ?? "");
      const status = isManifest ? 200 : 404;
      const text = isManifest
        ? typeof manifest === "string"
          ? manifest
          : JSON.stringify(manifest ?? defaultManifest)
        : "";
      handler.onAnswer(text, status);
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    }
  });
  const needsRequest = producerFacts(context).level >= 3;
  const dropSockets = takeSockets(
    server,
    (connection) => context.closing(serveConnection(connection, handler, needsRequest)),
    {
      protocol: "aaep.v1",
    },
  );
  context.closing(
    () =>
      new Promise<void>((resolve) => {
        for (const outlet of outlets) {
          outlet.write(closeText(stand));
          outlet.end();
        }
        server.close(() => resolve());
        // A subscriber that does not leave by itself is disconnected.
        setTimeout(() => {
          dropSockets();
          server.closeAllConnections();
        }, 50);
      }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  stand.url = (url ?? `http://${host}:${(server.address() as AddressInfo).port}`).replace(/\/$/, "");
  stand.websocket = `${stand.url.replace(/^http/, "ws")}/aaep/v1/ws`;
  return stand;
}

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

/** The message with which the producer closes a subscription. */
function closeText({ id }: TestStand): string {
  const close = { type: "subscription.close", subscription_id: id, reason_code: "shutdown" };
  return JSON.stringify({ ...close, reason_message: "That was all." });
}

function acceptance({ id }: TestStand, { capabilities }: JsonObject): JsonObject {
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
    throw new TargetFailure("timed-out", "connect", `the subscriber has opened no stream of events at ${producer.url}`);
}

/** The addresses that a subscriber needs for the chosen binding. */
export function addressesOf(context: ScenarioContext, { url, websocket }: TestStand): JsonObject {
  const { binding = "sse" } = producerFacts(context);
  if (binding === "websocket") return { url: websocket };
  if (binding === "sse") return { url, events: `${url}/events`, replies: `${url}/messages` };
  throw new TargetSkip(`the suite plays no producer over "${binding}": options.binding is sse or websocket`);
}
