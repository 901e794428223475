import { isObject, type JsonObject, type ScenarioContext, TargetSkip } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import type { OpenSubscription } from "../../subscribing/open-subscription.ts";
import { countActions } from "../actions.ts";
import {
  type AskedSession,
  awaitContinuation,
  awaitEnd,
  awaitFence,
  beginAskedSession,
  makeClarification,
  makeConfirmation,
  sendReply,
} from "../session.ts";
import { isConfirmation, type ProducerModel, type WalkQuestion, type WalkReply } from "./model.ts";
import type { ReplyKind } from "./step.ts";

/** Makes a reply to a question: a valid one, or an acceptance with one mistake. */
export async function makeWalkReply(
  context: ScenarioContext,
  model: ProducerModel,
  { questionIndex, kind, sender }: Pick<WalkReply, "questionIndex" | "kind" | "sender">,
): Promise<WalkReply> {
  const subscription = subscriptionOf(model, sender);
  const question = { ...(model.questions[questionIndex] as WalkQuestion), subscription };
  return { questionIndex, kind, sender, reply: await makeReply(context, question, kind) };
}

function subscriptionOf({ subscription, second }: ProducerModel, sender: WalkReply["sender"]): OpenSubscription {
  return sender === "second" ? (second?.subscription ?? subscription) : subscription;
}

async function makeReply(context: ScenarioContext, question: WalkQuestion, kind: ReplyKind): Promise<JsonObject> {
  const isConsentQuestion = isConfirmation(question);
  const makeValid = (extraMembers: JsonObject = {}): Promise<JsonObject> =>
    isConsentQuestion
      ? makeConfirmation(question, kind === "reject" ? "reject" : "accept", extraMembers)
      : makeFittingClarification(question, extraMembers);
  switch (kind) {
    case "invalid":
      return makeValid({ urgent: true });
    case "forged":
      return makeValid({ reply_token: `rpl_${context.fresh("none").replaceAll(/[^A-Za-z0-9]/g, "")}` });
    case "stale": {
      const deadline = Date.parse(String(question.question.timestamp)) + timeoutSecondsOf(question) * 1000;
      return makeValid({ timestamp: new Date(deadline + 60_000).toISOString() });
    }
    case "mismatched":
      return isConsentQuestion ? makeClarification(question, "accept") : makeConfirmation(question, "accept");
    default:
      return makeValid();
  }
}

/** Makes a reply that answers a clarification question. */
function makeFittingClarification(question: WalkQuestion, extraMembers: JsonObject): Promise<JsonObject> {
  const { choices, accepted_response_kinds: kinds } = question.question;
  const [firstChoice] = Array.isArray(choices) ? choices.filter(isObject) : [];
  const acceptsText = !Array.isArray(kinds) || kinds.includes("freetext");
  const [kind] = Array.isArray(kinds) ? kinds : [];
  const response = firstChoice?.value ?? (acceptsText ? "Friday" : responseOfKind(kind));
  return makeClarification(question, response, extraMembers);
}

function responseOfKind(kind: unknown): boolean | number | string {
  if (kind === "yes_no") return true;
  return kind === "numeric" ? 7 : "Friday";
}

export function timeoutSecondsOf({ question }: Pick<AskedSession, "question">): number {
  return Number(question.timeout_seconds ?? 300);
}

/** Delivers replies at the same time, on the subscription of their sender. */
export async function deliverReplies(model: ProducerModel, replies: readonly WalkReply[]): Promise<void> {
  await Promise.all(
    replies.map(({ sender, reply }) => {
      model.sentReplies.push({ after: model.subscription.inbox.arrivals.length, message: reply });
      return sendReply(subscriptionOf(model, sender), reply);
    }),
  );
}

/** Expects that the session continues after a valid reply. If it does not, another session shows whether replies ever have an effect. */
export async function expectContinuation(
  context: ScenarioContext,
  model: ProducerModel,
  { question, kind }: { question: WalkQuestion; kind: ReplyKind },
  must: Must,
): Promise<void> {
  const continuation = await awaitContinuation(question, model.maxContinuationMs);
  const isConsentQuestion = isConfirmation(question);
  const ruleAfterInvalidReply = isConsentQuestion ? "AAEP-RPL-016" : "AAEP-CLAR-008";
  const rule = question.hadInvalidReply ? ruleAfterInvalidReply : "AAEP-CONF-026";
  if (continuation === undefined) await playControlSession(context, model, question, kind);
  const circumstance = question.hadInvalidReply ? " after an invalid one" : "";
  must(
    rule,
    continuation !== undefined,
    `a valid reply (${kind})${circumstance} has no effect on the question ${question.token}`,
  );
}

/** Counts the actions of each tool after a valid reply in an undisturbed session. Skips if the reply has no effect. */
export async function playControlSession(
  context: ScenarioContext,
  model: ProducerModel,
  { task }: Pick<WalkQuestion, "task">,
  kind: ReplyKind,
): Promise<Map<string, number>> {
  const askedSession = await beginAskedSession(model.subscription, context, task as "irreversible");
  const question: WalkQuestion = { ...askedSession, task, state: "open", hadInvalidReply: false };
  const reply = await makeReply(context, question, kind);
  model.sentReplies.push({ after: model.subscription.inbox.arrivals.length, message: reply });
  await sendReply(model.subscription, reply);
  if ((await awaitContinuation(askedSession)) === undefined) throw new TargetSkip("replies have no effect");
  await awaitEnd(askedSession);
  await awaitFence(model.subscription, context);
  return countActions(askedSession);
}
