import {
  isObject,
  type JsonObject,
  jsonOf,
  type ScenarioContext,
  TargetFailure,
  type TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { noteEvent, recognizeEarlierSessions, recognizeRepetitions } from "./known-sessions.ts";

/** If a producer sends more characters or messages than this, it floods the suite. */
const [maxText, maxMessages] = [16 * 1024 * 1024, 20_000];

/** A received message. */
export interface ArrivedMessage {
  message: JsonObject;
  /** The text of the message, before parsing. */
  text: string;
  /** The time of its arrival, in milliseconds of the suite's monotonic clock. */
  arrivedAt: number;
  /** The other fields of the frame: the name and id of a server-sent event. */
  frame: Readonly<Record<string, string>>;
}

/** The messages that a subscription of the suite has received, in order. */
export interface Inbox {
  arrivals: ArrivedMessage[];
  /** Descriptions of the frames that do not contain one JSON object. */
  faults: string[];
  /** Notes that bytes have arrived that are not UTF-8. */
  noteInvalidUtf8(): void;
  hasInvalidUtf8(): boolean;
  /** The replies sent on this subscription, each with the number of messages received before it. */
  answers: { after: number; message: JsonObject }[];
  /** The sessions that started during this subscription. */
  startedSessions: Set<string>;
  /** Whether the producer has ended the connection. */
  isEnded(): boolean;
  /** Adds a received message. `source` is the text of its frame if that is longer. */
  push(text: string, frame?: Readonly<Record<string, string>>, source?: string): void;
  /** Ends the connection, possibly with a failure, or with a reason to skip the scenario. */
  end(why?: TargetFailure | TargetSkip): void;
  /** Waits for the first matching message, which may have arrived already. Undefined after these milliseconds, by the setting's scale. */
  waitFor(
    matches: (message: JsonObject, index: number) => boolean,
    milliseconds?: number,
  ): Promise<JsonObject | undefined>;
  /** Waits for the end of the connection. Returns false after these milliseconds. */
  waitForEnd(milliseconds?: number): Promise<boolean>;
  /** Notes a new connection. */
  reopen(recordedName?: string): void;
  /** Notes that the connection is expected to end. */
  expectEnd(): void;
  isEndExpected(): boolean;
}

/** The recorded entry when the suite ends a connection. */
export const closeNote = "(closes the stream)";

export function openInbox(context: ScenarioContext, name: string): Inbox {
  const { setting, signal } = context;
  const eventTimeout = boundOf(context, "event");
  let recordedAs = name;
  const arrivals: ArrivedMessage[] = [];
  const faults: string[] = [];
  /** The text of each event on the current connection, by id. */
  const knownTexts = new Map<unknown, string>();
  const waiters = new Set<() => void>();
  const [isFromEarlierSession, isFromBefore] = [recognizeEarlierSessions(context), recognizeRepetitions(setting)];
  const isRepeated = (event: JsonObject): boolean =>
    isFromEarlierSession(event) || (!isReopened && isFromBefore(event));
  let size = 0;
  let hasEnded = false;
  let isEndExpectedNow = false;
  let isMiswritten = false;
  /** Whether the connection is a new one, on which missed events are repeated. */
  let isReopened = false;
  let failure: TargetFailure | TargetSkip | undefined;
  const wake = (): void => {
    for (const waiter of [...waiters]) waiter();
  };
  /** Waits for a change. Returns false at the end of the time. */
  const waitForChange = (end: number): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (isChange: boolean) => (): void => {
        clearTimeout(timer);
        waiters.delete(onChange);
        signal.removeEventListener("abort", onChange);
        resolve(isChange);
      };
      const onChange = settle(true);
      const timer = setTimeout(settle(false), Math.max(0, end - performance.now()));
      waiters.add(onChange);
      signal.addEventListener("abort", onChange, { once: true });
    });
  const endTimeAfter = (milliseconds: number): number =>
    performance.now() + milliseconds * Math.max(0.2, setting.timeScale ?? 1);
  return {
    arrivals,
    faults,
    answers: [],
    startedSessions: new Set(),
    isEnded: () => hasEnded,
    noteInvalidUtf8() {
      isMiswritten = true;
    },
    hasInvalidUtf8: () => isMiswritten,
    push(text, frame = {}, source = text) {
      size += text.length;
      if (size > maxText || arrivals.length + faults.length > maxMessages)
        failure ??= new TargetFailure("errored", "read", `it floods: more than ${maxMessages} messages or 16 MiB`);
      const message = jsonOf(text);
      const repetition = isObject(message) && isRepeated(message) ? { retold: true as const } : {};
      context.record({ from: "producer", to: recordedAs, text, ...repetition });
      // A producer may deliver an event twice. The copy is not a second event.
      const id = isObject(message) ? message.event_id : undefined;
      if (typeof id === "string" && knownTexts.get(id) === source) return;
      knownTexts.set(id, source);
      if (isObject(message)) noteEvent(setting, message);
      if (isObject(message)) arrivals.push({ message, text: source, arrivedAt: performance.now(), frame });
      else faults.push(text.length > 120 ? `${text.slice(0, 120)}…` : text);
      wake();
    },
    end(why) {
      if (!hasEnded && arrivals.length > 0 && !context.signal.aborted)
        context.record({ from: "producer", to: recordedAs, text: "(the stream is over)" });
      hasEnded = true;
      // If the suite has cut the connection on purpose, its end is not a failure.
      if (!isEndExpectedNow) failure ??= why;
      wake();
    },
    async waitFor(wanted, milliseconds = eventTimeout) {
      const end = endTimeAfter(milliseconds);
      for (let index = 0; ; ) {
        signal.throwIfAborted();
        for (; index < arrivals.length; index++) {
          const { message } = arrivals[index] as ArrivedMessage;
          if (wanted(message, index)) return message;
        }
        if (failure !== undefined && !isEndExpectedNow) throw failure;
        if (hasEnded && !isEndExpectedNow)
          throw new TargetFailure("errored", "read", `the producer has ended the stream of ${name}`);
        if (hasEnded || !(await waitForChange(end))) return undefined;
      }
    },
    async waitForEnd(milliseconds = eventTimeout) {
      isEndExpectedNow = true;
      const end = endTimeAfter(milliseconds);
      while (!hasEnded) if (!(await waitForChange(end))) return false;
      return true;
    },
    reopen(as = recordedAs) {
      recordedAs = as;
      isReopened = true;
      knownTexts.clear();
      hasEnded = false;
      isEndExpectedNow = false;
    },
    expectEnd() {
      isEndExpectedNow = true;
    },
    isEndExpected: () => isEndExpectedNow,
  };
}
