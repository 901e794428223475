import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import { type Post, postFor } from "../../../../../running/scenarios/walks/index.ts";
import { boundOf } from "../../bounds.ts";
import type { Inbox } from "../../subscribing/inbox.ts";
import type { Line } from "../../subscribing/line.ts";
import { openAll } from "../sequence.ts";
import type { AskedSession } from "../story.ts";
import type { How, ProducerStep, WalkTask } from "./step.ts";

/** The facts that a producer must know about one question. */
export interface WalkQuestion extends AskedSession {
  task: WalkTask;
  /** How it was settled, if it was; `over` if the session has ended for a reason of its own. */
  state: "open" | "accepted" | "rejected" | "expired" | "cancelled" | "over";
  /** A reply by its token was sent that must not count. */
  isDoubted: boolean;
}

/** A reply on its way. */
export interface WalkReply {
  of: number;
  how: How;
  by: "first" | "second";
  reply: JsonObject;
}

/** A subscription that comes and goes, beside the permanent one. */
export interface Second {
  line: Line;
  /** Id of the last event that came before it was cut; undefined while it is connected. */
  last?: string | undefined;
  wasCut: boolean;
}

/** All facts that the model of a producer knows: the questions in their order. */
export interface ProducerModel {
  /** Sees everything, and is never cut. */
  line: Line;
  second?: Second | undefined;
  questions: WalkQuestion[];
  /** Replies that were sent, each with the number of messages that had come before. */
  said: Inbox["answers"];
  /** Sessions that only show that all earlier messages have arrived. */
  fences: Set<string>;
  post: Post<WalkReply>;
  /** Tasks that the producer does not have, and the operations behind it. */
  lacking: Set<string>;
  has: { clock: boolean; cancel: boolean };
  /** Milliseconds within which a session goes on once its question is settled. */
  patience: number;
}

/** While a walk is made shorter, it is known that nothing comes. */
const hasteMs = 600;

export async function beginWalk(context: ScenarioContext, isAgain: boolean): Promise<ProducerModel> {
  return {
    line: await openAll(context),
    questions: [],
    said: [],
    fences: new Set(),
    post: postFor<WalkReply>(),
    lacking: new Set(),
    has: { clock: context.has("clock"), cancel: context.has("cancel") },
    patience: isAgain ? hasteMs : boundOf(context, "event"),
  };
}

export function isConfirmation({ task }: Pick<WalkQuestion, "task">): boolean {
  return task !== "clarification";
}

/** The step with `of` wrapped around. Undefined when it says nothing here. */
export function fitStep(model: ProducerModel, step: ProducerStep): ProducerStep | undefined {
  const { questions, second, post, lacking, has } = model;
  if ("of" in step) {
    const of = questions.length === 0 ? 0 : step.of % questions.length;
    const question = questions[of];
    if (question === undefined) return undefined;
    if (step.do === "again")
      return question.state === "open" || question.state === "over" ? undefined : { ...step, of };
    if (step.do === "cancel") return question.state === "open" && has.cancel ? { ...step, of } : undefined;
    if (step.do === "reply" && step.by === "second" && (second === undefined || second.last !== undefined))
      return undefined;
    return question.state === "over" ? undefined : { ...step, of };
  }
  switch (step.do) {
    case "start":
      return lacking.has(step.task) ? undefined : step;
    case "deliver":
      return post.isEmpty ? undefined : step;
    case "expire":
      return has.clock && questions.some(({ state }) => state === "open") ? step : undefined;
    default:
      return { do: comings(second)(step.do) };
  }
}

type ExpectedChange = "join" | "leave" | "cut" | "resume";

/** The possible action of a second subscription instead of an impossible one. */
function comings(second: Second | undefined): (wanted: ExpectedChange) => ExpectedChange {
  if (second === undefined) return () => "join";
  if (second.last === undefined) return (wanted) => (wanted === "leave" ? wanted : "cut");
  return () => (second.line.resume === undefined ? "join" : "resume");
}
