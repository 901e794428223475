import type { Sent } from "../../../../../generators/index.ts";
import type { Event } from "./event.ts";
import type { TraceQuestion } from "./question.ts";
import type { TraceSession } from "./sessions.ts";
import type { Audience } from "./standing.ts";

/** The end of a question, and the events after it. */
export interface SettledQuestion {
  question: TraceQuestion;
  session: TraceSession;
  how: "accepted" | "rejected" | "answered";
  /** The reply; undefined after a timeout. */
  by?: Sent;
  /** The entry that settled the question, or showed that it was settled. */
  index: number;
  /** The next event of the session. */
  next?: Event;
  /** The first event that shows that the rejected action was dropped. */
  shown?: Event;
  /** The first call after an acceptance. */
  acted?: Event;
  /** A call that was announced before the acceptance that it needs, but reports success after it. */
  early?: Event;
}

/** Why a call has no permission: no question, no answer yet, a rejection, or an acceptance that another call has used. */
export type Lack = "unasked" | "pending" | "rejected" | "spent";

/** A call that uses an acceptance, or carries out a rejected action. */
export interface ConsentCall {
  event: Event;
  isIrreversible: boolean;
  lack?: Lack;
  /** The rejection that the call ignores. */
  against?: SettledQuestion;
  /** Set if question and call name each other. */
  isNamed?: true;
  /** The completion that reports success without permission. */
  claim?: Event;
  /** Set if the call follows a rejection immediately, and declares no risk. */
  isHasty?: true;
  /** Set if the completion of such a call reports success. */
  isUntold?: true;
  /** Set if only the id in a question's context connects the claim with its action. */
  isClaimByName?: boolean;
  /** Set if an acceptance was for this call. */
  isCounted?: true;
}

export interface SessionCourse {
  questions: TraceQuestion[];
  settled: SettledQuestion[];
  calls: ConsentCall[];
  isTwoWay: boolean;
  /** Set if no subscription could answer a confirmation: a low-risk action then gets its default at once, without a question. */
  isMute: boolean;
}

/** The open questions and unused permissions of one session. */
export interface PendingConsent {
  open: Map<string, TraceQuestion>;
  /** Acceptances that no call has used. */
  grants: SettledQuestion[];
  /** The latest settled confirmation. */
  last?: SettledQuestion;
  asked: number;
  taken: number;
  followed: SettledQuestion[];
  hidden: SettledQuestion[];
  unacted: SettledQuestion[];
  /** Set after a reply that may or may not have counted: from then on the permissions are unknown. */
  isUnsure: boolean;
  /** Set if the latest confirmation was rejected, and no other state than that of calling followed. */
  isJustRejected: boolean;
  audience: Audience;
  refused: Map<string, SettledQuestion>;
  calls: Map<string, ConsentCall>;
}

/** The state of a session before its first known event. */
export function beginGoing(audience: Audience): PendingConsent {
  const lists = { grants: [], followed: [], hidden: [], unacted: [] };
  const flags = { isUnsure: false, isJustRejected: false, audience };
  return { open: new Map(), asked: 0, taken: 0, ...flags, ...lists, refused: new Map(), calls: new Map() };
}
