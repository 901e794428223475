import type { HttpReply, JsonObject } from "../../../../../schemas/index.ts";
import type { Inbox } from "./inbox.ts";

/** What is wanted of a subscription. */
export interface Wanted {
  capabilities?: JsonObject;
  /** Members of the request besides, or in place of, the usual ones. */
  request?: JsonObject;
  as?: "a" | "b" | "nobody";
  /** What it is called in the report. */
  name?: string;
}

/** A subscription of the suite's. */
export interface Line {
  /** As it was granted; one of the suite's own where there was no handshake. */
  id: string;
  name: string;
  as: "a" | "b" | "nobody";
  /** The acceptance, after a handshake. */
  accepted: JsonObject | undefined;
  inbox: Inbox;
  /** Sends a reply, a renegotiation or a close; the HTTP answer where the binding has one. */
  send(message: JsonObject | string, as?: "a" | "b" | "nobody"): Promise<HttpReply | undefined>;
  /** Ends the connection without a word. */
  cut(): void;
  /** Connects again after it was cut, with the id of the last event that came; undefined where the binding cannot. */
  resume?(last: string): Promise<void>;
}
