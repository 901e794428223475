import {
  type AnswerBreach,
  type Cause,
  inexactIn,
  type Observation,
  type Protocol,
  type Skip,
  type Target,
  type TargetAnswer,
  type Unanswered,
  type Unavailable,
  type Vector,
  verdictOf,
  wouldDecide,
} from "../../../schemas/index.ts";
import type { RunCase } from "./case.ts";
import { type AnswerJudgement, type Codes, judge } from "./judge.ts";
import { ofNotification, withLatitude } from "./latitude.ts";
import { withReserve } from "./reserve.ts";

/** The observation for a case that was not sent to the target. */
export interface NotAsked {
  kind: "not-asked";
  verdict?: undefined;
  why: string;
  cause: Cause;
}

/** One case and the observation of the target's answer. */
export interface Exchange {
  of: RunCase;
  observation: Observation | NotAsked;
}

/** The conditions of the verdict that all exchanges of a run share. */
export interface VerdictConditions {
  protocol: Protocol;
  kind: Target["kind"];
  /** Error codes that a refused document may carry; undefined if codes are not compared. */
  codes: Codes | undefined;
  /** The chosen readings; undefined if it does not matter which readings would decide. */
  readings: readonly string[] | undefined;
}

/** Facts from other exchanges of the run; undefined if not known yet. */
export interface SoFar {
  /** Whether a tool has refused valid input of a document in these words. */
  refusesValidIn?(document: string, words: string): boolean;
  /** Whether a server uses a status about state to refuse messages of a document. */
  isRefusal?(document: string, status: number): boolean | undefined;
  /** Whether any valid message of a document is accepted. */
  isOpen?(document: string): boolean | undefined;
  /** Returns a skip if a refusal of an invalid message shows nothing, because valid messages are refused too; false if it shows something. */
  emptiness?(of: RunCase): Skip | false | undefined;
}

/** The result of an exchange. */
export type CaseVerdict = AnswerJudgement & {
  /** The answer that was judged. */
  answer?: TargetAnswer;
  /** The stage of an unusable answer. */
  stage?: string;
  /** The breach of the answer itself, if the verdict is about this instead of the subject of the vector. */
  breach?: AnswerBreach;
  decidedBy?: string[];
};

/** One step of the decision on a verdict; `decides` describes it in a sentence. */
export interface VerdictStage {
  name: string;
  decides: string;
  /** Whether the stage applies only to answers, or only to observations without one (default: to both). */
  of?: "answers" | "others";
  /** The verdict after this stage; undefined if the stage does not change it. */
  apply(
    exchange: Exchange,
    verdict: CaseVerdict | undefined,
    judging: VerdictConditions,
    soFar: SoFar,
  ): CaseVerdict | undefined;
}

/** Every stage of the verdict on one exchange, in order. */
export const verdictStages: readonly VerdictStage[] = [
  {
    name: "not asked",
    decides: "A vector that is not sent to the target is `skipped`.",
    of: "others",
    apply: ({ observation }) => skipIfKind(observation, "not-asked"),
  },
  {
    name: "unavailable",
    decides:
      "Without a usable answer the result is `errored` or `timed-out`; a time-out on a disputed message is `disputed`.",
    of: "others",
    apply({ of, observation }) {
      if (observation.verdict !== undefined || observation.kind !== "unavailable") return undefined;
      const { outcome, why, cause, stage } = observation;
      // Any answer to a disputed message is acceptable, even a late one.
      return outcome === "timed-out" && verdictOf(of.vector) === "disputed"
        ? { outcome: "disputed", why, cause: { kind: "left-open", by: "time" }, stage }
        : { outcome, why, cause, stage };
    },
  },
  {
    name: "memory",
    decides:
      "If the server knows the value from an earlier message, a valid message `conforms`, a disputed one is `disputed`, and an invalid one `skipped`.",
    of: "others",
    apply({ of, observation }) {
      if (observation.verdict !== undefined || observation.kind !== "remembered") return undefined;
      const verdict = verdictOf(of.vector);
      if (verdict === "valid") return { outcome: "conforms" };
      if (verdict === "invalid") return skipVerdict(observation);
      return { outcome: "disputed", why: observation.why, cause: { kind: "left-open", by: "memory" } };
    },
  },
  {
    name: "declined",
    decides: "If the target declines, or its answer says nothing of the message, the result is `skipped`.",
    of: "others",
    apply: ({ observation }) => skipIfKind(observation, "declined", "about-state"),
  },
  {
    name: "broken",
    decides:
      "An answer that says nothing of the message and breaks a rule about answers `violates` that rule, or `warns`.",
    of: "others",
    apply: ({ observation }) =>
      observation.verdict === undefined && observation.kind === "broken"
        ? breachVerdict(observation.breach)
        : undefined,
  },
  {
    name: "answer",
    decides: "The answer is compared with the verdict of the vector, and its reasons with the fault.",
    of: "answers",
    apply({ of: { vector }, observation }, _, { protocol, codes }) {
      if (observation.verdict === undefined) return undefined;
      const judgement = judge(vector, observation, codes, () => inexactIn(protocol, vector.data));
      return { ...judgement, answer: observation };
    },
  },
  {
    name: "latitude",
    decides:
      "A server may refuse a valid message over a limit that it publishes (`skipped`), at its own discretion (`disputed`), or for a reason outside the schema (`warns`); it may accept a fault in a rule that binds other parties only, and answer nothing to a message without the id of a request (both `disputed`).",
    of: "answers",
    apply({ of }, verdict, { protocol, kind }) {
      if (kind !== "http" || verdict?.answer === undefined) return undefined;
      const { answer } = verdict;
      const adjusted = ofNotification(withLatitude(verdict, of, answer, protocol), of, answer);
      return adjusted === verdict ? undefined : { ...adjusted, answer: verdict.answer };
    },
  },
  {
    name: "reserve",
    decides:
      "A tool may refuse valid input for a reason of its own (`skipped`, or `warns`); a refusal of invalid input in the same words is `skipped`.",
    of: "answers",
    apply({ of: { vector, document } }, verdict, { kind }, soFar) {
      if (kind !== "mcp" || verdict?.answer === undefined) return undefined;
      const isKnown = (words: string): boolean => soFar.refusesValidIn?.(document.name, words) === true;
      const reserved = withReserve(verdict, vector, verdict.answer, isKnown);
      return reserved === verdict ? undefined : { ...reserved, answer: verdict.answer };
    },
  },
  {
    name: "answer itself",
    decides: "An answer that breaks a rule about answers `violates` that rule, or `warns` if nothing else is wrong.",
    apply(_, verdict) {
      const breach = verdict?.answer?.breach;
      if (verdict?.answer === undefined || breach === undefined || verdict.outcome === "violates") return undefined;
      const verdictOnBreach = breachVerdict(breach);
      // A warning about the answer must not hide a fault in the verdict.
      if (verdictOnBreach.outcome === "warns" && verdict.outcome !== "conforms") return undefined;
      return { ...verdictOnBreach, answer: verdict.answer };
    },
  },
  {
    name: "status",
    decides:
      "If a server gives a status about state to nearly every invalid message and to no valid one, that status is its refusal and is judged as one. If no valid message is accepted, 404 is `errored`.",
    of: "others",
    apply({ of, observation }, _, judging, soFar) {
      if (observation.verdict !== undefined || observation.kind !== "about-state") return undefined;
      const { status, refusal, unless } = observation;
      if (unless !== undefined && soFar.isOpen?.(of.document.name) === false) return unavailableVerdict(unless);
      if (refusal === undefined || !isOfForm(of.vector) || isValidText(of.vector)) return undefined;
      if (soFar.isRefusal?.(of.document.name, status) !== true) return undefined;
      return verdictOn({ of, observation: refusal }, judging, soFar);
    },
  },
  {
    name: "parent",
    decides:
      "A refusal of an invalid message is `skipped` if its valid parent is refused too, or every valid message is.",
    apply: ({ of }, verdict, _, soFar) => skipEmptyRefusal(of, verdict, soFar),
  },
  {
    name: "readings",
    decides: "A `disputed` result lists the readings under which it would count.",
    apply({ of }, verdict, { protocol, readings }) {
      if (verdict?.outcome !== "disputed" || readings === undefined) return undefined;
      const decidedBy = wouldDecide(protocol, readings, of.vector);
      return decidedBy.length === 0 ? undefined : { ...verdict, decidedBy };
    },
  },
];

