import { WebSocket } from "undici";
import type { Json } from "../../../../schemas/index.ts";
import { eventIn, type NostrEvent } from "./event.ts";

/** A connection to a relay. */
export interface RelayClient {
  publish(event: NostrEvent): void;
  subscribe(id: string, filter: Json): void;
  close(): void;
  /** Resolves to whether the connection could be opened. Messages from before that are sent once it is open. */
  opened: Promise<boolean>;
}

export interface RelayListener {
  event?(event: NostrEvent, subscription: string): void;
  /** Called when all stored events have been sent. */
  end?(subscription: string): void;
}

/** Connects to a relay, and reports its valid events. */
export function connectRelay(url: string, listener: RelayListener): RelayClient {
  const socket = new WebSocket(url);
  const sendWhenOpen = (message: Json): void => {
    void opening.then((isOpen) => {
      if (isOpen && socket.readyState === 1) socket.send(JSON.stringify(message));
    });
  };
  const opening = new Promise<boolean>((resolve) => {
    socket.addEventListener("open", () => resolve(true));
    socket.addEventListener("error", () => resolve(false));
    socket.addEventListener("close", () => resolve(false));
  });
  socket.addEventListener("message", ({ data }) => {
    const [messageType, id, value] = parseList(data);
    if (messageType === "EVENT" && typeof id === "string") {
      const event = eventIn(value);
      if (event !== undefined) listener.event?.(event, id);
    }
    if (messageType === "EOSE" && typeof id === "string") listener.end?.(id);
  });
  return {
    publish: (event) => sendWhenOpen(["EVENT", event as unknown as Json]),
    subscribe: (id, filter) => sendWhenOpen(["REQ", id, filter]),
    close: () => socket.close(),
    opened: opening,
  };
}

function parseList(data: unknown): Json[] {
  try {
    const value = JSON.parse(String(data)) as Json;
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
