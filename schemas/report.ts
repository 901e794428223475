import type { Cause } from "./cause.ts";
import type { FailOn } from "./fail-on.ts";
import type { Json } from "./json.ts";
import type { ReportOptions } from "./report-options.ts";
import type { Level } from "./rule.ts";
import type { Change, Verdict } from "./vector.ts";
import type { Reason } from "./wire.ts";

/** The judge's word on one vector. */
export const outcomes = [
  "conforms",
  "violates",
  "warns",
  "wrong-reason",
  "disputed",
  "skipped",
  "errored",
  "timed-out",
  "flaky",
] as const;
export type Outcome = (typeof outcomes)[number];

export type Counts = Record<Outcome, number>;

/** The answer of a target. Header values with secrets are redacted before. */
export interface Answer {
  verdict: "accepted" | "rejected";
  /** The reasons of a refusal, or remarks on an accepted instance. */
  reasons: Reason[];
  /** For a refusal without a code in a protocol with codes: the place of the code in the body, as a JSON Pointer. */
  codeless?: string;
  exchange?: HttpExchange;
}

/** One HTTP exchange, bodies cut to a bounded length. */
export interface HttpExchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string };
  response?: { status: number; headers: Record<string, string>; body: string };
  /** The implementation sent the request and the suite the answer, as at a callback. */
  incoming?: true;
  /** The agent with the credentials of the request, or `nobody`; absent if it has no credentials. */
  as?: string;
  /** It is the exchange that shows the finding. */
  decisive?: true;
}

/** A message from one party of a scenario to another, as text of a bounded length; or an event of the connection, such as "(closes the stream)". */
export interface Sent {
  from: string;
  to: string;
  text: string;
  /** It shows the finding, alone or with others. */
  decisive?: true;
}

/** The subject of a result: a vector, possibly drawn at random, or one rule of a scenario. */
export const resultKinds = ["vector", "scenario", "walk", "race", "agent"] as const;
export type ResultKind = (typeof resultKinds)[number];

/** The outcome of one vector, or of one rule of a scenario: `PROTOCOL/VERSION/scenarios/NAME/RULE`. */
export interface Result {
  id: string;
  kind: ResultKind;
  document: string;
  description: string;
  verdict: Verdict;
  level: Level;
  rule?: string;
  site?: string;
  at?: string;
  fault?: string;
  outcome: Outcome;
  /** The baseline lists this outcome, so that it fails no run: always, or at times. */
  known?: Known;
  /** Why, in a sentence; always there unless the outcome is `conforms`. */
  why?: string;
  /** The same as facts, which all decisions use; present whenever `why` is. */
  cause?: Cause;
  /** Of a disputed vector: the validators that refuse it, and the assertion at which they do; others accept it. */
  difference?: { by: string[]; site: string };
  /** Of a disputed vector: the readings under which it would count. */
  decidedBy?: string[];
  /** The rule that was violated before, from which this may only follow. */
  follows?: string;
  /** For `errored` and `timed-out`: the stage, such as `connect` or `answer`. */
  stage?: string;
  /** Milliseconds that a scenario took, with the first of its results alone. */
  durationMs?: number;
  answer?: Answer;
  /** For a scenario that does not conform: the last exchanges before the finding, in order, and first an earlier one that shows it. */
  exchanges?: HttpExchange[];
  /** The same for messages on other ways than HTTP's requests and answers. */
  trace?: Sent[];
  /** For results that do not conform: the vector itself, so that the report explains itself. */
  vector?: { data?: Json; raw?: string; base64?: string; change?: Change[]; parent?: string };
}

/** One of several parts of a selection, counted from 1. */
export interface Shard {
  index: number;
  count: number;
}

/** Changed source files of vectors, and the command that regenerates them. */
export interface ChangedFiles {
  files: string[];
  again: string;
}

/** The number of losses of an implementation that belong to no message, and the last reason. Unanswered messages were sent again. */
export interface Lost {
  times: number;
  last: string;
}

