import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { openSubscription } from "../subscribing/open.ts";
import { evidenceOf } from "./actions.ts";
import { makeFittingAnswer } from "./clarifications.ts";
import { beginWaitingSession, conductOf, hasActedInTime } from "./conduct.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  awaitContinuation,
  awaitFence,
  findEvent,
  makeClarification,
  makeConfirmation,
  sendReply,
} from "./session.ts";

interface AnsweredQuestion {
  rule: string;
  answerName: string;
  askedSession: AskedSession;
  reply: JsonObject;
  /** When the reply was sent, by the suite's monotonic clock. */
  sentAt: number;
  /** The number of messages received before it. */
  arrivalsBefore: number;
}

/** The rule that requires an event to show that a rejected action was dropped. */
const rejectionRule = "AAEP-CONF-023";

/** Makes a reply with a decision. Skips if the question does not allow the decision. */
function makeDecision(askedSession: AskedSession, decision: string): Promise<JsonObject> {
  const { allowed_replies: allowedReplies } = askedSession.question;
  if (!Array.isArray(allowedReplies) || allowedReplies.includes(decision))
    return makeConfirmation(askedSession, decision);
  throw new TargetSkip(
    `its question allows ${allowedReplies.map(String).join(", ") || "no reply"}, and not ${decision}`,
  );
}

const answerKinds = [
  [rejectionRule, "a rejection", "irreversible", (askedSession: AskedSession) => makeDecision(askedSession, "reject")],
  [
    "AAEP-CONF-026",
    "an acceptance",
    "irreversible",
    (askedSession: AskedSession) => makeDecision(askedSession, "accept"),
  ],
  [
    "AAEP-CONF-026",
    "a fitting response",
    "clarification",
    (askedSession: AskedSession) => makeClarification(askedSession, makeFittingAnswer(askedSession)),
  ],
] as const;

/** Judges whether a rejected action was dropped. If it was carried out anyway, the events prove nothing. */
async function judgeDroppedAction(askedSession: AskedSession): Promise<void> {
  const { context } = askedSession;
  const { invisibility } = await conductOf(context);
  if (await hasActedInTime(askedSession)) context.skip(rejectionRule, "an action is carried out after a rejection");
  else if (invisibility !== undefined) context.skip(rejectionRule, invisibility.why, invisibility.cause);
  else context.expect(rejectionRule, true, "");
}

/** Scenarios on the events after a valid answer. */
export const followingScenarios: readonly Scenario[] = [
  toProducer({
    name: "answers-followed",
    says: "an event of the session follows each answer",
    rules: [rejectionRule, "AAEP-CONF-026"],
    withinMs: 120_000,
    async play(context) {
      const subscription = await openSubscription(context);
      const { arrivals } = subscription.inbox;
      const answeredQuestions: AnsweredQuestion[] = [];
      const skipReasons = new Map<string, string>();
      const [warningTime, failureTime] = [boundOf(context, "event"), boundOf(context, "silence")];
      for (const [rule, answerName, task, makeReply] of answerKinds) {
        try {
          const askedSession = await beginWaitingSession(subscription, context, task);
          // Events that were sent with the question may still be in transit.
          await awaitFence(subscription, context);
          const reply = await makeReply(askedSession);
          const [sentAt, arrivalsBefore] = [performance.now(), arrivals.length];
          const httpReply = await sendReply(subscription, reply);
          if (httpReply !== undefined && httpReply.status >= 400)
            throw new TargetSkip(`${answerName} is not accepted: HTTP ${httpReply.status}`);
          answeredQuestions.push({ rule, answerName, askedSession, reply, sentAt, arrivalsBefore });
        } catch (error) {
          if (!(error instanceof TargetSkip)) throw error;
          skipReasons.set(rule, error.message);
        }
      }
      // All sessions are awaited together, because each may take as long as the longest wait.
      const awaitContinuations = (milliseconds: number): Promise<(JsonObject | undefined)[]> =>
        Promise.all(answeredQuestions.map(({ askedSession }) => awaitContinuation(askedSession, milliseconds)));
      if ((await awaitContinuations(warningTime)).includes(undefined)) {
        await awaitFence(subscription, context);
        await awaitContinuations(failureTime - warningTime);
        await awaitFence(subscription, context);
      }
      for (const { rule, answerName, askedSession, reply, sentAt, arrivalsBefore } of answeredQuestions) {
        const event =
          (await awaitContinuation(askedSession, 0)) ??
          (await findEvent(askedSession, ({ type }) => type !== undefined, arrivalsBefore, 0));
        const arrivedAt = arrivals.find(({ message }) => message === event)?.arrivedAt ?? 0;
        const scale = Math.max(0.2, context.setting.timeScale ?? 1);
        if (event === undefined) {
          const why = `no event of its session followed ${answerName} within ${(failureTime * scale) / 1000} s, while other sessions ran from start to end`;
          context.expect(rule, false, why, evidenceOf(askedSession, reply));
        } else if (arrivedAt - sentAt > warningTime)
          context.expect(
            rule,
            false,
            `${answerName} is followed by an event after more than ${warningTime / 1000} s`,
            "SHOULD",
          );
        else if (rule === rejectionRule) await judgeDroppedAction(askedSession);
        else context.expect(rule, true, "");
      }
      const judgedRules = new Set(answeredQuestions.map(({ rule }) => rule));
      for (const [rule, why] of skipReasons) if (!judgedRules.has(rule)) context.skip(rule, why);
    },
  }),
];
