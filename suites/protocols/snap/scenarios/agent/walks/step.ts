import {
  countIn,
  type Mishap,
  mishapIn,
  oneOf,
  type Turn,
  turns,
} from "../../../../../running/scenarios/walks/index.ts";

/** The text of a request: work that is done at once, work that lasts until it is cancelled, or work with a question of the agent. */
export const texts = ["plain", "working", "asking"] as const;
export type WalkText = (typeof texts)[number];

/** The faults of messages. They must have no effect, unless the message is only stamped slightly in the future. */
export const messageFaults = ["forged", "tampered", "old", "early", "misaddressed", "ahead"] as const;
export type MessageFault = (typeof messageFaults)[number];

const ofTasks = ["get", "cancel", "continue"] as const;
const ofMessages = ["replay", "reuse"] as const;

/** How a message is sent: faulty or not, over WebSocket instead of HTTP, and how it is delivered. */
export interface SendingManner {
  bent?: MessageFault;
  way?: "socket";
  mishap?: Mishap;
}

/** A step of a walk; `of` is the index of a task, or for repetitions of an accepted message. */
export type AgentStep =
  | ({ do: "send" | "stream"; text: WalkText } & SendingManner)
  | ({ do: (typeof ofTasks)[number]; of: number } & SendingManner)
  | { do: (typeof ofMessages)[number]; of: number; way?: "socket" }
  | { do: "deliver"; turn: Turn }
  | { do: "wait" };

/** A step in its written form: `send working`, `cancel 0 forged socket late`, `replay 1`. */
export function textOf(step: AgentStep): string {
  switch (step.do) {
    case "wait":
      return step.do;
    case "deliver":
      return `deliver ${step.turn}`;
    case "replay":
    case "reuse":
      return words(step.do, step.of, step.way);
    case "send":
    case "stream":
      return words(step.do, step.text, step.bent, step.way, step.mishap);
    default:
      return words(step.do, step.of, step.bent, step.way, step.mishap);
  }
}

function words(...given: readonly (string | number | undefined)[]): string {
  return given.filter((each) => each !== undefined).join(" ");
}

/** Undefined if the text is not a step. */
export function stepIn(given: string): AgentStep | undefined {
  const [word, first, ...options] = given.split(/\s+/);
  const [of, text, turn] = [countIn(first), oneOf(texts, first), oneOf(turns, first)];
  const [fault] = options.flatMap((each) => oneOf(messageFaults, each) ?? []);
  const [mishap] = options.flatMap((each) => mishapIn(each) ?? []);
  const way = options.includes("socket") ? { way: "socket" as const } : {};
  const going: SendingManner = {
    ...(fault === undefined ? {} : { bent: fault }),
    ...way,
    ...(mishap === undefined ? {} : { mishap }),
  };
  if (word === "wait") return { do: word };
  if (word === "deliver" && turn !== undefined) return { do: word, turn };
  if ((word === "send" || word === "stream") && text !== undefined) return { do: word, text, ...going };
  const task = oneOf(ofTasks, word);
  if (task !== undefined && of !== undefined) return { do: task, of, ...going };
  const message = oneOf(ofMessages, word);
  return message === undefined || of === undefined ? undefined : { do: message, of, ...way };
}

export const example =
  "send plain; send working socket; stream plain forged; get 0; cancel 1 tampered late; continue 2 twice; replay 0 socket; reuse 0; deliver last; wait";
