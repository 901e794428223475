import type { Json } from "../../../schemas/index.ts";

/**
 * The data for the script of the page. Unseen characters in its texts are spelled out; none of it is markup.
 * Results come in rows and repeated texts by number, since a page may hold twenty thousand of them.
 */
export interface PageData {
  /** The texts that rows name by number. */
  texts: string[];
  /** The gravest first. */
  outcomes: OutcomeData[];
  levels: string[];
  /** The number of failing outcomes, which come first; the number of outcomes that need a look; and the index of the outcome without a fault. */
  grave: number;
  concerns: number;
  good: number;
  /** The kind of the rows, in singular and plural, and the word that distinguishes them. */
  noun: [one: string, many: string];
  /** The first of the outcomes. */
  worst: string;
  titles: Record<Aspect, string>;
  /** Each protocol that was run, with everything that ran it. */
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
  /** Name and version; ids begin with `prefix`, and rows leave it out. */
  name: string;
  prefix: string;
  /** The name of the implementation in the messages of scenarios. */
  party: string;
  rules: RuleData[];
  /** If they are available. */
  schemas: SchemaData[];
  vectors: VectorRow[];
  runs: RunData[];
}

/** One schema with its address and its JSON; every text in it has its invisible characters written out. */
export interface SchemaData {
  id: string;
  /** Its documents and its file, if known. */
  called?: string;
  value: Json;
}

export interface RuleData {
  id: string;
  level: string;
  clause: string;
  statement: string;
  position?: string;
  /** Why no vector asks for it. */
  status?: string;
}

/** Id, description, then by number: kind, document, verdict, level, rule, site, place, fault, family of faults. Texts that are absent are empty. */
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
  /** The command that repeats one vector, to be followed by its id; absent if there is none, or each has its own. */
  replay?: string;
  /** One character for each vector: the number of its outcome, or `-` if this run did not have it. */
  outcomes: string;
  /** By number of the vector: the text beside the outcome. */
  details: Record<number, Detail>;
}

/** A piece of an instance: unchanged, added by the change, or removed by it. */
export type SchemaPiece = string | { mark: string } | { gone: string };

export interface Detail {
  facts: [name: string, text: string][];
  /** The key of the group of a result, if it is not the rule. */
  cause?: string;
  known?: string;
  /** The command that repeats this one, if it is not that of the run followed by the id. */
  replay?: string;
  change?: string;
  /** The vector that it was made from. */
  parent?: string;
  instance?: SchemaPiece[];
  exchanges?: ExchangeData[];
  /** The messages between the parties on other ways, in order. */
  trace?: [from: string, to: string, text: string][];
  /** The messages of the trace, or else the exchange, that showed it. */
  decisive?: number[];
}

/**
 * By number: first line and headers of the request, its body, and the same of the response. A 1 behind them says that the request is
 * shown to the last character, so that it can be sent again; a 2 that the implementation sent it. Then the agent in the name of the
 * sender.
 */
export type ExchangeData = [
  request: number,
  body: string,
  response: number,
  body: string,
  whole?: 0 | 1 | 2,
  as?: string,
];
