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
const [maxCharacters, maxMessages] = [16 * 1024 * 1024, 20_000];

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
  sentReplies: { after: number; message: JsonObject }[];
  /** The sessions that started during this subscription. */
  startedSessions: Set<string>;
  /** Whether the producer has ended the connection. */
  isEnded(): boolean;
  /** Adds a received message. `source` is the text of its frame if that is longer. */
  push(text: string, frame?: Readonly<Record<string, string>>, source?: string): void;
  /** Ends the connection, possibly with a failure, or with a reason to skip the scenario. */
  end(why?: TargetFailure | TargetSkip): void;
  /** Waits for the first matching message, which may have arrived already. Undefined after these milliseconds, scaled by the setting. */
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

/** Opens an empty inbox; its messages are recorded as received by `name`. */
export function openInbox(context: ScenarioContext, name: string): Inbox {
  return new SubscriptionInbox(context, name);
}

/** Its functions are instance properties, because callers spread an inbox to override some of them. */
class SubscriptionInbox implements Inbox {
  readonly arrivals: ArrivedMessage[] = [];
  readonly faults: string[] = [];
  readonly sentReplies: Inbox["sentReplies"] = [];
  readonly startedSessions = new Set<string>();

  readonly #context: ScenarioContext;
  readonly #name: string;
  /** The maximum milliseconds until an awaited message arrives. */
  readonly #eventTimeout: number;
  readonly #isFromEarlierSession: (event: JsonObject) => boolean;
  readonly #isFromBefore: (event: JsonObject) => boolean;
  /** The text of each event on the current connection, by id. */
  readonly #knownTexts = new Map<unknown, string>();
  readonly #waiters = new Set<() => void>();
  #recordedName: string;
  /** The number of characters received. */
  #size = 0;
  #hasInvalidUtf8 = false;
  #isEnded = false;
  #isEndExpected = false;
  /** Whether the connection is a new one, on which missed events are repeated. */
  #isReopened = false;
  #failure: TargetFailure | TargetSkip | undefined;

  constructor(context: ScenarioContext, name: string) {
    this.#context = context;
    this.#name = name;
    this.#recordedName = name;
    this.#eventTimeout = boundOf(context, "event");
    this.#isFromEarlierSession = recognizeEarlierSessions(context);
    this.#isFromBefore = recognizeRepetitions(context.setting);
  }

  readonly noteInvalidUtf8 = (): void => {
    this.#hasInvalidUtf8 = true;
  };

  readonly hasInvalidUtf8 = (): boolean => this.#hasInvalidUtf8;

  readonly isEnded = (): boolean => this.#isEnded;

  readonly expectEnd = (): void => {
    this.#isEndExpected = true;
  };

  readonly isEndExpected = (): boolean => this.#isEndExpected;

  readonly push: Inbox["push"] = (text, frame = {}, source = text) => {
    this.#countSize(text);
    const json = jsonOf(text);
    const message = isObject(json) ? json : undefined;
    const repetition = message !== undefined && this.#isRepeated(message) ? { retold: true as const } : {};
    this.#context.record({ from: "producer", to: this.#recordedName, text, ...repetition });
    // A producer may deliver an event twice. The copy is not a second event.
    const id = message?.event_id;
    if (typeof id === "string" && this.#knownTexts.get(id) === source) return;
    this.#knownTexts.set(id, source);
    if (message === undefined) this.faults.push(text.length > 120 ? `${text.slice(0, 120)}…` : text);
    else {
      noteEvent(this.#context.setting, message);
      this.arrivals.push({ message, text: source, arrivedAt: performance.now(), frame });
    }
    this.#wake();
  };

  readonly end: Inbox["end"] = (why) => {
    if (!this.#isEnded && this.arrivals.length > 0 && !this.#context.signal.aborted)
      this.#context.record({ from: "producer", to: this.#recordedName, text: "(the stream is over)" });
    this.#isEnded = true;
    // If the suite has cut the connection on purpose, its end is not a failure.
    if (!this.#isEndExpected) this.#failure ??= why;
    this.#wake();
  };

  readonly reopen: Inbox["reopen"] = (recordedName = this.#recordedName) => {
    this.#recordedName = recordedName;
    this.#isReopened = true;
    this.#knownTexts.clear();
    this.#isEnded = false;
    this.#isEndExpected = false;
  };

  readonly waitFor: Inbox["waitFor"] = async (matches, milliseconds = this.#eventTimeout) => {
    const deadline = this.#timeAfter(milliseconds);
    for (let index = 0; ; ) {
      this.#context.signal.throwIfAborted();
      for (; index < this.arrivals.length; index++) {
        const { message } = this.arrivals[index] as ArrivedMessage;
        if (matches(message, index)) return message;
      }
      if (!this.#isEndExpected) this.#throwIfOver();
      if (this.#isEnded || !(await this.#waitForChange(deadline))) return undefined;
    }
  };

  readonly waitForEnd: Inbox["waitForEnd"] = async (milliseconds = this.#eventTimeout) => {
    this.#isEndExpected = true;
    const deadline = this.#timeAfter(milliseconds);
    while (!this.#isEnded) if (!(await this.#waitForChange(deadline))) return false;
    return true;
  };

  /** Notes a failure if the producer floods the suite. */
  #countSize(text: string): void {
    this.#size += text.length;
    if (this.#size > maxCharacters || this.arrivals.length + this.faults.length > maxMessages)
      this.#failure ??= new TargetFailure("errored", "read", `it floods: more than ${maxMessages} messages or 16 MiB`);
  }

  /** Whether an event is from before this subscription. */
  #isRepeated(event: JsonObject): boolean {
    return this.#isFromEarlierSession(event) || (!this.#isReopened && this.#isFromBefore(event));
  }

  #throwIfOver(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isEnded) throw new TargetFailure("errored", "read", `the producer has ended the stream of ${this.#name}`);
  }

  /** Returns the time this many milliseconds from now, scaled by the setting, on the suite's monotonic clock. */
  #timeAfter(milliseconds: number): number {
    return performance.now() + milliseconds * Math.max(0.2, this.#context.setting.timeScale ?? 1);
  }

  /** Waits for a change. Returns false at the deadline. */
  #waitForChange(deadline: number): Promise<boolean> {
    const { signal } = this.#context;
    return new Promise((resolve) => {
      const settle = (isChange: boolean) => (): void => {
        clearTimeout(timer);
        this.#waiters.delete(onChange);
        signal.removeEventListener("abort", onChange);
        resolve(isChange);
      };
      const onChange = settle(true);
      const timer = setTimeout(settle(false), Math.max(0, deadline - performance.now()));
      this.#waiters.add(onChange);
      signal.addEventListener("abort", onChange, { once: true });
    });
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }
}
