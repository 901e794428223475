import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import type { HubStep } from "./step.ts";

/** The facts that a hub must know about one message. */
export interface KeptMessage {
  id: string;
  type: "ask" | "task" | "notify";
  message: JsonObject;
  status: string;
  /** Whether it has a deadline. */
  due: boolean;
  /** Of its outcome, once it was seen. */
  resolutionId?: string;
  /** Its deadline has passed. */
  past: boolean;
  /** It was open then, and whether the hub has noticed was not seen yet. */
  overdue: boolean;
  /** The hub was restarted since it came. */
  restarted: boolean;
  /** It was not looked at since the last restart. */
  unseen: boolean;
  cancelledAgain: boolean;
  /** Real milliseconds within which an expiry must show. */
  patience: number;
}

/** All facts that the model of a hub knows: the messages in the order of their arrival. */
export interface HubModel {
  kept: KeptMessage[];
  patience: number;
}

/** Real milliseconds to wait for an expiry while a walk is shrunk, if it is known not to come. */
const hasteMs = 1000;

export function beginWalk(context: ScenarioContext, isAgain: boolean): HubModel {
  return { kept: [], patience: isAgain ? hasteMs : boundOf(context, "expiry") };
}

/** How the words of a resolver end a message of each type. */
const endings = { ask: ["answered", "declined"], task: ["completed", "dismissed"], notify: [] as string[] } as const;

export function mayEnd({ type, status, overdue }: KeptMessage, word: string): boolean {
  return status === "open" && !overdue && (endings[type] as readonly string[]).includes(word);
}

/** The step with `of` wrapped around, so that it is valid for any number of messages. Undefined when it says nothing here. */
export function fitStep({ kept }: HubModel, step: HubStep): HubStep | undefined {
  if (!("of" in step)) return step;
  const of = kept.length === 0 ? 0 : step.of % kept.length;
  const message = kept[of];
  if (message === undefined) return undefined;
  const { type, past, restarted } = message;
  // A refusal for the deadline after a restart shows nothing about the key.
  if (step.do === "replay" && (type === "notify" || (past && restarted))) return undefined;
  // Of another message under its key, a hub may see first that the deadline has passed.
  const isOther = step.do === "rerun" || step.do === "alter";
  if (isOther && (type === "notify" || past)) return undefined;
  return { ...step, of };
}
