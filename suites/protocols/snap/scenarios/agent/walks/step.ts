import {
  countIn,
  type Mishap,
  mishapIn,
  oneOf,
  type Turn,
  turns,
} from "../../../../../running/scenarios/walks/index.ts";

/** The work that a text starts: done immediately, running until it is cancelled, or interrupted by a question of the agent. */
export const texts = ["plain", "working", "asking"] as const;
export type WalkText = (typeof texts)[number];

/** The faults of messages. A faulty message must not have an effect, except `ahead`: a timestamp slightly in the future is valid. */
export const messageFaults = ["forged", "tampered", "old", "early", "misaddressed", "ahead"] as const;
export type MessageFault = (typeof messageFaults)[number];

const taskActions = ["get", "cancel", "continue"] as const;
const repetitions = ["replay", "reuse"] as const;

/** How a message is sent: with a fault, over WebSocket instead of HTTP, or with a mishap in its delivery. */
export interface SendingManner {
  fault?: MessageFault;
  transport?: "socket";
  mishap?: Mishap;
}

/** A step of a walk. `index` refers to a task, or in a repetition to an accepted message. */
export type AgentStep =
  | ({ do: "send" | "stream"; text: WalkText } & SendingManner)
  | ({ do: (typeof taskActions)[number]; index: number } & SendingManner)
  | { do: (typeof repetitions)[number]; index: number; transport?: "socket" }
  | { do: "deliver"; turn: Turn }
  | { do: "wait" };

/** Writes a step as text, such as `send working`, `cancel 0 forged socket late` or `replay 1`. */
export function textOf(step: AgentStep): string {
  switch (step.do) {
    case "wait":
      return step.do;
    case "deliver":
      return `deliver ${step.turn}`;
    case "replay":
    case "reuse":
      return joinPresent(step.do, step.index, step.transport);
    case "send":
    case "stream":
      return joinPresent(step.do, step.text, step.fault, step.transport, step.mishap);
    default:
      return joinPresent(step.do, step.index, step.fault, step.transport, step.mishap);
  }
}

function joinPresent(...parts: readonly (string | number | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}

/** Parses the text of a step. Undefined if the text is not a step. */
export function stepIn(stepText: string): AgentStep | undefined {
  const [action, argument, ...options] = stepText.split(/\s+/);
  const [index, text, turn] = [countIn(argument), oneOf(texts, argument), oneOf(turns, argument)];
  const [fault] = options.flatMap((option) => oneOf(messageFaults, option) ?? []);
  const [mishap] = options.flatMap((option) => mishapIn(option) ?? []);
  const transportOption = options.includes("socket") ? { transport: "socket" as const } : {};
  const manner: SendingManner = {
    ...(fault === undefined ? {} : { fault }),
    ...transportOption,
    ...(mishap === undefined ? {} : { mishap }),
  };
  if (action === "wait") return { do: action };
  if (action === "deliver" && turn !== undefined) return { do: action, turn };
  if ((action === "send" || action === "stream") && text !== undefined) return { do: action, text, ...manner };
  const taskAction = oneOf(taskActions, action);
  if (taskAction !== undefined && index !== undefined) return { do: taskAction, index, ...manner };
  const repetition = oneOf(repetitions, action);
  return repetition === undefined || index === undefined ? undefined : { do: repetition, index, ...transportOption };
}

export const example =
  "send plain; send working socket; stream plain forged; get 0; cancel 1 tampered late; continue 2 twice; replay 0 socket; reuse 0; deliver last; wait";
