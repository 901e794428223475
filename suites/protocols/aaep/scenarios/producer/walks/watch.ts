import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { doneIn } from "../acting.ts";
import { awaitFence, follow, nameOf } from "../story.ts";
import { isConfirmation, type ProducerModel, type WalkQuestion } from "./model.ts";
import { control } from "./replies.ts";
import type { How } from "./step.ts";

/** The last action and its question. Every change since then is its effect. */
export interface ActionCause {
  /** A description in words. */
  what: string;
  of?: WalkQuestion | undefined;
  /** If the action was a reply: its kind, and the earlier state of its question. */
  how?: How | undefined;
  before?: WalkQuestion["state"];
}

/** The rule that a reply affects only its own question. */
const ofReplies: Partial<Record<How, string>> = {
  invalid: "AAEP-RPL-008",
  forged: "AAEP-RPL-009",
  stale: "AAEP-RPL-011",
  mismatched: "AAEP-RPL-020",
};
/** The rule that a valid reply does not affect a question that was settled in this way. */
const ofSettled: Partial<Record<WalkQuestion["state"], string>> = {
  accepted: "AAEP-RPL-010",
  rejected: "AAEP-RPL-015",
  expired: "AAEP-RPL-011",
  cancelled: "AAEP-CONF-031",
};
/** The rule that an action is not carried out after its question was settled in this way. */
const ofOutcomes: Partial<Record<WalkQuestion["state"], string>> = {
  rejected: "AAEP-CONF-022",
  expired: "AAEP-TMO-003",
  cancelled: "AAEP-CONF-031",
};

/** Compares the actions of every session with the permitted ones, after all messages in transit have arrived. */
export async function watch(
  context: ScenarioContext,
  model: ProducerModel,
  cause: ActionCause,
  must: Must,
): Promise<void> {
  await fenceWalk(context, model);
  for (const question of model.questions) {
    const times = await doneIn(question);
    const isDone = times.size > 0;
    if (question.state === "open") await stillOpen(question, isDone, cause, must);
    else if (question.state === "accepted") {
      if ([...times.values()].some((time) => time > 1))
        await watchOnce(context, model, { question, times, cause }, must);
      else if (cause.of === question && cause.how !== undefined) must("AAEP-RPL-010", true, "");
    } else if (question.state !== "over") {
      const rule = ruleFor(question, cause) ?? ofOutcomes[question.state] ?? "AAEP-CONF-022";
      must(rule, !isDone, `the action of a question that is ${question.state} was carried out, after ${cause.what}`);
    }
  }
}

async function fenceWalk(context: ScenarioContext, { line, fences }: ProducerModel): Promise<void> {
  const from = line.inbox.arrivals.length;
  await awaitFence(line, context);
  for (const { message } of line.inbox.arrivals.slice(from))
    if (nameOf(message) === "session.started") fences.add(String(message.session_id));
}

/** Until a question is settled, nothing is carried out, and its session does not end as if something had been. */
async function stillOpen(question: WalkQuestion, isDone: boolean, cause: ActionCause, must: Must): Promise<void> {
  const isCompletion = (event: Parameters<typeof nameOf>[0]): boolean => nameOf(event) === "session.completed";
  const isOver = (await follow(question, isCompletion, question.at, 0)) !== undefined;
  const rule = ruleFor(question, cause);
  const usual = isConfirmation(question) ? "AAEP-CONF-020" : "AAEP-CLAR-005";
  const what = `the action of an open question was carried out, after ${cause.what}`;
  must(rule ?? usual, !isDone, what);
  if (!isOver) return;
  // A session may end for its own reasons if no reply was sent.
  if (rule !== undefined) must(rule, false, `a session ended though its question was open, after ${cause.what}`);
  question.state = "over";
}

/** The rule that a reply breaks if it affects a question that it has not settled. */
function ruleFor(question: WalkQuestion, { of, how, before = "open" }: ActionCause): string | undefined {
  if (how === undefined || of === undefined) return undefined;
  const isOwn = of === question;
  // The rules on replies do not apply to a question that the reply itself has settled.
  if (isOwn && before === "open" && (how === "accept" || how === "reject")) return undefined;
  if (!isConfirmation(of)) return before === "cancelled" ? "AAEP-CONF-031" : "AAEP-CLAR-008";
  if (how !== "accept" && how !== "reject") return ofReplies[how];
  if (before === "open") return "AAEP-RPL-018";
  return isOwn ? ofSettled[before] : "AAEP-RPL-010";
}

/** No tool acts more often than it does after a single acceptance. */
async function watchOnce(
  context: ScenarioContext,
  model: ProducerModel,
  { question, times, cause }: { question: WalkQuestion; times: Map<string, number>; cause: ActionCause },
  must: Must,
): Promise<void> {
  const usual = await control(context, model, question, "accept");
  for (const [tool, count] of times) {
    const rule = isConfirmation(question) ? "AAEP-RPL-010" : "AAEP-CLAR-008";
    must(
      rule,
      count <= Math.max(1, usual.get(tool) ?? 0),
      `${tool} was called ${count} times on one acceptance, after ${cause.what}`,
    );
  }
}
