import type { Json } from "../json.ts";
import type { Violation } from "./violation.ts";

/** A recorded session in the form of a trace document. */
export interface Session {
  document: string;
  value: Json;
  /** JSON Pointer to the list that holds the recorded items. */
  at: string;
  /** For each item of that list, the index of its line; absent: one item per line. */
  lines?: readonly number[];
  /** The sent messages in order: each is checked against its own document. */
  messages: readonly SessionMessage[];
  /** Messages that a document of the protocol judges together, such as a request and its answer. */
  records?: readonly SessionRecord[];
  /** Whether the session marks gaps, and the rules allow for messages that are missing there. */
  hasGaps?: boolean;
}

/** One message of a session. */
export interface SessionMessage {
  message: Json;
  /** Index of its line. */
  line: number;
  /** JSON Pointer to the message in the session's value, if it is there. */
  at?: string;
  /** The sender: a role, or a name. */
  from?: string;
  /** Name of its document; absent: the document that the profile selects. */
  document?: string;
  /** Whether its receivers ignore it if it is malformed. */
  ignorable?: boolean;
  /** JSON Pointer to this message within the line's message, if it is only part of that. */
  within?: string;
  /** Id of the rule that its schema violation breaks. */
  rule?: string;
  /** A fault independent of its content: it does not count against a document. */
  fault?: Violation;
}

/** A message of a session that pairs answers with their requests. */
export interface PairedMessage extends Pick<SessionMessage, "message" | "document" | "within" | "rule" | "fault"> {
  /** It does not answer any known request. */
  isStray?: true;
}

/** Messages of a session in a record. */
export interface SessionRecord {
  document: string;
  value: Json;
  /** For each member of the value, the index of its line. */
  lines: Readonly<Record<string, number>>;
}

/** How a recording is read. */
export interface SessionOptions {
  /** The recording may begin late and end early: a reader that supports gaps puts gaps there. */
  partial?: boolean;
  /** Indexes of lines with something unreadable before them; the number of lines for the end. A reader that supports gaps puts gaps there. */
  gaps?: ReadonlySet<number>;
  /** Indexes of lines with messages that receivers ignored: they prove nothing. */
  ignored?: ReadonlySet<number>;
}

/** Converts recorded lines into the form that the rules about sequences judge. */
export type SessionReader = (lines: readonly Json[], options?: SessionOptions) => Session;
