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
  /** Waits until a condition is true, for at most this real time, which a `timeScale` above 1 multiplies. */
  until(holds: () => boolean, milliseconds?: number): Promise<boolean>;
}

/** A connected client, with the filters of its subscriptions by their ids. */
interface Guest {
  connection: Connection;
  subscriptions: Map<string, Json[]>;
}

/** The maximum number of published events. */
const maxEvents = 10_000;

/** Starts a relay on the interface of the receiver; it ends with the scenario. */
export async function startRelay(context: ScenarioContext, storedEvents: readonly NostrEvent[] = []): Promise<Relay> {
  const relay = new PlayedRelay(context, storedEvents);
  await relay.listen();
  return relay;
}

class PlayedRelay implements Relay {
  url = "";
  readonly events: NostrEvent[] = [];
  readonly #context: ScenarioContext;
  /** The events that it has from the start. */
  readonly #storedEvents: readonly NostrEvent[];
  readonly #guests = new Set<Guest>();
  /** The checks of the conditions that `until` waits for. */
  readonly #waiters = new Set<() => void>();

  constructor(context: ScenarioContext, storedEvents: readonly NostrEvent[]) {
    this.#context = context;
    this.#storedEvents = storedEvents;
  }

  async listen(): Promise<void> {
    const host = this.#context.setting.receiver?.host ?? "127.0.0.1";
    const server = createServer((_request, response) => response.writeHead(426).end());
    const dropGuests = takeSockets(server, (connection) => this.#welcome(connection));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, host, resolve);
    }).catch((error: Error) => {
      throw new TargetFailure("errored", "play", `no relay can listen on ${host}: ${error.message}`);
    });
    this.#context.closing(
      () =>
        new Promise<void>((resolve) => {
          dropGuests();
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    this.url = `ws://${host}:${(server.address() as AddressInfo).port}`;
  }

  filters(): Json[] {
    return [...this.#guests].flatMap(({ subscriptions }) => [...subscriptions.values()].flat());
  }

  publish(event: NostrEvent): void {
    for (const guest of this.#guests)
      for (const [id, filters] of guest.subscriptions) this.#sendIfMatching(guest, id, filters, event);
  }

  until(holds: () => boolean, milliseconds = boundOf(this.#context, "relay")): Promise<boolean> {
    const { signal, setting } = this.#context;
    return new Promise((resolve, reject) => {
      const finishWait = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        signal.removeEventListener("abort", check);
      };
      const check = (): void => {
        if (signal.aborted) {
          finishWait();
          reject(signal.reason);
        } else if (holds()) {
          finishWait();
          resolve(true);
        }
      };
      const giveUp = (): void => {
        finishWait();
        resolve(false);
      };
      const timer = setTimeout(giveUp, milliseconds * Math.max(1, setting.timeScale ?? 1));
      this.#waiters.add(check);
      signal.addEventListener("abort", check);
      check();
    });
  }

  #welcome(connection: Connection): void {
    const guest: Guest = { connection, subscriptions: new Map() };
    this.#guests.add(guest);
    connection.onText((text) => this.#receive(guest, text));
    connection.onClose(() => this.#guests.delete(guest));
  }

  #receive(guest: Guest, text: string): void {
    this.#context.record({ from: "target", to: "relay", text });
    const message = parseFrame(text);
    const [messageType, content, ...filters] = Array.isArray(message) ? message : [];
    if (messageType === "EVENT") this.#accept(guest, content);
    else if (messageType === "REQ" && typeof content === "string") this.#subscribe(guest, content, filters);
    else if (messageType === "CLOSE" && typeof content === "string") guest.subscriptions.delete(content);
    else this.#send(guest, ["NOTICE", "not understood"]);
    for (const check of [...this.#waiters]) check();
  }

  /** Stores a valid event of a client and sends it to all subscribers. A client that sends too many is disconnected. */
  #accept(guest: Guest, content: Json | undefined): void {
    const event = eventIn(content);
    const id = isObject(content) && typeof content.id === "string" ? content.id : "";
    if (event === undefined) this.#send(guest, ["OK", id, false, "invalid: the id or the signature is wrong"]);
    else if (this.events.length >= maxEvents) guest.connection.close();
    else {
      this.events.push(event);
      this.#send(guest, ["OK", event.id, true, ""]);
      this.publish(event);
    }
  }

  /** Opens a subscription, and answers it with the matching events so far. */
  #subscribe(guest: Guest, id: string, filters: Json[]): void {
    guest.subscriptions.set(id, filters);
    for (const event of [...this.#storedEvents, ...this.events]) this.#sendIfMatching(guest, id, filters, event);
    this.#send(guest, ["EOSE", id]);
  }

  #sendIfMatching(guest: Guest, id: string, filters: Json[], event: NostrEvent): void {
    if (filters.some((filter) => passesFilter(filter, event)))
      this.#send(guest, ["EVENT", id, event as unknown as Json]);
  }

  #send({ connection }: Guest, message: Json): void {
    const text = JSON.stringify(message);
    this.#context.record({ from: "relay", to: "target", text });
    connection.send(text);
  }
}

function parseFrame(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
