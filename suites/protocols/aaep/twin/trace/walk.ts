import type { Item, ParsedRecording } from "./items.ts";
import type { TwinTerms } from "./terms.ts";

/** A question, and how it ended. */
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
  settledAt?: number;
}

/** An acceptance, which permits one call. */
export interface Permit {
  question: QuestionRecord;
  reply?: Item;
  isUsed: boolean;
  /** Whether a reversible call of high risk has used it. */
  isUsedByRiskyCall: boolean;
  /** Whether a call followed it, or need not follow. */
  isFollowed: boolean;
}

export interface CallRecord {
  item: Item;
  permit?: Permit | undefined;
}

/** The questions, permissions and calls of one session. */
export interface SessionWalk {
  events: Item[];
  permits: Permit[];
  rejections: QuestionRecord[];
  calls: CallRecord[];
  confirmationCount: number;
  irreversibleCalls: number;
}

/** The state of judging a recording, message by message. */
export interface TraceWalk {
  recording: ParsedRecording;
  terms: readonly TwinTerms[];
  isStrict: (freedom: string) => boolean;
  questions: QuestionRecord[];
  sessions: Map<string, SessionWalk>;
  /** Whether messages before the current one may be missing. */
  mayHaveMissed: boolean;
  isNegotiated: boolean;
  /** Whether a subscriber has declared that it can answer confirmations. */
  canAnyoneConfirm: boolean;
}

export function sessionIn({ sessions }: TraceWalk, id: string): SessionWalk {
  const session = sessions.get(id) ?? {
    events: [],
    permits: [],
    rejections: [],
    calls: [],
    confirmationCount: 0,
    irreversibleCalls: 0,
  };
  sessions.set(id, session);
  return session;
}

/** Settles a question without an answer. */
export function settleByDefault(walk: TraceWalk, question: QuestionRecord, settledAt: number): void {
  question.settledAt = settledAt;
  if (question.kind === "clarification") question.state = "expired";
  else if (question.item.message.default_decision === "accept") {
    question.state = "accepted";
    addPermit(walk, question);
  } else {
    question.state = "rejected";
    sessionIn(walk, question.item.session).rejections.push(question);
  }
}

export function addPermit(walk: TraceWalk, question: QuestionRecord, reply?: Item): void {
  const isFollowed = reply?.message.modified_action !== undefined;
  const replyMember = reply === undefined ? {} : { reply };
  sessionIn(walk, question.item.session).permits.push({
    question,
    ...replyMember,
    isUsed: false,
    isUsedByRiskyCall: false,
    isFollowed,
  });
}
