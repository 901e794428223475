import type { Sent } from "../../../../../generators/index.ts";
import type { Audience } from "./audience.ts";
import type { Event } from "./event.ts";
import type { TraceQuestion } from "./question.ts";
import type { TraceSession } from "./sessions.ts";

/** A question that has ended, and the events after it. */
export interface SettledQuestion {
  question: TraceQuestion;
  session: TraceSession;
  outcome: "accepted" | "rejected" | "answered";
  /** The reply that settled it; undefined after a timeout. */
  answer?: Sent;
  /** The index of the entry that settled the question, or showed that it was settled. */
  index: number;
  /** The next event of the session. */
  nextEvent?: Event;
  /** The first event that shows that the rejected action was dropped. */
  dropEvent?: Event;
  /** The first call after an acceptance. */
  followingCall?: Event;
  /** A call that was announced before the acceptance that it needs, but reports success after it. */
  earlyCompletion?: Event;
}

/** Why a call has no permission: there was no question, no answer yet, a rejection, or only an acceptance that another call has used. */
export type MissingPermission = "unasked" | "pending" | "rejected" | "spent";

/** A call that uses an acceptance, or carries out a rejected action. */
export interface ConsentCall {
  event: Event;
  isIrreversible: boolean;
  missing?: MissingPermission;
  /** The rejection that the call ignores. */
  ignoredRejection?: SettledQuestion;
  /** Set if the rejected question names this call. */
  isNamedByQuestion?: true;
  /** A completion that reports success although the action was not accepted. */
  falseReport?: Event;
  /** Set if the call follows a rejection immediately, and declares no risk. */
  followsRejectionWithoutRisk?: true;
  /** Set if such a call is reported as successful. */
  succeedsAfterRejection?: true;
  /** Set if the report is only false because a question that was not accepted names the id of the call. */
  isFalseOnlyById?: boolean;
  /** Set if the call follows an acceptance. */
  usesAcceptance?: true;
}

export interface ConsentCourse {
  questions: TraceQuestion[];
  settledQuestions: SettledQuestion[];
  calls: ConsentCall[];
  isTwoWay: boolean;
  /** Set if no subscriber can answer a confirmation. If so, the default of a low-risk action applies immediately, without a question. */
  nobodyCanConfirm: boolean;
}

/** The open questions and unused permissions of one session. */
export interface PendingConsent {
  openQuestions: Map<string, TraceQuestion>;
  /** Acceptances that no call has used. */
  unusedAcceptances: SettledQuestion[];
  /** The latest settled confirmation. */
  lastSettled?: SettledQuestion;
  confirmations: number;
  usedAcceptances: number;
  awaitingNextEvent: SettledQuestion[];
  awaitingDropEvent: SettledQuestion[];
  awaitingCall: SettledQuestion[];
  /** Set after a reply that may or may not have counted. From then on, permissions are unknown. */
  hasUncertainReply: boolean;
  /** Set if the latest confirmation was rejected, and no state other than `calling_tool` followed. */
  isJustRejected: boolean;
  audience: Audience;
  rejectionsByCallId: Map<string, SettledQuestion>;
  callsByKey: Map<string, ConsentCall>;
}

/** Makes the state of a session before its first known event. */
export function createPendingConsent(audience: Audience): PendingConsent {
  return {
    openQuestions: new Map(),
    unusedAcceptances: [],
    confirmations: 0,
    usedAcceptances: 0,
    awaitingNextEvent: [],
    awaitingDropEvent: [],
    awaitingCall: [],
    hasUncertainReply: false,
    isJustRejected: false,
    audience,
    rejectionsByCallId: new Map(),
    callsByKey: new Map(),
  };
}
