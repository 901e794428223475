import type { PairedMessage } from "./contracts/session.ts";
import type { Json } from "./json.ts";

/** The first line of a recording: which scenario was played, and against which party. */
export interface RecordingHead {
  /** Version of the format. */
  recording: 1;
  protocol: string;
  version: string;
  scenario: string;
  /** The party under test; absent if the protocol names none. Its name is this one, or `target`. */
  side?: string;
  seed: number;
}

/** The party of a hook's calls and answers: the head of both is its name. */
export const recordedHook = "hook";

/** A further line: a message between parties, in the order that the suite saw. */
export interface RecordedSent {
  /** Milliseconds since the scenario began. */
  ms: number;
  from: string;
  to: string;
  /** The line before it: a request line, the status of an answer, or the name of a hook. */
  head?: string;
  /** A JSON value as it was sent, except secrets. */
  message?: Json;
  /** A body that is not JSON: text as sent, or in brackets an event of the connection. Neither if only the head was sent. */
  text?: string;
  /** It happened before the scenario, and is repeated: it is not judged with it. */
  retold?: true;
}

/** A further line: here something is not kept. */
export interface RecordedGap {
  ms: number;
  gap: string;
}

/** The lines of a session in a line of a recording, for readers of the protocol's sessions; none if it has no message. */
export type RecordedReader = (line: RecordedSent, head: RecordingHead) => readonly Json[];

/** A message of a recording in the form for judging. */
export interface RecordedMessage {
  message: Json;
  /** Name of its document; absent: it is recognised by its members. */
  document?: string;
}

/**
 * Reads the lines of one recording in order, for a protocol that pairs answers with requests. Undefined for a line that no document
 * describes. A line may have several messages, as a batch has.
 */
export type AnswersReader = () => (line: RecordedSent) => RecordedMessage | readonly PairedMessage[] | undefined;

/** Records the messages between the parties of one scenario. Never throws. */
export interface Take {
  sent(what: Pick<RecordedSent, "from" | "to" | "head" | "retold"> & { text: string }): void;
  end(): void;
}
