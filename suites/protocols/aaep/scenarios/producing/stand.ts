import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { idFor } from "./events.ts";

/** Milliseconds within which something that is due comes. */
const patience = 5000;
/** Bytes of a message, and messages of a scenario, that are kept. */
const [longest, most] = [2 * 1024 * 1024, 2000];

/** A producer that the suite plays: it shakes hands, streams what it is told to, and takes replies. */
export interface Stand {
  url: string;
  /** Id of the subscription that was granted last. */
  id: string;
  /** Requests for a subscription. */
  requests: JsonObject[];
  /** What else the subscriber has sent: replies, changes, closes; in order. */
  messages: JsonObject[];
  /** Streams that were opened, and those of them that the subscriber has ended. */
  streams: { opened: number; left: number };
  emit(...events: JsonObject[]): void;
  /** Sends text as it is. */
  raw(text: string): void;
  /** Breaks the connection without a word. */
  cut(): void;
  /** Waits until something holds; false when the time is up. */
  until(holds: () => boolean, milliseconds?: number): Promise<boolean>;
}

/** Starts it; what the acceptance says beyond the usual stands in `granting`. */
export async function stand(
  context: ScenarioContext,
  granting: JsonObject = {},
  manifest?: JsonObject | string,
): Promise<Stand> {
  const { receiver: { host = "127.0.0.1", port = 0, url } = {}, timeScale = 1 } = context.setting;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const each of [...waiting]) each();
  };
  const outlets = new Set<ServerResponse>();
  const state: Stand = {
    ...{ url: "", id: "", requests: [], messages: [], streams: { opened: 0, left: 0 } },
    emit(...events) {
      for (const event of events) {
        const text = JSON.stringify(event);
        context.record({ from: "producer", to: "subscriber", text });
        write(`event: aaep.event\nid: ${event.event_id}\ndata: ${text}\n\n`);
      }
    },
    raw(text) {
      context.record({ from: "producer", to: "subscriber", text });
      write(text);
    },
    cut() {
      context.record({ from: "producer", to: "subscriber", text: "(breaks the connection)" });
      for (const each of outlets) each.destroy();
      outlets.clear();
    },
    until: (holds, milliseconds = patience) =>
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
  const write = (text: string): void => {
    for (const each of outlets) each.write(text);
  };
  const take = (message: Json | undefined, response: ServerResponse): void => {
    if (!isObject(message) || state.requests.length + state.messages.length > most) {
      response.writeHead(400).end();
      return;
    }
    context.record({ from: "subscriber", to: "producer", text: JSON.stringify(message) });
    if (message.type === "subscription.request") {
      state.requests.push(message);
      state.id = idFor(context, "sub");
      const body = { ...acceptance(state, message), ...granting };
      response.writeHead(201, {
        "content-type": "application/json",
        location: `/aaep/v1/events?subscription_id=${state.id}`,
      });
      response.end(JSON.stringify(body));
    } else {
      state.messages.push(message);
      response.writeHead(204).end();
      if (message.type === "subscription.renegotiate") state.emit({ ...acceptance(state, message), ...granting });
    }
    wake();
  };
  const server = createServer((request, response) => {
    response.on("error", () => {});
    if (request.method === "POST") {
      void bodyOf(request).then((text) => take(parsed(text), response));
      return;
    }
    if (!/events/.test(request.url ?? "")) {
      const isThere = /manifest/.test(request.url ?? "");
      response.writeHead(isThere ? 200 : 404, { "content-type": "application/json" });
      response.end(isThere ? (typeof manifest === "string" ? manifest : JSON.stringify(manifest ?? own)) : undefined);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": welcome\n\n");
    outlets.add(response);
    state.streams.opened += 1;
    response.on("close", () => {
      if (outlets.delete(response)) state.streams.left += 1;
      wake();
    });
    wake();
  });
  context.closing(
    () =>
      new Promise<void>((done) => {
        const close = { type: "subscription.close", subscription_id: state.id, reason_code: "shutdown" };
        write(`event: aaep.event\ndata: ${JSON.stringify({ ...close, reason_message: "That was all." })}\n\n`);
        for (const each of outlets) each.end();
        server.close(() => done());
        // Whoever does not leave by itself is shown out.
        setTimeout(() => server.closeAllConnections(), 50);
      }),
  );
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, done);
  });
  state.url = (url ?? `http://${host}:${(server.address() as AddressInfo).port}`).replace(/\/$/, "");
  return state;
}

const own: JsonObject = {
  "@context": "https://aaep-protocol.org/context/v1",
  ...{ type: "aaep:producer.manifest", agent_id: "touchstone-producer", aaep_versions_supported: ["1.0.0"] },
  ...{ conformance_levels_supported: [1, 2, 3], transports_supported: ["sse"], languages_supported: ["en-GB"] },
  event_types_emitted: ["aaep:agent.*"],
};

function acceptance({ id }: Stand, { capabilities }: JsonObject): JsonObject {
  const wishes = isObject(capabilities) ? capabilities : {};
  return {
    ...{ type: "subscription.accepted", subscription_id: id, aaep_version: "1.0.0" },
    producer: { agent_id: "touchstone-producer" },
    honored_capabilities: Object.fromEntries(
      Object.entries(wishes).filter(([name, wish]) => name === "event_filters" || !isObject(wish)),
    ),
  };
}

/** The text of a body, as far as it is kept. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  try {
    for await (const chunk of request as AsyncIterable<Buffer>)
      if (text.length < longest) text += chunk.toString("utf8");
  } catch {
    // The subscriber has gone: what came is what there is.
  }
  return text;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Lets the subscriber connect, and waits until its stream is open. */
export async function connected(context: ScenarioContext, producer: Stand, more: JsonObject = {}): Promise<void> {
  const before = producer.streams.opened;
  await context.hook("connect", {
    url: producer.url,
    ...{ events: `${producer.url}/events`, replies: `${producer.url}/messages` },
    ...more,
  });
  if (!(await producer.until(() => producer.streams.opened > before)))
    throw new TargetFailure("timed-out", "connect", `the subscriber has opened no stream of events at ${producer.url}`);
}
