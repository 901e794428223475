import type { Sent } from "../../../../../generators/index.ts";
import type { Event } from "./event.ts";
import type { TraceQuestion } from "./question.ts";
import type { TraceSession } from "./sessions.ts";
import type { Audience } from "./standing.ts";

/** The end of a question, and the following events. */
export interface SettledQuestion {
  question: TraceQuestion;
  session: TraceSession;
  how: "accepted" | "rejected" | "answered";
  /** The reply; undefined where time ran out. */
  by?: Sent;
  /** The entry that settled it, or showed that it was settled. */
  index: number;
  /** The session's next event. */
  next?: Event;
  /** The first event that shows that a rejected action was dropped. */
  shown?: Event;
  /** The first call after an acceptance. */
  acted?: Event;
  /** A call that needed this acceptance was announced before, and reports its success afterwards. */
  early?: Event;
}

/** Why nothing permits a call: nothing was asked, the answer is due, it was no, or it was a yes to another call. */
export type Lack = "unasked" | "pending" | "rejected" | "spent";

/** A call that uses an acceptance, or carries out a rejected action. */
export interface ConsentCall {
  event: Event;
  isIrreversible: boolean;
  lack?: Lack;
  /** The rejection that it goes against. */
  against?: SettledQuestion;
  /** Question and call name each other. */
  isNamed?: true;
  /** The completion that reports success although nothing permits it. */
  claim?: Event;
  /** It follows a rejection at once, and states no risk. */
  isHasty?: true;
  /** Such a call that has succeeded. */
  isUntold?: true;
  /** Only the id in a question's context shows that the claim is about its action. */
  isClaimByName?: boolean;
  /** Some acceptance was for it. */
  isCounted?: true;
}

export interface SessionCourse {
  questions: TraceQuestion[];
  settled: SettledQuestion[];
  calls: ConsentCall[];
  isTwoWay: boolean;
  /** No subscription could answer a confirmation: an action of low risk gets its default at once and needs no question. */
  isMute: boolean;
}

/** The open questions and unused permissions of one session. */
export interface PendingConsent {
  open: Map<string, TraceQuestion>;
  /** Acceptances that no call has used. */
  grants: SettledQuestion[];
  /** The last confirmation that was settled. */
  last?: SettledQuestion;
  asked: number;
  taken: number;
  followed: SettledQuestion[];
  hidden: SettledQuestion[];
  unacted: SettledQuestion[];
  /** A reply may have counted, or not: from then on the permissions are unknown. */
  isUnsure: boolean;
  /** The last confirmation was rejected, and no state but that of calling followed. */
  isJustRejected: boolean;
  audience: Audience;
  refused: Map<string, SettledQuestion>;
  calls: Map<string, ConsentCall>;
}

/** A session without known events. */
export function beginGoing(audience: Audience): PendingConsent {
  const lists = { grants: [], followed: [], hidden: [], unacted: [] };
  const flags = { isUnsure: false, isJustRejected: false, audience };
  return { open: new Map(), asked: 0, taken: 0, ...flags, ...lists, refused: new Map(), calls: new Map() };
}