/** One protocol against one target. */
export interface Run {
  protocol: string;
  version: string;
  /** `assumed` is the assumption for a target without claims. */
  target: { kind: string; name: string; claims?: string[]; assumed?: string[] };
  /** Digest of the vectors that were there to run, before filters. */
  set: { digest: string; count: number; changed?: ChangedFiles };
  filter: { only: string[]; skip: string[] };
  /** The chosen readings of contradictory specifications. */
  readings?: string[];
  /** Which part of the selection this is, when it was split. */
  shard?: Shard;
  /** The most seconds that scenarios waited, by reason; left out without scenarios. */
  bounds?: Record<string, number>;
  /** When it began (RFC 3339), the command that repeats it, and how it was called, in a report that was put together of several. */
  started?: string;
  command?: string;
  options?: ReportOptions;
  counts: Counts;
  results: Result[];
  /** The only difference between refused and accepted valid messages, by document; left out if there is none. */
  inCommon?: InCommon[];
  /** Rules about answers that are still untested; left out if there are none. */
  untested?: UntestedRule[];
  /** That the implementation was lost while no message could be blamed for it, and started again; left out if it was not. */
  lost?: Lost;
  /** Why the run as a whole could not be carried out. */
  failure?: RunFailure;
}

export interface RunFailure {
  stage: string;
  message: string;
  /** The beginning of the message, without the parts of only one answer; absent if that is all. */
  brief?: string;
}

/** A rule for which requests were sent, and the answer to one of them, which says nothing about the rule. */
export interface UntestedRule {
  rule: string;
  why: string;
}

/** The features of all valid messages of a document with one outcome that no message with the other has. */
export interface InCommon {
  document: string;
  /** Numbers of valid messages that were refused, and accepted. */
  refused: number;
  accepted: number;
  /** The messages that have it. */
  by: "refused" | "accepted";
  /** Pointers, with `*` for any item of a list; with the value there, unless it is enough that something is there. */
  have: { at: string; value?: Json }[];
}

/** The entry of a baseline for a result: it fails, or it fails at times. */
export type Known = "failing" | "flaky";

/** The kinds of findings about a baseline. */
export type BaselineFindingKind =
  | "changed"
  | "stale"
  | "expired"
  | "duplicate"
  | "unknown"
  | "coverage"
  | "removed"
  | "unexercised"
  | "expiring"
  | "unrecorded"
  | "set";

/** Findings that are only reported; all others fail the run. */
const reportedOnly: ReadonlySet<BaselineFindingKind> = new Set([
  "removed",
  "unexercised",
  "expiring",
  "unrecorded",
  "set",
]);

/** Whether a finding on a baseline fails the run. */
export function isMisfit({ kind }: Pick<BaselineFinding, "kind">): boolean {
  return !reportedOnly.has(kind);
}

/** A finding about a baseline itself; `name` is the id or rule of an entry, or a protocol. */
export interface BaselineFinding {
  kind: BaselineFindingKind;
  name: string;
  what: string;
}

/** Result of holding a run against a baseline. */
export interface BaselineReport {
  file: string;
  /** Results that the list accounts for. */
  known: number;
  findings: BaselineFinding[];
  /** Ids of results that fail, are not listed, and that the vectors of the list did not have; absent if the vectors are the same. */
  newVectors?: string[];
  /** The command that makes the list fit. */
  repair?: string;
}

/** The one value that every report format renders. */
export interface Report {
  $schema: string;
  tool: { name: "touchstone"; version: string };
  /** RFC 3339, when the run started. */
  started: string;
  durationMs: number;
  /** Whether every selected vector has its outcome. */
  complete: boolean;
  command: string;
  /** Absent if options cannot name the target. */
  options?: ReportOptions;
  counts: Counts;
  /** The lowest level of a breach that fails the run; absent: must. */
  failOn?: FailOn;
  /** Result of holding the run against a baseline. */
  baseline?: BaselineReport;
  exitCode: number;
  runs: Run[];
}

export function noCounts(): Counts {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Counts;
}

export function count(results: readonly { outcome: Outcome }[]): Counts {
  const counts = noCounts();
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

export function sum(all: readonly Counts[]): Counts {
  const total = noCounts();
  for (const counts of all) for (const outcome of outcomes) total[outcome] += counts[outcome];
  return total;
}
