import type { HttpReply, JsonObject } from "../../../../../schemas/index.ts";
import type { Inbox } from "./inbox.ts";

/** The requested properties of a subscription. */
export interface SubscriptionWishes {
  capabilities?: JsonObject;
  /** Members of the request that are added to the usual ones, or replace them. */
  request?: JsonObject;
  as?: "a" | "b" | "nobody";
  /** Its name in the report. */
  name?: string;
}

/** A subscription of the suite. */
export interface Line {
  /** The granted id; without a handshake an id of the suite's own. */
  id: string;
  name: string;
  as: "a" | "b" | "nobody";
  /** The acceptance, after a handshake. */
  accepted: JsonObject | undefined;
  inbox: Inbox;
  /** Sends a reply, a renegotiation or a close; returns the HTTP answer if the binding has one. */
  send(message: JsonObject | string, as?: "a" | "b" | "nobody"): Promise<HttpReply | undefined>;
  /** Ends the connection without a message. */
  cut(): void;
  /** Connects again after a cut, with the id of the last received event; undefined if the binding cannot do that. */
  resume?(last: string): Promise<void>;
}
