import { type JsonObject, type ScenarioContext, TargetSkip } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { doneIn, effectsOf } from "../acting.ts";
import { awaitContinuation, awaitEnd, beginSession, follow, indexOf, nameOf, questionOf } from "../story.ts";
import { isConfirmation, type ProducerModel, type Second, type WalkQuestion, type WalkReply } from "./model.ts";
import { deliverReplies, letterFor, mustGoOn, secondsOf } from "./replies.ts";
import { cutConnection, join, leave, resume } from "./second-subscriber.ts";
import { type ProducerStep, textOf, type WalkTask } from "./step.ts";
import { type ActionCause, watch } from "./watch.ts";

/** Performs one step with the producer and with the model, and compares the two. Throws a Divergence, or a TargetFailure if the producer breaks down. */
export async function take(
  context: ScenarioContext,
  model: ProducerModel,
  step: ProducerStep,
  must: Must,
): Promise<void> {
  const cause = await doStep(context, model, step, must);
  await watch(context, model, cause, must);
}

async function doStep(
  context: ScenarioContext,
  model: ProducerModel,
  step: ProducerStep,
  must: Must,
): Promise<ActionCause> {
  const what = textOf(step);
  switch (step.do) {
    case "start":
      await startTask(context, model, step.task, must);
      return { what };
    case "reply": {
      const { of, how, by, mishap } = step;
      const letter = await letterFor(context, model, { of, how, by: by ?? "first" });
      return sendReplies(context, model, { letters: model.post.send(letter, mishap), what }, must);
    }
    case "deliver": {
      const letter = model.post.arrive(step.turn);
      return sendReplies(context, model, { letters: letter === undefined ? [] : [letter], what }, must);
    }
    case "again": {
      const letter = await letterFor(context, model, { of: step.of, how: "accept", by: "first" });
      return sendReplies(context, model, { letters: [letter], what }, must);
    }
    case "cancel":
      return cancelQuestion(context, model, model.questions[step.of] as WalkQuestion);
    case "expire":
      await passDeadlines(context, model, must);
      return { what };
    case "join":
      await join(context, model);
      return { what };
    case "leave":
      await leave(model);
      return { what };
    case "cut":
      cutConnection(model.second as Second);
      return { what };
    case "resume":
      await resume(context, model, must);
      return { what };
  }
}

async function startTask(context: ScenarioContext, model: ProducerModel, task: WalkTask, must: Must): Promise<void> {
  const { line } = model;
  const more: JsonObject = task === "reversible" ? { default_decision: "accept" } : {};
  const story = await beginSession(line, context, task, more).catch((error: unknown) => {
    if (!(error instanceof TargetSkip)) throw error;
    model.lacking.add(task);
    return undefined;
  });
  if (story === undefined || task === "stream") return;
  if (task === "plain") return void (await awaitEnd(story));
  const question = await questionOf(story);
  if (question !== undefined) {
    const asked = { ...story, question, token: String(question.reply_token), at: indexOf(line.inbox, question) };
    model.questions.push({ ...asked, task, state: "open", isDoubted: false });
    return;
  }
  if (task !== "irreversible") return;
  const effects = await effectsOf(story);
  const called = await follow(story, (event) => nameOf(event) === "tool.invoked" && event.irreversible === true, 0, 0);
  const isDone = effects === undefined ? called !== undefined : effects.length > 0;
  must("AAEP-TOOL-016", !isDone, "an irreversible action was carried out without a question");
}

/** Delivers the copies of a reply, and waits for its effect if it must have one. */
async function sendReplies(
  context: ScenarioContext,
  model: ProducerModel,
  { letters, what }: { letters: readonly WalkReply[]; what: string },
  must: Must,
): Promise<ActionCause> {
  const { second, questions } = model;
  const isGone = second === undefined || second.last !== undefined;
  const [letter] = letters.filter(({ by }) => by === "first" || !isGone);
  if (letter === undefined) return { what };
  const { of, how } = letter;
  const question = questions[of] as WalkQuestion;
  const before = question.state;
  await deliverReplies(model, letters);
  const isValid = how === "accept" || how === "reject";
  if (isValid && before === "open") {
    question.state = how === "reject" && isConfirmation(question) ? "rejected" : "accepted";
    await mustGoOn(context, model, { question, how }, must);
  } else if (before === "open") question.isDoubted = true;
  return { what, of: question, how, before };
}

async function cancelQuestion(
  context: ScenarioContext,
  model: ProducerModel,
  question: WalkQuestion,
): Promise<ActionCause> {
  await context.hook("cancel", { session_id: question.id });
  question.state = "cancelled";
  await awaitEnd(question, model.patience);
  return { what: "its session was cancelled" };
}

/** Moves time three seconds beyond the deadlines of all open questions, so that the defaults are applied. */
async function passDeadlines(context: ScenarioContext, model: ProducerModel, must: Must): Promise<void> {
  const open = model.questions.filter(({ state }) => state === "open");
  const longest = Math.max(...open.map(secondsOf));
  await context.pass(longest * 1000 + Math.max(3000, longest * 50));
  for (const question of open) {
    const isOwn = isConfirmation(question);
    const next = await awaitContinuation(question, model.patience);
    const why = `the question ${question.token} is still open, ${longest} s and more after it was asked`;
    must(isOwn ? "AAEP-TMO-001" : "AAEP-CLAR-009", next !== undefined, why);
    const isAccepted = isOwn && question.question.default_decision === "accept";
    question.state = isAccepted || !isOwn ? "accepted" : "expired";
    if (!isAccepted || (await awaitEnd(question, model.patience)) === undefined) continue;
    const called = await follow(question, (event) => nameOf(event) === "tool.invoked", question.at, 0);
    const isDone = called !== undefined || (await doneIn(question)).size > 0;
    must("AAEP-TMO-004", isDone, "the default was accept, and the session ended without a call");
  }
}

/** Settles the open questions, if the result shows anything. */
export async function settleOpen(context: ScenarioContext, model: ProducerModel, must: Must): Promise<void> {
  for (const [of, { state }] of model.questions.entries()) {
    if (state !== "open") continue;
    const letter = await letterFor(context, model, { of, how: "reject", by: "first" });
    const last = { letters: [letter], what: "a rejection at the end" };
    await watch(context, model, await sendReplies(context, model, last, must), must);
  }
}
