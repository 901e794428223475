import type { Item, Recorded } from "./items.ts";
import type { Terms } from "./terms.ts";

/** A question, and its end. */
export interface QuestionRecord {
  item: Item;
  kind: "confirmation" | "clarification";
  token: string;
  /** In microseconds; infinite if its timestamp or timeout is unusable. */
  deadline: number;
  state: "open" | "accepted" | "rejected" | "answered" | "expired" | "void";
  /** The reply that settled it; undefined after a timeout, or if no subscriber could answer. */
  reply?: Item;
  /** The time at which it was settled, in microseconds. */
  end?: number;
}

/** An acceptance, which permits one call. */
export interface Permit {
  question: QuestionRecord;
  reply?: Item;
  isSpent: boolean;
  /** A reversible call of high risk has used it. */
  isUsedUp: boolean;
  /** A call came after it, or none is due. */
  isFollowed: boolean;
}

export interface Calling {
  item: Item;
  permit?: Permit | undefined;
}

/** The questions, permissions and calls of one session. */
export interface SessionWalk {
  events: Item[];
  permits: Permit[];
  rejections: QuestionRecord[];
  calls: Calling[];
  asked: number;
  irreversible: number;
}

/** The state of reading a recording: questions, answers and calls. */
export interface TraceWalk {
  recorded: Recorded;
  terms: readonly Terms[];
  isStrict: (freedom: string) => boolean;
  questions: QuestionRecord[];
  sessions: Map<string, SessionWalk>;
  /** Whether something before the present message may be missing. */
  hasMissed: boolean;
  isNegotiated: boolean;
  /** A subscription has declared that it can answer confirmations. */
  isAnswerable: boolean;
}

export function sessionIn({ sessions }: TraceWalk, id: string): SessionWalk {
  const known = sessions.get(id) ?? { events: [], permits: [], rejections: [], calls: [], asked: 0, irreversible: 0 };
  sessions.set(id, known);
  return known;
}

/** Settles a question without an answer. */
export function lapse(walk: TraceWalk, question: QuestionRecord, end: number): void {
  question.end = end;
  if (question.kind === "clarification") question.state = "expired";
  else if (question.item.message.default_decision === "accept") {
    question.state = "accepted";
    permit(walk, question);
  } else {
    question.state = "rejected";
    sessionIn(walk, question.item.session).rejections.push(question);
  }
}

export function permit(walk: TraceWalk, question: QuestionRecord, reply?: Item): void {
  const isFollowed = reply?.message.modified_action !== undefined;
  const by = reply === undefined ? {} : { reply };
  sessionIn(walk, question.item.session).permits.push({ question, ...by, isSpent: false, isUsedUp: false, isFollowed });
}
