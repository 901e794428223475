import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import type { WalkStep } from "./step.ts";

/** What a hub must know of one message. */
export interface Kept {
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

/** All that the model of a hub knows: the messages in the order in which they came. */
export interface Model {
  kept: Kept[];
  patience: number;
}

/** Real milliseconds within which an expiry shows while a walk is made shorter, where it is known that it does not. */
const haste = 1000;

export function begin(context: ScenarioContext, isAgain: boolean): Model {
  return { kept: [], patience: isAgain ? haste : boundOf(context, "expiry") };
}

/** How the words of a resolver end a message of each type. */
const endings = { ask: ["answered", "declined"], task: ["completed", "dismissed"], notify: [] as string[] } as const;

export function mayEnd({ type, status, overdue }: Kept, word: string): boolean {
  return status === "open" && !overdue && (endings[type] as readonly string[]).includes(word);
}

/** The step as this walk takes it: `of` goes round, so that it means something however many messages there are. Undefined when it says nothing here. */
export function fitStep({ kept }: Model, step: WalkStep): WalkStep | undefined {
  if (!("of" in step)) return step;
  const of = kept.length === 0 ? 0 : step.of % kept.length;
  const message = kept[of];
  if (message === undefined) return undefined;
  const { type, past, restarted } = message;
  // What is refused for its deadline after a restart says nothing of the key.
  if (step.do === "replay" && (type === "notify" || (past && restarted))) return undefined;
  // Of another message under its key, a hub may see first that the deadline has passed.
  const isOther = step.do === "rerun" || step.do === "alter";
  if (isOther && (type === "notify" || past)) return undefined;
  return { ...step, of };
}
