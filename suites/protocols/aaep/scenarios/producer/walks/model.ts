import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import { type Post, postFor } from "../../../../../running/scenarios/walks/index.ts";
import { boundOf } from "../../bounds.ts";
import type { Inbox } from "../../subscribing/inbox.ts";
import type { Line } from "../../subscribing/line.ts";
import { openAll } from "../sequence.ts";
import type { AskedSession } from "../story.ts";
import type { How, ProducerStep, WalkTask } from "./step.ts";

/** The producer's required knowledge about one question. */
export interface WalkQuestion extends AskedSession {
  task: WalkTask;
  /** How it was settled; `over` if the session has ended for another reason. */
  state: "open" | "accepted" | "rejected" | "expired" | "cancelled" | "over";
  /** An invalid reply with its token was sent. */
  isDoubted: boolean;
}

/** A reply in transit. */
export interface WalkReply {
  of: number;
  how: How;
  by: "first" | "second";
  reply: JsonObject;
}

/** A second subscription that comes and goes, beside the permanent one. */
export interface Second {
  line: Line;
  /** The id of the last event before the connection was cut; undefined while connected. */
  last?: string | undefined;
  wasCut: boolean;
}

/** The state in the model of a producer: its questions in their order. */
export interface ProducerModel {
  /** The line that gets everything, and is never cut. */
  line: Line;
  second?: Second | undefined;
  questions: WalkQuestion[];
  /** The sent replies, each with the number of messages before it. */
  said: Inbox["answers"];
  /** Sessions that only serve to show that all earlier messages have arrived. */
  fences: Set<string>;
  post: Post<WalkReply>;
  /** The tasks that the producer does not have, and the missing operations. */
  lacking: Set<string>;
  has: { clock: boolean; cancel: boolean };
  /** The maximum milliseconds until a session continues after its question is settled. */
  patience: number;
}

/** While a walk is shrunk, waits are short: nothing is expected to come. */
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

/** The step with `of` reduced to the number of questions; undefined if the step is meaningless here. */
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

/** A possible action of the second subscription instead of an impossible one. */
function comings(second: Second | undefined): (wanted: ExpectedChange) => ExpectedChange {
  if (second === undefined) return () => "join";
  if (second.last === undefined) return (wanted) => (wanted === "leave" ? wanted : "cut");
  return () => (second.line.resume === undefined ? "join" : "resume");
}
