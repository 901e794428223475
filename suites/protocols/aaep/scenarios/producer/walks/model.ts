import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import { type Post, postFor } from "../../../../../running/scenarios/walks/index.ts";
import { boundOf } from "../../bounds.ts";
import type { Inbox } from "../../subscribing/inbox.ts";
import type { OpenSubscription } from "../../subscribing/open-subscription.ts";
import { openToAllEvents } from "../sequence.ts";
import type { AskedSession } from "../session.ts";
import type { ProducerStep, ReplyKind, WalkTask } from "./step.ts";

/** A question of the producer, and its state in the model. */
export interface WalkQuestion extends AskedSession {
  task: WalkTask;
  /** How it was settled. It is `over` if the session has ended for another reason. */
  state: "open" | "accepted" | "rejected" | "expired" | "cancelled" | "over";
  /** Whether an invalid reply with its token was sent. */
  hadInvalidReply: boolean;
}

/** A reply that may be in transit. */
export interface WalkReply {
  questionIndex: number;
  kind: ReplyKind;
  sender: "first" | "second";
  reply: JsonObject;
}

/** A second subscription, which connects and disconnects while the first one stays. */
export interface SecondSubscription {
  subscription: OpenSubscription;
  /** The id of the last event before the connection was cut. Undefined while it is connected. */
  lastEventId?: string | undefined;
  wasCut: boolean;
}

/** The state of the model of a producer. */
export interface ProducerModel {
  /** The subscription that receives all events and is never cut. */
  subscription: OpenSubscription;
  second?: SecondSubscription | undefined;
  questions: WalkQuestion[];
  /** The sent replies, each with the number of messages before it. */
  sentReplies: Inbox["sentReplies"];
  /** Sessions that only serve to show that all earlier messages have arrived. */
  fences: Set<string>;
  transit: Post<WalkReply>;
  /** The tasks that the producer does not have. */
  missingTasks: Set<string>;
  hooks: { clock: boolean; cancel: boolean };
  /** The maximum milliseconds until a session continues after its question is settled. */
  maxContinuationMs: number;
}

/** How many milliseconds to wait when a walk is shrunk: few, because the awaited event will probably not arrive. */
const shortWaitMs = 600;

export async function beginWalk(context: ScenarioContext, isShrinking: boolean): Promise<ProducerModel> {
  return {
    subscription: await openToAllEvents(context),
    questions: [],
    sentReplies: [],
    fences: new Set(),
    transit: postFor<WalkReply>(),
    missingTasks: new Set(),
    hooks: { clock: context.has("clock"), cancel: context.has("cancel") },
    maxContinuationMs: isShrinking ? shortWaitMs : boundOf(context, "event"),
  };
}

export function isConfirmation({ task }: Pick<WalkQuestion, "task">): boolean {
  return task !== "clarification";
}

/** Wraps the question index of a step to the existing questions. Undefined if the step is currently impossible. */
export function fitStep(model: ProducerModel, step: ProducerStep): ProducerStep | undefined {
  const { questions, second, transit, missingTasks, hooks } = model;
  if ("questionIndex" in step) {
    const questionIndex = questions.length === 0 ? 0 : step.questionIndex % questions.length;
    const question = questions[questionIndex];
    if (question === undefined) return undefined;
    if (step.do === "again")
      return question.state === "open" || question.state === "over" ? undefined : { ...step, questionIndex };
    if (step.do === "cancel") return question.state === "open" && hooks.cancel ? { ...step, questionIndex } : undefined;
    if (step.do === "reply" && step.sender === "second" && (second === undefined || second.lastEventId !== undefined))
      return undefined;
    return question.state === "over" ? undefined : { ...step, questionIndex };
  }
  switch (step.do) {
    case "start":
      return missingTasks.has(step.task) ? undefined : step;
    case "deliver":
      return transit.isEmpty ? undefined : step;
    case "expire":
      return hooks.clock && questions.some(({ state }) => state === "open") ? step : undefined;
    default:
      return { do: possibleChange(second, step.do) };
  }
}

type ConnectionChange = "join" | "leave" | "cut" | "resume";

/** Replaces an impossible action of the second subscription by a possible one. */
function possibleChange(second: SecondSubscription | undefined, requestedChange: ConnectionChange): ConnectionChange {
  if (second === undefined) return "join";
  if (second.lastEventId === undefined) return requestedChange === "leave" ? "leave" : "cut";
  return second.subscription.resume === undefined ? "join" : "resume";
}
