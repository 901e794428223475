import type { Contradiction } from "./contradiction.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Json, JsonObject } from "./json.ts";
import type { PublishedLimits } from "./published-limits.ts";
import type { Level } from "./rule.ts";
import type { Dependence, ValueConditions } from "./value-conditions.ts";
import type { Change, VectorFamily } from "./vector.ts";

/** Messages that need an optional feature. They are not sent to a server that does not publish the feature. */
export interface Feature extends Dependence {
  documents: string[];
  /** Conditions on a message of these documents; absent: each needs the feature. */
  message?: ValueConditions;
}

/** Makes one member of an instance fresh before it is sent to a live server. */
export interface Freshness {
  /** JSON Pointer into the instance, or into the carrier if `in` is present. */
  at: string;
  /**
   * `uuid` v4 · `date-time` RFC 3339 UTC · `unix-time` seconds · `token` prefix and random alphanumerics · `signature` by the sender's
   * test key, last of all.
   */
  make: "uuid" | "date-time" | "unix-time" | "token" | "signature";
  prefix?: string;
  /** Seconds added to now, for the two kinds of time. */
  offset?: number;
  in?: "carrier";
  /** Code with which a server refuses a value that it knows from an earlier request. */
  clash?: string;
}

/** A condition on an HTTP answer: all given parts must hold. The pointers refer to the JSON body. */
export interface AnswerCondition {
  status: number[];
  present?: string;
  absent?: string;
  /** Values of members, by JSON Pointer. */
  equal?: Record<string, Json>;
}

/** One kind of message or document of a protocol, with its entry schema. */
export interface Document {
  name: string;
  title: string;
  /** `$id` of the entry schema. */
  schema: string;
  /** Schema file, relative to the profile. */
  file: string;
  /** Whether vectors are derived from its schema. False for records, and for a file of definitions without assertions at its root. */
  standalone: boolean;
  /**
   * Keeps only the core of the generated vectors, which breaks each of the document's own assertions, and the vectors of known mistakes. For
   * documents that repeat parts of others.
   */
  kept?: "core";
  /**
   * `entry`: an implementation receives it · `emitted`: it sends it · `part`: only inside another document · `record`: several documents, or
   * a document with its circumstances, which semantic rules judge together · `trace`: a sequence of messages, judged likewise.
   */
  role: "entry" | "emitted" | "part" | "record" | "trace";
  /** Member values that select this document among the protocol's. */
  when?: Record<string, Json[]>;
  /**
   * JSON Pointers to members that identify it among all documents if no values select one, for instance if the protocol does not define its
   * schema. For a trace: members of its lines.
   */
  has?: string[];
  endpoint?: Endpoint;
  /** Why it is not sent to a live server, which has no endpoint for it or cannot judge it alone. */
  unsent?: string;
  /** A complete carrier, and the place in it for the document. */
  wrap?: { at: string; in: Json };
  answer?: DocumentAnswer;
  fresh?: Freshness[];
  /** Realistic valid instances; generated messages use their values. */
  samples?: Json[];
  /** Known mistakes of implementations that no keyword of the schema suggests. */
  mistakes?: KnownMistake[];
  /** The tool of an MCP server that has this document as its input. */
  tool?: Tool;
}

/** The answer to a document. */
export interface DocumentAnswer {
  /** Id of the rule that a wrong answer breaks. */
  rule: string;
  /** Name of the document of an answer that accepts, and a JSON Pointer to it in the answer (absent: the whole answer). */
  document?: string;
  at?: string;
  /** Name of the document for a whole accepting answer, which contains the document at `at`. */
  envelope?: string;
  /** Name of the document of a whole answer that refuses. */
  refusal?: string;
  /** Lists in the answer that repeat messages of other parties and are not judged; `*` is each item of a list. */
  echoes?: readonly string[];
  /** JSON Pointer to the member that the answer repeats; a message without the member gets no answer. */
  id?: string;
  /** The media type of an answer with a body over HTTP, without parameters, or several possible ones. */
  type?: string | string[];
}

/** A known mistake of implementations: a message that is often wrong in this way, or a valid message that is often refused. */
export interface KnownMistake {
  /** The last part of the vector's id. */
  name: string;
  /** Completes a sentence that begins with the place of the change. */
  says: string;
  /** The sample that is changed; the first is 1, and the default. */
  sample?: number;
  /** A JSON Patch (RFC 6902). The schema must refuse the result, unless the mistake is to refuse it. */
  change: Change[];
  /** The mistake is the receiver's: it refuses a message that the schema accepts. */
  accepted?: true;
}

/** A tool as a server listed it. */
export interface Tool {
  name: string;
  /** Digest of its schemas at the time of listing: the vectors do not apply to a server that lists other schemas. */
  digest?: string;
  /** `$id` of the schema of its results. */
  output?: string;
}

/** A step of a validation in several steps: a fixed schema, or one chosen by the values of members. */
export interface ValidationStep {
  at: string;
  schema?: string;
  by?: string[];
  schemas?: Record<string, string>;
}

/** Possible issues of a JSON text; RFC 8259 decides some, and leaves others open. */
export const textIssues = [
  "rewritten",
  "malformed",
  "extended",
  "encoding",
  "refused",
  "mark",
  "surrogate",
  "repeated",
  "contradicted",
  "deep",
  "big",
  "inexact",
] as const;
export type TextIssue = (typeof textIssues)[number];

/** The meaning of a reading id in disputed vectors. */
export interface ExplainedReading {
  id: string;
  says: string;
}

/** The protocol's decision on an issue, if it says more than RFC 8259. */
export interface TextRuling {
  rule?: string;
  /** Set if the protocol forbids something that RFC 8259 leaves open. */
  invalid?: true;
  level?: Level;
  /** Exceptions, for which a breach counts in full. */
  except?: readonly string[];
  /** Why some readers refuse it, with the rule on which they rely. */
  why?: string;
  /** The reason for this reading of the protocol, for readers of the profile. */
  note?: string;
}

