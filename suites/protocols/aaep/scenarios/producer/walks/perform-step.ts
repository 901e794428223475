import { type JsonObject, type ScenarioContext, TargetSkip } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { countActions, effectsOf } from "../actions.ts";
import {
  awaitContinuation,
  awaitEnd,
  awaitQuestion,
  beginSession,
  findEvent,
  nameOf,
  withQuestion,
} from "../session.ts";
import { type ActionCause, judgeActions } from "./judge-actions.ts";
import {
  isConfirmation,
  type ProducerModel,
  type SecondSubscription,
  type WalkQuestion,
  type WalkReply,
} from "./model.ts";
import { deliverReplies, expectContinuation, makeWalkReply, timeoutSecondsOf } from "./replies.ts";
import { cutConnection, joinSecond, leaveSecond, resumeSecond } from "./second-subscriber.ts";
import { type ProducerStep, textOf, type WalkTask } from "./step.ts";

/** Performs a step with the producer and in the model, and compares the two. Throws a Divergence, or a TargetFailure if the producer breaks down. */
export async function performStep(
  context: ScenarioContext,
  model: ProducerModel,
  step: ProducerStep,
  must: Must,
): Promise<void> {
  const cause = await actOnProducer(context, model, step, must);
  await judgeActions(context, model, cause, must);
}

async function actOnProducer(
  context: ScenarioContext,
  model: ProducerModel,
  step: ProducerStep,
  must: Must,
): Promise<ActionCause> {
  const description = textOf(step);
  switch (step.do) {
    case "start":
      await startTask(context, model, step.task, must);
      return { description };
    case "reply": {
      const { questionIndex, kind, sender, mishap } = step;
      const reply = await makeWalkReply(context, model, { questionIndex, kind, sender: sender ?? "first" });
      return sendReplies(context, model, { replies: model.transit.send(reply, mishap), description }, must);
    }
    case "deliver": {
      const reply = model.transit.arrive(step.turn);
      return sendReplies(context, model, { replies: reply === undefined ? [] : [reply], description }, must);
    }
    case "again": {
      const reply = await makeWalkReply(context, model, {
        questionIndex: step.questionIndex,
        kind: "accept",
        sender: "first",
      });
      return sendReplies(context, model, { replies: [reply], description }, must);
    }
    case "cancel":
      return cancelQuestion(context, model, model.questions[step.questionIndex] as WalkQuestion);
    case "expire":
      await passDeadlines(context, model, must);
      return { description };
    case "join":
      await joinSecond(context, model);
      return { description };
    case "leave":
      await leaveSecond(model);
      return { description };
    case "cut":
      cutConnection(model.second as SecondSubscription);
      return { description };
    case "resume":
      await resumeSecond(context, model, must);
      return { description };
  }
}

async function startTask(context: ScenarioContext, model: ProducerModel, task: WalkTask, must: Must): Promise<void> {
  const { subscription } = model;
  const startOptions: JsonObject = task === "reversible" ? { default_decision: "accept" } : {};
  const session = await beginSession(subscription, context, task, startOptions).catch((error: unknown) => {
    if (!(error instanceof TargetSkip)) throw error;
    model.missingTasks.add(task);
    return undefined;
  });
  if (session === undefined || task === "stream") return;
  if (task === "plain") return void (await awaitEnd(session));
  const question = await awaitQuestion(session);
  if (question !== undefined) {
    const askedSession = withQuestion(session, question);
    model.questions.push({ ...askedSession, task, state: "open", hadInvalidReply: false });
    return;
  }
  if (task !== "irreversible") return;
  const effects = await effectsOf(session);
  const call = await findEvent(
    session,
    (event) => nameOf(event) === "tool.invoked" && event.irreversible === true,
    0,
    0,
  );
  const hasActed = effects === undefined ? call !== undefined : effects.length > 0;
  must("AAEP-TOOL-016", !hasActed, "an irreversible action was carried out without a question");
}

/** Delivers replies, and waits for the effect of the first if it must have one. The others have no effect. */
async function sendReplies(
  context: ScenarioContext,
  model: ProducerModel,
  { replies, description }: { replies: readonly WalkReply[]; description: string },
  must: Must,
): Promise<ActionCause> {
  const { second, questions } = model;
  const isDisconnected = second === undefined || second.lastEventId !== undefined;
  const [reply] = replies.filter(({ sender }) => sender === "first" || !isDisconnected);
  if (reply === undefined) return { description };
  const { questionIndex, kind } = reply;
  const question = questions[questionIndex] as WalkQuestion;
  const stateBefore = question.state;
  await deliverReplies(model, replies);
  const isValid = kind === "accept" || kind === "reject";
  if (isValid && stateBefore === "open") {
    question.state = kind === "reject" && isConfirmation(question) ? "rejected" : "accepted";
    await expectContinuation(context, model, { question, kind }, must);
  } else if (stateBefore === "open") question.hadInvalidReply = true;
  return { description, question, replyKind: kind, stateBefore };
}

async function cancelQuestion(
  context: ScenarioContext,
  model: ProducerModel,
  question: WalkQuestion,
): Promise<ActionCause> {
  await context.hook("cancel", { session_id: question.id });
  question.state = "cancelled";
  await awaitEnd(question, model.maxContinuationMs);
  return { description: "its session was cancelled" };
}

/** Moves time three seconds beyond the deadlines of all open questions, so that the defaults are applied. */
async function passDeadlines(context: ScenarioContext, model: ProducerModel, must: Must): Promise<void> {
  const openQuestions = model.questions.filter(({ state }) => state === "open");
  const longestSeconds = Math.max(...openQuestions.map(timeoutSecondsOf));
  await context.pass(longestSeconds * 1000 + Math.max(3000, longestSeconds * 50));
  for (const question of openQuestions) {
    const isConsentQuestion = isConfirmation(question);
    const continuation = await awaitContinuation(question, model.maxContinuationMs);
    const why = `the question ${question.token} is still open, ${longestSeconds} s and more after it was asked`;
    must(isConsentQuestion ? "AAEP-TMO-001" : "AAEP-CLAR-009", continuation !== undefined, why);
    const isAccepted = isConsentQuestion && question.question.default_decision === "accept";
    question.state = isAccepted || !isConsentQuestion ? "accepted" : "expired";
    if (!isAccepted || (await awaitEnd(question, model.maxContinuationMs)) === undefined) continue;
    const call = await findEvent(question, (event) => nameOf(event) === "tool.invoked", question.arrivalIndex, 0);
    const hasCall = call !== undefined || (await countActions(question)).size > 0;
    must("AAEP-TMO-004", hasCall, "the default was accept, and the session ended without a call");
  }
}

/** Rejects all questions that are still open, and judges the effects. */
export async function settleOpen(context: ScenarioContext, model: ProducerModel, must: Must): Promise<void> {
  for (const [questionIndex, { state }] of model.questions.entries()) {
    if (state !== "open") continue;
    const reply = await makeWalkReply(context, model, { questionIndex, kind: "reject", sender: "first" });
    const finalReplies = { replies: [reply], description: "a rejection at the end" };
    await judgeActions(context, model, await sendReplies(context, model, finalReplies, must), must);
  }
}
