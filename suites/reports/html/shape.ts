import type { Json } from "../../../schemas/index.ts";

/** The data for the script of the page. Invisible characters in its texts are escaped, and none of it is markup. Results are rows, and repeated texts are numbers, because a page may have twenty thousand results. */
export interface PageData {
  /** The texts that rows refer to by number. */
  texts: string[];
  /** The outcomes, the most serious first. */
  outcomes: OutcomeData[];
  levels: string[];
  /** The number of failing outcomes, which come first; the number of outcomes that deserve attention; and the index of the outcome "conforms". */
  grave: number;
  concerns: number;
  good: number;
  /** The noun for a row, in singular and plural. */
  noun: [one: string, many: string];
  /** The noun for results with the first outcome, in plural. */
  worst: string;
  titles: Record<Aspect, string>;
  /** Each protocol, with every run of it. */
  groups: GroupData[];
}

export type Aspect = "document" | "level" | "rule" | "family" | "fault" | "site";

export interface OutcomeData {
  name: string;
  heading: string;
  sign: string;
  tone: Tone;
}

export type Tone = "good" | "bad" | "mid" | "soft";

/** One protocol: its vectors once, and the results of each run. */
export interface GroupData {
  /** The name and version; ids begin with `prefix`, and rows leave it out. */
  name: string;
  prefix: string;
  /** The name of the implementation in the messages of scenarios. */
  party: string;
  rules: RuleData[];
  /** The schemas, if they are available. */
  schemas: SchemaData[];
  vectors: VectorRow[];
  runs: RunData[];
}

/** One schema with its address and its JSON; invisible characters in its texts are escaped. */
export interface SchemaData {
  id: string;
  /** The documents and the file of the schema, if known. */
  called?: string;
  value: Json;
}

export interface RuleData {
  id: string;
  level: string;
  clause: string;
  statement: string;
  position?: string;
  /** The reason why no vector tests the rule. */
  status?: string;
}

/** The id and description, then by number: kind, document, verdict, level, rule, site, place, fault, family of faults. Absent texts are empty. */
export type VectorRow = [
  id: string,
  description: string,
  kind: number,
  document: number,
  verdict: number,
  level: number,
  rule: number,
  site: number,
  at: number,
  fault: number,
  family: number,
];

export interface RunData {
  target: string;
  /** The command that repeats one vector, to be followed by its id; absent if there is none, or if each vector needs a different command. */
  replay?: string;
  /** One character for each vector: the number of its outcome, or `-` if this run did not have it. */
  outcomes: string;
  /** What the page shows in addition to the outcome, by the number of the vector. */
  details: Record<number, Detail>;
}

/** A piece of an instance: unchanged, added by the change, or removed by it. */
export type SchemaPiece = string | { mark: string } | { gone: string };

export interface Detail {
  facts: [name: string, text: string][];
  /** The key of a result's group, if it is not the rule. */
  cause?: string;
  known?: string;
  /** The command that repeats this result, if it is not the run's command followed by the id. */
  replay?: string;
  change?: string;
  /** The id of the vector from which this one was made. */
  parent?: string;
  instance?: SchemaPiece[];
  exchanges?: ExchangeData[];
  /** The messages between the parties by other channels, in order. */
  trace?: [from: string, to: string, text: string][];
  /** The indices of the messages in the trace, or in the exchanges, that decided the result. */
  decisive?: number[];
}

/** An HTTP exchange. `request` and `response` are the numbers of texts with the first line and the headers. `whole` is 1 if the request is shown completely, so that it can be sent again, and 2 if the implementation sent it. `as` is the agent in whose name it was sent. */
export type ExchangeData = [
  request: number,
  body: string,
  response: number,
  body: string,
  whole?: 0 | 1 | 2,
  as?: string,
];