/** The position of a protocol on the text of its messages. */
export interface TextPosition {
  rulings: Partial<Record<TextIssue, TextRuling>>;
  /** Texts may be YAML as well. */
  yaml?: true;
  /** The levels of nesting below a member that the protocol guarantees; absent: any depth may be refused. */
  levels?: number;
}

/** A member with a value that a server may refuse because of its own knowledge, such as the owner of an address, and the rule that permits it. */
export interface Discretion {
  at: string;
  rule: string;
  /** Absent: all documents. */
  documents?: string[];
  /** JSON Schema types with values that a server may not refuse. */
  except?: string[];
}

/** Units of a member that limits time or use. `count`: calls, tokens, steps; `per-second`: a rate. */
export const boundUnits = ["seconds", "milliseconds", "date-time", "unix-seconds", "count", "per-second"] as const;
export type BoundUnit = (typeof boundUnits)[number];

/** A member that bounds time or use, such as a timeout, a deadline, a rate or a budget, in each of the documents. */
export interface TimeoutMember {
  documents: string[];
  /** JSON Pointer into the document. */
  at: string;
  unit: BoundUnit;
}

/** A member with a token or the like: a reference to a question, a session or a task, a guard against repetition, or a signature. */
export interface TokenMember {
  documents: string[];
  /** JSON Pointer into the document. */
  at: string;
}

/** A prefix of a member's value that is equivalent to another prefix; the schemas know only the latter. */
export interface Spelling {
  /** At the top of the message. */
  member: string;
  written: string;
  means: string;
}

/** Kinds of messages that share one document, distinguished by the value at `at`, each with the members that only this kind has. */
export interface KindMembers {
  document: string;
  at: string;
  /** Names of top-level members, by the value at `at`. */
  members: Record<string, string[]>;
}

/** An error code that proves nothing about the document, and why. */
export interface Unjudged {
  code: string | number;
  why: string;
  /** Only for a message with a valid address, date and signature; such an answer is a breakdown, not a choice of the receiver. */
  sealed?: true;
}

/** How an answer other than status 429 asks the sender to retry later. */
export interface Later {
  /** Values of members of its body, by JSON Pointer. */
  equal: Record<string, Json>;
  /** JSON Pointer to the seconds to wait. */
  seconds: string;
}

/** How to close something that a message opened at a server, by the id in the answer. */
export interface Closing {
  /** Name of the member with the id, in the body of an accepting answer and in the closing message. */
  id: string;
  /** The path for this message. */
  path: string;
  /** The body without the id. */
  body: JsonObject;
}

/** A party of the protocol that scenarios are played against, while the suite plays the other party. */
export interface Side {
  /** Completes the sentence "a party that …". */
  says: string;
  /** The hooks of the side. Each has a sentence about its effect, its parameters and its answer. */
  hooks: Record<string, string>;
  /** Settings for `options` in a configuration: a JSON Schema of each value, with the keywords of our own formats, and its description. */
  options?: Record<string, JsonObject>;
}

/** A protocol's roles as data. */
export interface Profile {
  $schema: string;
  protocol: string;
  version: string;
  title: string;
  summary: string;
  /** `annotate`: an implementation that ignores `format` is correct. */
  formats: "assert" | "annotate";
  /** The published vectors are only the core of all possible ones: a fault for each assertion, the families and the rules, without mutants and texts. */
  extent?: "core";
  discriminator?: string;
  /** JSON Pointer to the member of a message that names its sender. */
  sender?: string;
  discretion?: Discretion[];
  timeouts?: TimeoutMember[];
  tokens?: TokenMember[];
  /** Equivalent spellings: messages are recognized and validated as if written in the other one. */
  spellings?: Spelling[];
  kinds?: KindMembers[];
  /** Semantic rules that belong to a family of vectors: their vectors have its tag. */
  families?: Partial<Record<VectorFamily, string[]>>;
  /** The sides by name, the usual one first. */
  sides?: Record<string, Side>;
  text?: TextPosition;
  /** Contradictions in the specification. No target fails because of them unless a reading is chosen. */
  contradictions?: Contradiction[];
  /** The meanings of reading ids in disputed vectors, other than contradictions. */
  readings?: ExplainedReading[];
  documents: Document[];
  http: {
    headers?: Record<string, string>;
    /** Header that carries the signature of a message. Reports show it, unlike other unknown headers. */
    signature?: string;
    /** The roles of the server, in the words of the rules: a rule that binds none of these does not apply to it (absent: any may). */
    binds?: string[];
    /** How an answer asks the sender to retry later. */
    later?: Later;
    limits?: PublishedLimits;
    /** Paths of JSON documents that a server publishes about itself, by the names that rules, scenarios and features use for them. */
    publishes?: Record<string, string>;
    features?: Feature[];
    /** Paths of several documents that cover all kinds of messages: a message of any other kind is wrong there. */
    closed?: string[];
    /** Server addresses with a path, from an API description. They are never contacted, but their path is part of the URL that the user gives. */
    servers?: string[];
    closing?: Closing;
    /** Why a server may refuse messages that the schemas accept: a warning then, not a violation. */
    mayRefuse?: string;
    accepted: AnswerCondition[];
    rejected: AnswerCondition[];
    /** JSON Pointers into the body of a refusal; `codes` are the codes of refused documents. */
    reason?: {
      code?: string;
      message?: string;
      at?: string;
      codes?: (string | number)[];
      unjudged?: Unjudged[];
    };
  };
  errors?: { code: string | number; status?: number; meaning: string }[];
  steps?: ValidationStep[];
}
