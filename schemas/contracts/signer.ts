import type { Skip } from "../cause.ts";
import type { Json } from "../json.ts";

/**
 * Signs a message anew; gives it back as it was when it has no signature, or comes from none of the known keys. `mistake` names one that the signature
 * is to be made with, for cases of rules that tell of it.
 */
export type Sign = (message: Json, mistake?: string) => Json;

/** A message, or a text of one, to be sent to a live receiver. Exactly one of `was` and `text`. */
export interface Letter {
  /** The message as it is known, before anything in it is made fresh. */
  was?: Json;
  text?: string | Uint8Array;
  /** The same message with members that are as unique and as near now as a receiver wants them. */
  fresh(message: Json): Json;
  /** JSON Pointers to what it is about: this stays as it is. */
  keep: readonly string[];
  /** Its fault is not the signature, which has to fit whatever the message becomes. */
  sign: boolean;
}

/** A letter as it goes out. */
export interface Posted {
  body: string | Uint8Array;
  /** It is addressed, dated and signed as a right sender does it. */
  isRight: boolean;
  /** Why to accept it says nothing: what is wrong with it may be ignored by who receives it. */
  ignorable?: string;
}

/** What brings messages to one receiver that has a key of its own. */
export interface Post {
  /** Why a letter is not sent to it; undefined where it is. */
  skips(letter: Letter): Skip | undefined;
  write(letter: Letter): Posted;
}

/** How to come into touch with a receiver. Both give what is answered where that is JSON, and undefined otherwise. */
export interface Doors {
  read(path: string): Promise<Json | undefined>;
  send(message: Json): Promise<Json | undefined>;
}

/** Signs messages, and learns for whom they are where receivers differ. */
export interface Signer {
  sign: Sign;
  /** Finds out who the receiver is, unless the configuration names its identity. */
  meet?(doors: Doors, identity?: string): Promise<Post>;
}