const answerStages = verdictStages.filter(({ of }) => of !== "others");
const otherStages = verdictStages.filter(({ of }) => of !== "answers");

/** Decides the verdict on one exchange by applying all stages in order, with the known facts about other exchanges. */
export function verdictOn(exchange: Exchange, judging: VerdictConditions, soFar: SoFar): CaseVerdict {
  let verdict: CaseVerdict | undefined;
  for (const stage of exchange.observation.verdict === undefined ? otherStages : answerStages)
    verdict = stage.apply(exchange, verdict, judging, soFar) ?? verdict;
  return verdict as CaseVerdict;
}

/** Updates a verdict when more results of valid messages are known. */
export function verdictBeside(of: RunCase, verdict: CaseVerdict, soFar: SoFar): CaseVerdict {
  return skipEmptyRefusal(of, verdict, soFar) ?? verdict;
}

function skipEmptyRefusal(of: RunCase, verdict: CaseVerdict | undefined, soFar: SoFar): CaseVerdict | undefined {
  if (verdict === undefined || !isRefusal(of, verdict)) return undefined;
  const emptySkip = soFar.emptiness?.(of);
  return emptySkip === undefined || emptySkip === false ? undefined : skipVerdict(emptySkip);
}

/** Whether a verdict counts as a refusal of an invalid message. */
export function isRefusal({ vector }: RunCase, { outcome }: CaseVerdict): boolean {
  return (outcome === "conforms" || outcome === "wrong-reason") && verdictOf(vector) === "invalid";
}

/** Returns the verdict `skipped` if the observation is of one of these kinds. */
function skipIfKind(
  observation: Exchange["observation"],
  ...kinds: (Unanswered | NotAsked)["kind"][]
): CaseVerdict | undefined {
  return observation.verdict === undefined && kinds.includes(observation.kind) ? skipVerdict(observation) : undefined;
}

function unavailableVerdict({
  outcome,
  why,
  cause,
  stage,
}: Unavailable): CaseVerdict & { outcome: Unavailable["outcome"] } {
  return { outcome, why, cause, stage };
}

function skipVerdict({ why, cause }: Skip): CaseVerdict {
  return { outcome: "skipped", why, cause };
}

function breachVerdict(breach: AnswerBreach): CaseVerdict {
  const outcome = (breach.level ?? "MUST") === "MUST" ? "violates" : "warns";
  return { outcome, why: breach.message, cause: { kind: "answer-broken" }, breach };
}

/** Whether the vector is the text of a valid message, which the server may have seen before. */
function isValidText(vector: Vector): boolean {
  return verdictOf(vector) === "valid" && vector.data === undefined;
}

/** Whether a vector is about the form of a message. A message that breaks a semantic rule may be refused because of the server's state. */
function isOfForm({ site, rule, beyond }: Vector): boolean {
  return beyond === undefined && (site !== undefined || rule === undefined);
}
