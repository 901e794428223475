import {
  isObject,
  type JsonObject,
  jsonOf,
  type ScenarioContext,
  TargetFailure,
  type TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { findStrangers, noteEvent, retellings } from "./newcomers.ts";

/** A producer that sends more characters or messages floods the suite. */
const [mostText, mostMessages] = [16 * 1024 * 1024, 20_000];

/** A received message. */
export interface ArrivedMessage {
  message: JsonObject;
  /** The text of the message, before parsing. */
  text: string;
  /** Milliseconds of the suite's monotonic clock. */
  at: number;
  /** The other fields of the frame: the name and id of a server-sent event. */
  frame: Readonly<Record<string, string>>;
}

/** The messages to a subscription of the suite, in order. */
export interface Inbox {
  arrivals: ArrivedMessage[];
  /** Descriptions of the frames without one JSON object. */
  faults: string[];
  /** Notes that bytes came that are not UTF-8. */
  noteMiswritten(): void;
  isMiswritten(): boolean;
  /** The answers on this subscription, each with the number of messages before it. */
  answers: { after: number; message: JsonObject }[];
  /** The sessions that started during this subscription. */
  begun: Set<string>;
  /** Whether the producer has ended the connection. */
  isEnded(): boolean;
  /** Adds a received message; the source is its frame, if that is longer. */
  push(text: string, frame?: Readonly<Record<string, string>>, source?: string): void;
  /** Ends the connection, possibly with a failure, or with a reason to skip the scenario. */
  end(why?: TargetFailure | TargetSkip): void;
  /** The first wanted message, if it is already there or arrives within these milliseconds by the setting's scale. */
  seen(wanted: (message: JsonObject, index: number) => boolean, milliseconds?: number): Promise<JsonObject | undefined>;
  /** Whether the connection ends within these milliseconds. */
  over(milliseconds?: number): Promise<boolean>;
  /** Notes a new connection. */
  reopen(as?: string): void;
  /** From now on, the end of the connection is expected. */
  expectEnd(): void;
  isEndExpected(): boolean;
}

/** The recorded entry for a subscriber that ends its connection. */
export const closes = "(closes the stream)";

export function inboxOf(context: ScenarioContext, name: string): Inbox {
  const { setting, signal } = context;
  const patience = boundOf(context, "event");
  let recordedAs = name;
  const arrivals: ArrivedMessage[] = [];
  const faults: string[] = [];
  /** The text of each event on the present connection, by id. */
  const known = new Map<unknown, string>();
  const waiting = new Set<() => void>();
  const [isStranger, isRetelling] = [findStrangers(context), retellings(setting)];
  const isRetold = (event: JsonObject): boolean => isStranger(event) || (!isOpenAgain && isRetelling(event));
  let size = 0;
  let ended = false;
  let isExpected = false;
  let isMiswritten = false;
  /** Whether the missed events are repeated now. */
  let isOpenAgain = false;
  let failure: TargetFailure | TargetSkip | undefined;
  const wake = (): void => {
    for (const each of [...waiting]) each();
  };
  /** Waits for a change; false after the time. */
  const untilChanged = (end: number): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (isChange: boolean) => (): void => {
        clearTimeout(timer);
        waiting.delete(change);
        signal.removeEventListener("abort", change);
        resolve(isChange);
      };
      const change = settle(true);
      const timer = setTimeout(settle(false), Math.max(0, end - performance.now()));
      waiting.add(change);
      signal.addEventListener("abort", change, { once: true });
    });
  const limit = (milliseconds: number): number =>
    performance.now() + milliseconds * Math.max(0.2, setting.timeScale ?? 1);
  return {
    arrivals,
    faults,
    answers: [],
    begun: new Set(),
    isEnded: () => ended,
    noteMiswritten() {
      isMiswritten = true;
    },
    isMiswritten: () => isMiswritten,
    push(text, frame = {}, source = text) {
      size += text.length;
      if (size > mostText || arrivals.length + faults.length > mostMessages)
        failure ??= new TargetFailure("errored", "read", `it floods: more than ${mostMessages} messages or 16 MiB`);
      const message = jsonOf(text);
      const told = isObject(message) && isRetold(message) ? { retold: true as const } : {};
      context.record({ from: "producer", to: recordedAs, text, ...told });
      // A producer may deliver an event twice: the copy is not a second event.
      const id = isObject(message) ? message.event_id : undefined;
      if (typeof id === "string" && known.get(id) === source) return;
      known.set(id, source);
      if (isObject(message)) noteEvent(setting, message);
      if (isObject(message)) arrivals.push({ message, text: source, at: performance.now(), frame });
      else faults.push(text.length > 120 ? `${text.slice(0, 120)}…` : text);
      wake();
    },
    end(why) {
      if (!ended && arrivals.length > 0 && !context.signal.aborted)
        context.record({ from: "producer", to: recordedAs, text: "(the stream is over)" });
      ended = true;
      // The suite cuts the connection on purpose. That is not a failure if the connection is resumed.
      if (!isExpected) failure ??= why;
      wake();
    },
    async seen(wanted, milliseconds = patience) {
      const end = limit(milliseconds);
      for (let index = 0; ; ) {
        signal.throwIfAborted();
        for (; index < arrivals.length; index++) {
          const { message } = arrivals[index] as ArrivedMessage;
          if (wanted(message, index)) return message;
        }
        if (failure !== undefined && !isExpected) throw failure;
        if (ended && !isExpected)
          throw new TargetFailure("errored", "read", `the producer has ended the stream of ${name}`);
        if (ended || !(await untilChanged(end))) return undefined;
      }
    },
    async over(milliseconds = patience) {
      isExpected = true;
      const end = limit(milliseconds);
      while (!ended) if (!(await untilChanged(end))) return false;
      return true;
    },
    reopen(as = recordedAs) {
      recordedAs = as;
      isOpenAgain = true;
      known.clear();
      ended = false;
      isExpected = false;
    },
    expectEnd() {
      isExpected = true;
    },
    isEndExpected: () => isExpected,
  };
}
