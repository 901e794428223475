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
import { idFor } from "./events.ts";
import type { Desk, Outlet } from "./outlet.ts";
import { streamTo, takePost } from "./sse.ts";
import { speakOn } from "./websocket.ts";

/** The maximum number of stored messages of a scenario. */
const maxMessages = 2000;

/** A producer played by the suite: it handles handshakes, streams the given events, and accepts replies, over HTTP and WebSocket. */
export interface Stand {
  url: string;
  /** The address of its WebSocket. */
  websocket: string;
  /** The id of the latest granted subscription. */
  id: string;
  /** The requests for a subscription. */
  requests: JsonObject[];
  /** The other messages of the subscriber in order: replies, changes, closes. */
  messages: JsonObject[];
  /** The number of opened streams or WebSockets, and of those ended by the subscriber. */
  streams: { opened: number; left: number };
  emit(...events: JsonObject[]): void;
  /** Sends the text of a message unchanged. */
  raw(text: string): void;
  /** Sends the text of a message in the frames of `form`, each piece separately. Skips if frames are not text. */
  framed(text: string, form: (text: string) => readonly (string | Uint8Array)[]): Promise<void>;
  /** Breaks the connection without a message. */
  cut(): void;
  /** Closes the subscription with a message, and ends the connection. */
  leave(): void;
  /** Waits until a condition is true; false after the time. */
  until(holds: () => boolean, milliseconds?: number): Promise<boolean>;
}

/** Starts the stand; `granting` has further members of the acceptance. */
export async function openTestStand(
  context: ScenarioContext,
  granting: JsonObject = {},
  manifest?: JsonObject | string,
): Promise<Stand> {
  const { receiver: { host = "127.0.0.1", port = 0, url } = {}, timeScale = 1 } = context.setting;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const each of [...waiting]) each();
  };
  const outlets = new Set<Outlet>();
  const write = (text: string, id?: string): void => {
    context.record({ from: "producer", to: "subscriber", text });
    for (const outlet of outlets) outlet.write(text, id);
  };
  const state: Stand = {
    url: "",
    websocket: "",
    id: "",
    requests: [],
    messages: [],
    streams: { opened: 0, left: 0 },
    emit(...events) {
      for (const event of events) write(JSON.stringify(event), String(event.event_id));
    },
    raw: (text) => write(text),
    async framed(text, form) {
      if ([...outlets].some(({ frame }) => frame === undefined))
        throw new TargetSkip("its binding has no frames that can be written in several ways");
      context.record({ from: "producer", to: "subscriber", text });
      await Promise.all([...outlets].map(({ frame }) => frame?.(form(text))));
    },
    cut() {
      context.record({ from: "producer", to: "subscriber", text: "(breaks the connection)" });
      for (const outlet of outlets) outlet.cut();
      outlets.clear();
    },
    leave() {
      write(closeText(state));
      for (const outlet of outlets) outlet.end();
      outlets.clear();
    },
    until: (holds, milliseconds = boundOf(context, "subscriber")) =>
      new Promise((resolve, reject) => {
        const settle = (value: boolean): void => {
          clearTimeout(timer);
          waiting.delete(look);
          context.signal.removeEventListener("abort", look);
          resolve(value);
        };
        const look = (): void => {
          if (context.signal.aborted) reject(context.signal.reason);
          else if (holds()) settle(true);
        };
        const timer = setTimeout(() => settle(holds()), milliseconds * Math.max(0.2, timeScale));
        waiting.add(look);
        context.signal.addEventListener("abort", look, { once: true });
        look();
      }),
  };
  const desk: Desk = {
    take(text) {
      const message = jsonOf(text);
      if (!isObject(message) || state.requests.length + state.messages.length > maxMessages) return "refused";
      context.record({ from: "subscriber", to: "producer", text: JSON.stringify(message) });
      const isRequest = message.type === "subscription.request";
      if (isRequest) state.id = idFor(context, "sub");
      (isRequest ? state.requests : state.messages).push(message);
      const answer = { ...acceptance(state, message), ...granting };
      if (message.type === "subscription.renegotiate") write(JSON.stringify(answer));
      wake();
      return isRequest ? answer : undefined;
    },
    answered(text, status) {
      const head = status === undefined ? {} : { head: `HTTP ${status}` };
      context.record({ from: "producer", to: "subscriber", ...head, text });
    },
    opened(outlet) {
      outlets.add(outlet);
      state.streams.opened += 1;
      wake();
    },
    left(outlet) {
      if (outlets.delete(outlet)) state.streams.left += 1;
      wake();
    },
  };
  const server = createServer((request, response) => {
    response.on("error", () => {});
    if (request.method === "POST") void takePost(request, response, desk);
    else if (/events/.test(request.url ?? "")) streamTo(response, desk, producerFacts(context).isAppendixB);
    else {
      const isThere = /manifest/.test(request.url ?? "");
      const status = isThere ? 200 : 404;
      const text = isThere ? (typeof manifest === "string" ? manifest : JSON.stringify(manifest ?? ownManifest)) : "";
      desk.answered(text, status);
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    }
  });
  const mustAsk = producerFacts(context).level >= 3;
  const drop = takeSockets(server, (connection) => context.closing(speakOn(connection, desk, mustAsk)), {
    protocol: "aaep.v1",
  });
  context.closing(
    () =>
      new Promise<void>((done) => {
        for (const outlet of outlets) {
          outlet.write(closeText(state));
          outlet.end();
        }
        server.close(() => done());
        // Disconnects a subscriber that does not leave by itself.
        setTimeout(() => {
          drop();
          server.closeAllConnections();
        }, 50);
      }),
  );
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, done);
  });
  state.url = (url ?? `http://${host}:${(server.address() as AddressInfo).port}`).replace(/\/$/, "");
  state.websocket = `${state.url.replace(/^http/, "ws")}/aaep/v1/ws`;
  return state;
}

