import type { Json } from "../json.ts";
import type { Violation } from "./violation.ts";

/** A recorded session as a trace document has it. */
export interface Session {
  document: string;
  value: Json;
  /** JSON Pointer to the list with the items of the lines. */
  at: string;
  /** For each item of that list, the index of its line; absent: one item per line. */
  lines?: readonly number[];
  /** The sent messages in order: each is checked against its own document. */
  messages: readonly SessionMessage[];
  /** Messages that a document of the protocol judges together, such as a request and its answer. */
  records?: readonly SessionRecord[];
  /** Messages may be missing at its gaps, and the rules allow for that. */
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
  /** Its receivers ignore it when it is malformed. */
  ignorable?: boolean;
  /** JSON Pointer to a part of a message in its line. */
  within?: string;
  /** Id of the rule that its schema violation breaks. */
  rule?: string;
  /** A fault independent of its content: it does not count against a document. */
  fault?: Violation;
}

/** A message of a session that pairs answers with their requests. */
export interface PairedMessage extends Pick<SessionMessage, "message" | "document" | "within" | "rule" | "fault"> {
  /** It answers no request that is known. */
  isStray?: true;
}

/** Messages of a session in a record. */
export interface SessionRecord {
  document: string;
  value: Json;
  /** For each of its members the index of its line. */
  lines: Readonly<Record<string, number>>;
}

/** How a recording is read. */
export interface SessionOptions {
  /** It may begin late and end early: a reader with a form for gaps puts gaps there. */
  partial?: boolean;
  /** Indexes of lines with something unreadable before them; the number of lines for the end. A reader with a form for gaps puts gaps there. */
  gaps?: ReadonlySet<number>;
  /** Indexes of lines with ignored messages: they were sent, and show nothing. */
  ignored?: ReadonlySet<number>;
}

/** Converts recorded lines into the form that the rules about sequences judge. */
export type SessionReader = (lines: readonly Json[], options?: SessionOptions) => Session;
