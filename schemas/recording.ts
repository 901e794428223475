import type { PairedMessage } from "./contracts/session.ts";
import type { Json } from "./json.ts";

/** The first line of a recording: the scenario, and the party that it was played against. */
export interface RecordingHead {
  /** Version of the format. */
  recording: 1;
  protocol: string;
  version: string;
  scenario: string;
  /** The name of the party under test in the lines; absent if the protocol names no sides, and then it is `target`. */
  side?: string;
  seed: number;
}

/** The party name in lines about hooks: the `head` of a call and of its answer is the name of the hook. */
export const recordedHook = "hook";

/** A further line: a message between parties, in the order seen by the suite. */
export interface RecordedSent {
  /** Milliseconds since the scenario began. */
  ms: number;
  from: string;
  to: string;
  /** The start line: a request line, the status of an answer, or the name of a hook. */
  head?: string;
  /** A JSON value as it was sent, except secrets. */
  message?: Json;
  /** A body that is not JSON: the text as sent, or in brackets an event of the connection. Without `message` and `text`, only the head was sent. */
  text?: string;
  /** A message from before the scenario, repeated for context and not judged with it. */
  retold?: true;
}

/** A further line: something is missing here. */
export interface RecordedGap {
  ms: number;
  gap: string;
}

/** Converts a line of a recording to the session lines for the protocol's checkers; empty if it does not contain a message. */
export type RecordedReader = (line: RecordedSent, head: RecordingHead) => readonly Json[];

/** A message of a recording in the form for judging. */
export interface RecordedMessage {
  message: Json;
  /** Name of its document; absent: it is recognised by its members. */
  document?: string;
}

/**
 * Reads the lines of one recording in order, for a protocol that pairs answers with requests. Undefined for a line that no document
 * describes. A line may have several messages, like a batch.
 */
export type AnswersReader = () => (line: RecordedSent) => RecordedMessage | readonly PairedMessage[] | undefined;

/** Records the messages between the parties of one scenario. Never throws. */
export interface Take {
  sent(what: Pick<RecordedSent, "from" | "to" | "head" | "retold"> & { text: string }): void;
  end(): void;
}
