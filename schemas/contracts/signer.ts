import type { Skip } from "../cause.ts";
import type { Json } from "../json.ts";

/**
 * Signs a message again; returns it unchanged if it has no signature, or its sender has no known key. `mistake` names a mistake of the
 * signature, for cases of rules that mention it.
 */
export type Sign = (message: Json, mistake?: string) => Json;

/** A message, or a text of one, to be sent to a live receiver. Exactly one of `was` and `text`. */
export interface Letter {
  /** The message as it is known, before anything in it is made fresh. */
  was?: Json;
  text?: string | Uint8Array;
  /** The same message with members that are as unique and as near now as a receiver wants them. */
  fresh(message: Json): Json;
  /** JSON Pointers to the subject of the vector: these stay unchanged. */
  keep: readonly string[];
  /** Its fault is not the signature, so the signature has to fit the final message. */
  sign: boolean;
}

/** A letter as it goes out. */
export interface Posted {
  body: string | Uint8Array;
  /** It is addressed, dated and signed as a right sender does it. */
  isRight: boolean;
  /** Why its acceptance says nothing: the receiver may ignore the fault. */
  ignorable?: string;
}

/** Brings messages to one receiver with a key of its own. */
export interface Post {
  /** Why a letter is not sent to it; undefined if it is sent. */
  skips(letter: Letter): Skip | undefined;
  write(letter: Letter): Posted;
}

/** How to reach a receiver. Both return the JSON answer, and undefined if it is not JSON. */
export interface Doors {
  read(path: string): Promise<Json | undefined>;
  send(message: Json): Promise<Json | undefined>;
}

/** Signs messages, and learns their receivers if receivers differ. */
export interface Signer {
  sign: Sign;
  /** Finds out who the receiver is, unless the configuration names its identity. */
  meet?(doors: Doors, identity?: string): Promise<Post>;
}
