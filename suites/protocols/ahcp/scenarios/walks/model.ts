import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import type { HubStep } from "./step.ts";

/** The hub's required knowledge about one message. */
export interface KeptMessage {
  id: string;
  type: "ask" | "task" | "notify";
  message: JsonObject;
  status: string;
  /** Whether it has a deadline. */
  due: boolean;
  /** The id of its outcome, once seen. */
  resolutionId?: string;
  /** Its deadline has passed. */
  past: boolean;
  /** The deadline passed while it was open, and it is unknown whether the hub has noticed. */
  overdue: boolean;
  /** The hub was restarted since it came. */
  restarted: boolean;
  /** It was not read since the last restart. */
  unseen: boolean;
  cancelledAgain: boolean;
  /** The real milliseconds within which an expiry must show. */
  patience: number;
}

/** The state in the model of a hub: the messages in order of arrival. */
export interface HubModel {
  kept: KeptMessage[];
  patience: number;
}

/** The real milliseconds to wait for an expiry while a walk is shrunk and none is expected. */
const hasteMs = 1000;

export function beginWalk(context: ScenarioContext, isAgain: boolean): HubModel {
  return { kept: [], patience: isAgain ? hasteMs : boundOf(context, "expiry") };
}

/** How the words of a resolver end a message of each type. */
const endings = { ask: ["answered", "declined"], task: ["completed", "dismissed"], notify: [] as string[] } as const;

export function mayEnd({ type, status, overdue }: KeptMessage, word: string): boolean {
  return status === "open" && !overdue && (endings[type] as readonly string[]).includes(word);
}

/** The step with `of` reduced to the number of messages. Undefined if the step is meaningless here. */
export function fitStep({ kept }: HubModel, step: HubStep): HubStep | undefined {
  if (!("of" in step)) return step;
  const of = kept.length === 0 ? 0 : step.of % kept.length;
  const message = kept[of];
  if (message === undefined) return undefined;
  const { type, past, restarted } = message;
  // A refusal because of the deadline after a restart shows nothing about the key.
  if (step.do === "replay" && (type === "notify" || (past && restarted))) return undefined;
  // For another message with the same key, a hub may first see that the deadline has passed.
  const isOther = step.do === "rerun" || step.do === "alter";
  if (isOther && (type === "notify" || past)) return undefined;
  return { ...step, of };
}
