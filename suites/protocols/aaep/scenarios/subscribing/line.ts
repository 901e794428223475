import type { HttpReply, JsonObject } from "../../../../../schemas/index.ts";
import type { Inbox } from "./inbox.ts";

/** The wishes for a subscription. */
export interface SubscriptionWishes {
  capabilities?: JsonObject;
  /** Members of the request besides, or in place of, the usual ones. */
  request?: JsonObject;
  as?: "a" | "b" | "nobody";
  /** Its name in the report. */
  name?: string;
}

/** A subscription of the suite's. */
export interface Line {
  /** The granted id; an id of the suite's own without a handshake. */
  id: string;
  name: string;
  as: "a" | "b" | "nobody";
  /** The acceptance, after a handshake. */
  accepted: JsonObject | undefined;
  inbox: Inbox;
  /** Sends a reply, a renegotiation or a close; returns the HTTP answer if the binding has one. */
  send(message: JsonObject | string, as?: "a" | "b" | "nobody"): Promise<HttpReply | undefined>;
  /** Ends the connection without a word. */
  cut(): void;
  /** Connects again after a cut, with the id of the last received event; undefined if the binding cannot. */
  resume?(last: string): Promise<void>;
}
