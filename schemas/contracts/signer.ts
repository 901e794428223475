import type { Skip } from "../cause.ts";
import type { Json } from "../json.ts";

/**
 * Signs a message again; returns it unchanged if it has no signature or the key of its sender is unknown. `mistake` names a deliberate
 * mistake in the signature.
 */
export type Sign = (message: Json, mistake?: string) => Json;

/** A message to be sent to a live receiver, as a value (`was`) or as text: exactly one of the two is present. */
export interface OutgoingMessage {
  /** The message before freshness replaces any of its values. */
  was?: Json;
  text?: string | Uint8Array;
  /** Returns the message with new ids and current timestamps, as a receiver requires them. */
  fresh(message: Json): Json;
  /** JSON Pointers to the members that the vector is about: they stay unchanged. */
  keep: readonly string[];
  /** Whether the signature must match the final message, since the vector is not about the signature. */
  sign: boolean;
}

/** An outgoing message, ready to send. */
export interface PreparedMessage {
  body: string | Uint8Array;
  /** Whether it is addressed, dated and signed correctly. */
  isRight: boolean;
  /** Why the receiver may ignore the fault, so that acceptance proves nothing; absent if it may not. */
  ignorable?: string;
}

/** Prepares messages for one receiver that has its own key. */
export interface ReceiverSigner {
  /** Why a message cannot be sent to this receiver; undefined if it can. */
  skips(message: OutgoingMessage): Skip | undefined;
  write(message: OutgoingMessage): PreparedMessage;
}

/** A connection to a receiver. Both functions return the answer, or undefined if it is not JSON. */
export interface ReceiverConnection {
  read(path: string): Promise<Json | undefined>;
  send(message: Json): Promise<Json | undefined>;
}

/** Signs messages. `meet` exists if messages depend on the identity of their receiver. */
export interface Signer {
  sign: Sign;
  /** Asks the receiver for its identity, unless the configuration names it. */
  meet?(connection: ReceiverConnection, identity?: string): Promise<ReceiverSigner>;
}