const ownManifest: JsonObject = {
  "@context": "https://aaep-protocol.org/context/v1",
  type: "aaep:producer.manifest",
  agent_id: "touchstone-producer",
  aaep_versions_supported: ["1.0.0"],
  conformance_levels_supported: [1, 2, 3],
  transports_supported: ["sse", "websocket"],
  languages_supported: ["en-GB"],
  event_types_emitted: ["aaep:agent.*"],
};

/** The text of a producer's message that closes its subscription. */
function closeText({ id }: Stand): string {
  const close = { type: "subscription.close", subscription_id: id, reason_code: "shutdown" };
  return JSON.stringify({ ...close, reason_message: "That was all." });
}

function acceptance({ id }: Stand, { capabilities }: JsonObject): JsonObject {
  const wishes = isObject(capabilities) ? capabilities : {};
  return {
    type: "subscription.accepted",
    subscription_id: id,
    aaep_version: "1.0.0",
    producer: { agent_id: "touchstone-producer" },
    honored_capabilities: Object.fromEntries(
      Object.entries(wishes).filter(([name, wish]) => name === "event_filters" || !isObject(wish)),
    ),
  };
}

/** Lets the subscriber connect with the named binding, and waits until its stream is open. */
export async function connectSubscriber(
  context: ScenarioContext,
  producer: Stand,
  more: JsonObject = {},
): Promise<void> {
  const before = producer.streams.opened;
  await context.hook("connect", { ...placesOf(context, producer), ...more });
  // Connecting needs several steps, and a busy machine delays each.
  if (!(await producer.until(() => producer.streams.opened > before, 2 * boundOf(context, "subscriber"))))
    throw new TargetFailure("timed-out", "connect", `the subscriber has opened no stream of events at ${producer.url}`);
}

/** The addresses for a subscriber. */
export function placesOf(context: ScenarioContext, { url, websocket }: Stand): JsonObject {
  const { binding = "sse" } = producerFacts(context);
  if (binding === "websocket") return { url: websocket };
  if (binding === "sse") return { url, events: `${url}/events`, replies: `${url}/messages` };
  throw new TargetSkip(`the suite plays no producer over "${binding}": options.binding is sse or websocket`);
}
