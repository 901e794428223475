import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import type { HubStep } from "./step.ts";

/** One message in the model, as the hub must know it. */
export interface KeptMessage {
  id: string;
  type: "ask" | "task" | "notify";
  message: JsonObject;
  status: string;
  /** Whether it has a deadline. */
  hasDeadline: boolean;
  /** The resolution_id, once it was read. */
  resolutionId?: string;
  /** Whether its deadline has passed. */
  isDeadlinePast: boolean;
  /** Whether the deadline passed while the message was open, and the hub may not have noticed it yet. */
  isOverdue: boolean;
  /** Whether the hub was restarted after it accepted the message. */
  wasRestarted: boolean;
  /** Whether it has not been read since the last restart. */
  isUnread: boolean;
  wasCancelledAgain: boolean;
  /** The real milliseconds within which an expiry must show. */
  patience: number;
}

/** The model of a hub: its messages in order of arrival. */
export interface HubModel {
  messages: KeptMessage[];
  patience: number;
}

/** The real milliseconds to wait for an expiry while a failed walk is shrunk. */
const hasteMs = 1000;

export function beginWalk(context: ScenarioContext, isRepeated: boolean): HubModel {
  return { messages: [], patience: isRepeated ? hasteMs : boundOf(context, "expiry") };
}

/** The resolutions that may end a message of each type. */
const resolutionsByType = {
  ask: ["answered", "declined"],
  task: ["completed", "dismissed"],
  notify: [] as string[],
} as const;

export function mayEnd({ type, status, isOverdue }: KeptMessage, resolution: string): boolean {
  return status === "open" && !isOverdue && (resolutionsByType[type] as readonly string[]).includes(resolution);
}

/** The step, with `of` reduced to the index of a message. Undefined if the step would not test anything in this state. */
export function fitStep({ messages }: HubModel, step: HubStep): HubStep | undefined {
  if (!("of" in step)) return step;
  const of = messages.length === 0 ? 0 : step.of % messages.length;
  const message = messages[of];
  if (message === undefined) return undefined;
  const { type, isDeadlinePast, wasRestarted } = message;
  // After a restart, a refusal may be due to the passed deadline instead of the key.
  if (step.do === "replay" && (type === "notify" || (isDeadlinePast && wasRestarted))) return undefined;
  // A hub may check the deadline before it compares a different message with the same key.
  const isDifferentMessage = step.do === "rerun" || step.do === "alter";
  if (isDifferentMessage && (type === "notify" || isDeadlinePast)) return undefined;
  return { ...step, of };
}
