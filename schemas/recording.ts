import type { PairedMessage } from "./contracts/session.ts";
import type { Json } from "./json.ts";

/** The first line of a recording: which scenario was played, and against which party. */
export interface RecordingHead {
  /** Version of the format. */
  recording: 1;
  protocol: string;
  version: string;
  scenario: string;
  /** The party that was played against; absent where the protocol names none. It goes by this name, or as `target`. */
  side?: string;
  seed: number;
}

/** Whom a call of a hook goes to, and its answer comes from: the head of both is its name. */
export const recordedHook = "hook";

/** A further line: what one party sent to another, in the order in which the suite saw it. */
export interface RecordedSent {
  /** Milliseconds since the scenario began. */
  ms: number;
  from: string;
  to: string;
  /** What goes before it: the line of a request, the status of an answer, or the name of a hook. */
  head?: string;
  /** A JSON value as it was sent, but for secrets. */
  message?: Json;
  /** What is no JSON: text as it was sent, or in brackets what happened to the connection. Neither, where nothing went but the head. */
  text?: string;
  /** It is about what there was before the scenario, and is told again: it is not judged with it. */
  retold?: true;
}

/** A further line: here something is not kept. */
export interface RecordedGap {
  ms: number;
  gap: string;
}

/**
 * What a line of a recording says to whoever reads sessions of the protocol, as lines of a session; nothing where it has no message of it.
 */
export type RecordedReader = (line: RecordedSent, head: RecordingHead) => readonly Json[];

/** A message of a recording in the form in which it is judged. */
export interface RecordedMessage {
  message: Json;
  /** Name of its document; absent: it is recognized by what it holds. */
  document?: string;
}

/**
 * Reads the lines of one recording in order, for a protocol whose answers are known by their requests. Undefined for what no document
 * describes. A line may have several messages, as a batch has.
 */
export type AnswersReader = () => (line: RecordedSent) => RecordedMessage | readonly PairedMessage[] | undefined;

/** Takes down the messages between the parties of one scenario. Never throws. */
export interface Take {
  sent(what: Pick<RecordedSent, "from" | "to" | "head" | "retold"> & { text: string }): void;
  end(): void;
}
