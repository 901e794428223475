import type { Sent } from "../../../../../generators/index.ts";
import type { Event } from "./event.ts";
import type { Question } from "./question.ts";
import type { Session } from "./sessions.ts";
import type { Audience } from "./standing.ts";

/** How a question came to its end, and what followed. */
export interface Settled {
  question: Question;
  session: Session;
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

/** A call that takes an acceptance, or takes up a rejected action. */
export interface Call {
  event: Event;
  isIrreversible: boolean;
  lack?: Lack;
  /** The rejection that it goes against. */
  against?: Settled;
  /** Question and call name each other. */
  isNamed?: true;
  /** The completion that reports success although nothing permits it. */
  claim?: Event;
  /** It follows a rejection at once, and tells no risk. */
  isHasty?: true;
  /** Such a call that has succeeded. */
  isUntold?: true;
  /** Only the id in a question's context tells that the claim is about its action. */
  isClaimByName?: boolean;
  /** It is what some acceptance was for. */
  isCounted?: true;
}

export interface Course {
  questions: Question[];
  settled: Settled[];
  calls: Call[];
  isTwoWay: boolean;
  /** No subscription could answer a confirmation: an action of low risk takes its default at once and need not be asked for. */
  isMute: boolean;
}

/** What of one session is still to be settled or used. */
export interface Going {
  open: Map<string, Question>;
  /** Acceptances that no call has taken. */
  grants: Settled[];
  /** The last confirmation that was settled. */
  last?: Settled;
  asked: number;
  taken: number;
  followed: Settled[];
  hidden: Settled[];
  unacted: Settled[];
  /** A reply may have counted, or not: from then on nobody can tell what is permitted. */
  isUnsure: boolean;
  /** The last confirmation was rejected, and no state but that of calling followed. */
  isJustRejected: boolean;
  audience: Audience;
  refused: Map<string, Settled>;
  calls: Map<string, Call>;
}

/** A session of which nothing is known yet. */
export function begun(audience: Audience): Going {
  const lists = { grants: [], followed: [], hidden: [], unacted: [] };
  const flags = { isUnsure: false, isJustRejected: false, audience };
  return { open: new Map(), asked: 0, taken: 0, ...flags, ...lists, refused: new Map(), calls: new Map() };
}
