import { isObject, type JsonObject, type ScenarioContext, TargetSkip } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { doneIn } from "../acting.ts";
import {
  type AskedSession,
  answer,
  awaitContinuation,
  awaitEnd,
  awaitFence,
  beginAskedSession,
  clarification,
  confirmation,
} from "../story.ts";
import { isConfirmation, type ProducerModel, type WalkQuestion, type WalkReply } from "./model.ts";
import type { How } from "./step.ts";

/** Makes a reply to a question: a valid one, or an acceptance with one mistake. */
export async function letterFor(
  context: ScenarioContext,
  model: ProducerModel,
  { of, how, by }: Pick<WalkReply, "of" | "how" | "by">,
): Promise<WalkReply> {
  const line = by === "second" ? (model.second?.line ?? model.line) : model.line;
  const question = { ...(model.questions[of] as WalkQuestion), line };
  return { of, how, by, reply: await replyTo(context, question, how) };
}

async function replyTo(context: ScenarioContext, question: WalkQuestion, how: How): Promise<JsonObject> {
  const own = isConfirmation(question);
  const valid = (more: JsonObject = {}): Promise<JsonObject> =>
    own ? confirmation(question, how === "reject" ? "reject" : "accept", more) : clarify(question, more);
  switch (how) {
    case "invalid":
      return valid({ urgent: true });
    case "forged":
      return valid({ reply_token: `rpl_${context.fresh("none").replaceAll(/[^A-Za-z0-9]/g, "")}` });
    case "stale": {
      const deadline = Date.parse(String(question.question.timestamp)) + secondsOf(question) * 1000;
      return valid({ timestamp: new Date(deadline + 60_000).toISOString() });
    }
    case "mismatched":
      return own ? clarification(question, "accept") : confirmation(question, "accept");
    default:
      return valid();
  }
}

/** An answer that fits the question. */
function clarify(question: WalkQuestion, more: JsonObject): Promise<JsonObject> {
  const { choices, accepted_response_kinds: kinds } = question.question;
  const [first] = Array.isArray(choices) ? choices.filter(isObject) : [];
  const isFree = !Array.isArray(kinds) || kinds.includes("freetext");
  const [kind] = Array.isArray(kinds) ? kinds : [];
  const usual = kind === "yes_no" ? true : kind === "numeric" ? 7 : "Friday";
  return clarification(question, first?.value ?? (isFree ? "Friday" : usual), more);
}

export function secondsOf({ question }: Pick<AskedSession, "question">): number {
  return Number(question.timeout_seconds ?? 300);
}

/** Delivers replies at the same time, on the subscription of their sender. */
export async function deliverReplies(model: ProducerModel, letters: readonly WalkReply[]): Promise<void> {
  await Promise.all(
    letters.map(({ by, reply }) => {
      model.said.push({ after: model.line.inbox.arrivals.length, message: reply });
      return answer(by === "second" ? (model.second?.line ?? model.line) : model.line, reply);
    }),
  );
}

/** After a valid reply the session continues; if not, another session shows whether replies ever have an effect. */
export async function mustGoOn(
  context: ScenarioContext,
  model: ProducerModel,
  { question, how }: { question: WalkQuestion; how: How },
  must: Must,
): Promise<void> {
  const next = await awaitContinuation(question, model.patience);
  const isOwn = isConfirmation(question);
  const rule = !question.isDoubted ? "AAEP-CONF-026" : isOwn ? "AAEP-RPL-016" : "AAEP-CLAR-008";
  if (next === undefined) await control(context, model, question, how);
  const before = question.isDoubted ? " after an invalid one" : "";
  must(rule, next !== undefined, `a valid reply (${how})${before} has no effect on the question ${question.token}`);
}

/** The effect of one valid reply in an undisturbed session: the number of actions of each tool. Skips if it has none. */
export async function control(
  context: ScenarioContext,
  model: ProducerModel,
  { task }: Pick<WalkQuestion, "task">,
  how: How,
): Promise<Map<string, number>> {
  const asked = await beginAskedSession(model.line, context, task as "irreversible");
  const question: WalkQuestion = { ...asked, task, state: "open", isDoubted: false };
  const reply = await replyTo(context, question, how);
  model.said.push({ after: model.line.inbox.arrivals.length, message: reply });
  await answer(model.line, reply);
  if ((await awaitContinuation(asked)) === undefined) throw new TargetSkip("replies have no effect");
  await awaitEnd(asked);
  await awaitFence(model.line, context);
  return doneIn(asked);
}
