import type { HttpReply, JsonObject } from "../../../../../schemas/index.ts";
import type { Inbox } from "./inbox.ts";

/** The options of a subscription that the suite opens. */
export interface SubscriptionOptions {
  capabilities?: JsonObject;
  /** Members of the request that are added to the usual ones, or replace them. */
  request?: JsonObject;
  caller?: "a" | "b" | "nobody";
  /** Its name in the report. */
  name?: string;
}

/** A subscription of the suite. */
export interface OpenSubscription {
  /** The granted id, or without a handshake an id made by the suite. */
  id: string;
  name: string;
  caller: "a" | "b" | "nobody";
  /** The acceptance; undefined without a handshake. */
  accepted: JsonObject | undefined;
  inbox: Inbox;
  /** Sends a reply, a renegotiation or a close. Returns the HTTP answer if the binding has one. */
  send(message: JsonObject | string, caller?: "a" | "b" | "nobody"): Promise<HttpReply | undefined>;
  /** Ends the connection without a message. */
  cut(): void;
  /** Connects again after a cut, with the id of the last received event. Undefined if the binding cannot do that. */
  resume?(lastEventId: string): Promise<void>;
}
