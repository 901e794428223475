import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { countActions } from "../actions.ts";
import { awaitFence, findEvent, nameOf } from "../session.ts";
import { isConfirmation, type ProducerModel, type WalkQuestion } from "./model.ts";
import { playControlSession } from "./replies.ts";
import type { ReplyKind } from "./step.ts";

/** The last step, to which every change is attributed. */
export interface ActionCause {
  /** The step as text. */
  description: string;
  question?: WalkQuestion | undefined;
  /** If the action was a reply: its kind, and the earlier state of its question. */
  replyKind?: ReplyKind | undefined;
  stateBefore?: WalkQuestion["state"];
}

/** The rule that each kind of invalid reply breaks if it has an effect. */
const replyRules: Partial<Record<ReplyKind, string>> = {
  invalid: "AAEP-RPL-008",
  forged: "AAEP-RPL-009",
  stale: "AAEP-RPL-011",
  mismatched: "AAEP-RPL-020",
};
/** The rule that a valid reply breaks if it affects a question that was settled in this way. */
const settledRules: Partial<Record<WalkQuestion["state"], string>> = {
  accepted: "AAEP-RPL-010",
  rejected: "AAEP-RPL-015",
  expired: "AAEP-RPL-011",
  cancelled: "AAEP-CONF-031",
};
/** The rule that forbids an action after its question was settled in this way. */
const outcomeRules: Partial<Record<WalkQuestion["state"], string>> = {
  rejected: "AAEP-CONF-022",
  expired: "AAEP-TMO-003",
  cancelled: "AAEP-CONF-031",
};

/** Waits until all messages have arrived, and compares the actions of every session with the permitted ones. */
export async function judgeActions(
  context: ScenarioContext,
  model: ProducerModel,
  cause: ActionCause,
  must: Must,
): Promise<void> {
  await awaitWalkFence(context, model);
  for (const question of model.questions) {
    const counts = await countActions(question);
    const hasActed = counts.size > 0;
    if (question.state === "open") await judgeOpenQuestion(question, hasActed, cause, must);
    else if (question.state === "accepted") {
      if ([...counts.values()].some((count) => count > 1))
        await judgeCounts(context, model, { question, counts, cause }, must);
      else if (cause.question === question && cause.replyKind !== undefined) must("AAEP-RPL-010", true, "");
    } else if (question.state !== "over") {
      const rule = ruleFor(question, cause) ?? outcomeRules[question.state] ?? "AAEP-CONF-022";
      must(
        rule,
        !hasActed,
        `the action of a question that is ${question.state} was carried out, after ${cause.description}`,
      );
    }
  }
}

async function awaitWalkFence(context: ScenarioContext, { subscription, fences }: ProducerModel): Promise<void> {
  const arrivalsBefore = subscription.inbox.arrivals.length;
  await awaitFence(subscription, context);
  for (const { message } of subscription.inbox.arrivals.slice(arrivalsBefore))
    if (nameOf(message) === "session.started") fences.add(String(message.session_id));
}

/** Expects that the action of an open question is not carried out, and that its session does not complete. */
async function judgeOpenQuestion(
  question: WalkQuestion,
  hasActed: boolean,
  cause: ActionCause,
  must: Must,
): Promise<void> {
  const isCompletion = (event: Parameters<typeof nameOf>[0]): boolean => nameOf(event) === "session.completed";
  const isOver = (await findEvent(question, isCompletion, question.arrivalIndex, 0)) !== undefined;
  const rule = ruleFor(question, cause);
  const usualRule = isConfirmation(question) ? "AAEP-CONF-020" : "AAEP-CLAR-005";
  const why = `the action of an open question was carried out, after ${cause.description}`;
  must(rule ?? usualRule, !hasActed, why);
  if (!isOver) return;
  // Without a reply, the session may have ended for other reasons.
  if (rule !== undefined)
    must(rule, false, `a session ended although its question was open, after ${cause.description}`);
  question.state = "over";
}

/** Returns the rule that a reply breaks if it affects a question that it has not settled. */
function ruleFor(
  question: WalkQuestion,
  { question: answeredQuestion, replyKind, stateBefore = "open" }: ActionCause,
): string | undefined {
  if (replyKind === undefined || answeredQuestion === undefined) return undefined;
  const isAnsweredQuestion = answeredQuestion === question;
  const isValid = replyKind === "accept" || replyKind === "reject";
  // The rules on replies do not apply to a question that the reply itself has settled.
  if (isAnsweredQuestion && stateBefore === "open" && isValid) return undefined;
  if (!isConfirmation(answeredQuestion)) return stateBefore === "cancelled" ? "AAEP-CONF-031" : "AAEP-CLAR-008";
  if (!isValid) return replyRules[replyKind];
  if (stateBefore === "open") return "AAEP-RPL-018";
  return isAnsweredQuestion ? settledRules[stateBefore] : "AAEP-RPL-010";
}

/** Expects that no tool acts more often than after a single acceptance. */
async function judgeCounts(
  context: ScenarioContext,
  model: ProducerModel,
  { question, counts, cause }: { question: WalkQuestion; counts: Map<string, number>; cause: ActionCause },
  must: Must,
): Promise<void> {
  const usualCounts = await playControlSession(context, model, question, "accept");
  for (const [tool, count] of counts) {
    const rule = isConfirmation(question) ? "AAEP-RPL-010" : "AAEP-CLAR-008";
    must(
      rule,
      count <= Math.max(1, usualCounts.get(tool) ?? 0),
      `${tool} was called ${count} times on one acceptance, after ${cause.description}`,
    );
  }
}
