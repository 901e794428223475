import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type Json, type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { type Connection, takeSockets } from "../../../running/scenarios/way/websocket-server.ts";
import { eventIn, type NostrEvent } from "../nostr/event.ts";
import { passesFilter } from "../nostr/filter.ts";
import { boundOf } from "./bounds.ts";

/** A relay of the suite according to NIP-01: it stores events during the scenario, and checks the events that it accepts. */
export interface Relay {
  url: string;
  /** The published events, in order. */
  events: readonly NostrEvent[];
  /** The filters of the open subscriptions. */
  filters(): Json[];
  publish(event: NostrEvent): void;
  /** Waits until a condition is true, for these real milliseconds by the setting's scale. */
  until(holds: () => boolean, milliseconds?: number): Promise<boolean>;
}

interface Guest {
  connection: Connection;
  subscriptions: Map<string, Json[]>;
}

/** The maximum number of stored events, and of frames read from one client. */
const maxEvents = 10_000;

/** Starts a relay on the interface of the receiver; it ends with the scenario. */
export async function startRelay(context: ScenarioContext, storedEvents: readonly NostrEvent[] = []): Promise<Relay> {
  const events: NostrEvent[] = [];
  const guests = new Set<Guest>();
  const waiters = new Set<() => void>();
  const wake = (): void => {
    for (const each of [...waiters]) each();
  };
  const host = context.setting.receiver?.host ?? "127.0.0.1";
  const server = createServer((_request, response) => response.writeHead(426).end());
  const say = ({ connection }: Guest, message: Json): void => {
    const text = JSON.stringify(message);
    context.record({ from: "relay", to: "target", text });
    connection.send(text);
  };
  const sendToSubscribers = (event: NostrEvent): void => {
    for (const guest of guests)
      for (const [id, filters] of guest.subscriptions)
        if (filters.some((filter) => passesFilter(filter, event))) say(guest, ["EVENT", id, event as unknown as Json]);
  };
  const receive = (guest: Guest, text: string): void => {
    context.record({ from: "target", to: "relay", text });
    const message = parseFrame(text);
    const [word, id, ...filters] = Array.isArray(message) ? message : [];
    if (word === "EVENT") {
      const event = eventIn(id);
      const name = isObject(id) && typeof id.id === "string" ? id.id : "";
      if (event === undefined) say(guest, ["OK", name, false, "invalid: the id or the signature is wrong"]);
      else if (events.length >= maxEvents) guest.connection.close();
      else {
        events.push(event);
        say(guest, ["OK", event.id, true, ""]);
        sendToSubscribers(event);
      }
    } else if (word === "REQ" && typeof id === "string") {
      guest.subscriptions.set(id, filters);
      for (const event of [...storedEvents, ...events])
        if (filters.some((filter) => passesFilter(filter, event))) say(guest, ["EVENT", id, event as unknown as Json]);
      say(guest, ["EOSE", id]);
    } else if (word === "CLOSE" && typeof id === "string") guest.subscriptions.delete(id);
    else say(guest, ["NOTICE", "not understood"]);
    wake();
  };
  const drop = takeSockets(server, (connection) => {
    const guest: Guest = { connection, subscriptions: new Map() };
    guests.add(guest);
    connection.onText((text) => receive(guest, text));
    connection.onClose(() => guests.delete(guest));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  }).catch((error: Error) => {
    throw new TargetFailure("errored", "play", `no relay can listen on ${host}: ${error.message}`);
  });
  context.closing(
    () =>
      new Promise<void>((resolve) => {
        drop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return {
    url: `ws://${host}:${(server.address() as AddressInfo).port}`,
    events,
    filters: () => [...guests].flatMap(({ subscriptions }) => [...subscriptions.values()].flat()),
    publish: sendToSubscribers,
    until: (holds, milliseconds = boundOf(context, "relay")) =>
      new Promise((resolve, reject) => {
        const { signal, setting } = context;
        const finishWait = (): void => {
          clearTimeout(timer);
          waiters.delete(look);
          signal.removeEventListener("abort", look);
        };
        const look = (): void => {
          if (signal.aborted) {
            finishWait();
            reject(signal.reason);
          } else if (holds()) {
            finishWait();
            resolve(true);
          }
        };
        const timer = setTimeout(
          () => {
            finishWait();
            resolve(false);
          },
          milliseconds * Math.max(1, setting.timeScale ?? 1),
        );
        waiters.add(look);
        signal.addEventListener("abort", look);
        look();
      }),
  };
}

function parseFrame(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
