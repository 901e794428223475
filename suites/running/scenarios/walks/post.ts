import { oneOf } from "./steps.ts";

/** The ways in which the delivery of a message may fail: it arrives twice, after later messages, or never. */
export const mishaps = ["twice", "late", "lost"] as const;
export type Mishap = (typeof mishaps)[number];

/** Selects the late message that arrives; `last` means out of order. */
export const turns = ["first", "last"] as const;
export type PostTurn = (typeof turns)[number];

export function mishapIn(text: string | undefined): Mishap | undefined {
  return oneOf(mishaps, text);
}

/** The messages on their way from the suite to a party. */
export interface WalkPost<Message> {
  /** Sends a message; returns the copies that arrive now. */
  send(message: Message, mishap?: Mishap): Message[];
  /** Returns the late message that arrives now; undefined if there is none. */
  arrive(turn: PostTurn): Message | undefined;
  readonly isEmpty: boolean;
}

export function postFor<Message>(): WalkPost<Message> {
  const delayed: Message[] = [];
  return {
    send(message, mishap) {
      if (mishap === "late") delayed.push(message);
      if (mishap === "late" || mishap === "lost") return [];
      return mishap === "twice" ? [message, message] : [message];
    },
    arrive: (turn) => (turn === "first" ? delayed.shift() : delayed.pop()),
    get isEmpty() {
      return delayed.length === 0;
    },
  };
}
