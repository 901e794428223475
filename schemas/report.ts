import type { Cause } from "./cause.ts";
import type { FailOn } from "./fail-on.ts";
import type { Json } from "./json.ts";
import type { ReportOptions } from "./report-options.ts";
import type { Level } from "./rule.ts";
import type { Change, Verdict } from "./vector.ts";
import type { Reason } from "./wire.ts";

/** The possible judgements of one vector. */
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

/** The answer of a target. Header values with secrets are already redacted. */
export interface Answer {
  verdict: "accepted" | "rejected";
  /** The reasons of a refusal, or remarks on an accepted instance. */
  reasons: Reason[];
  /** For a refusal without a code in a protocol with codes: the place of the code in the body, as a JSON Pointer. */
  codeless?: string;
  exchange?: HttpExchange;
}

/** One HTTP exchange, with bodies cut to a bounded length. */
export interface HttpExchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string };
  response?: { status: number; headers: Record<string, string>; body: string };
  /** Set if the implementation sent the request and the suite answered, as at a callback. */
  incoming?: true;
  /** The agent with the credentials of the request, or `nobody`; absent if it has no credentials. */
  as?: string;
  /** The exchange that shows the finding. */
  decisive?: true;
}

/** A message from one party of a scenario to another, as text of a bounded length; or an event of the connection, such as "(closes the stream)". */
export interface Sent {
  from: string;
  to: string;
  text: string;
  /** Set if the message shows the finding, alone or together with others. */
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
  /** Set if the baseline lists this outcome as failing always or sometimes, so that it does not fail the run. */
  known?: Known;
  /** The reason in a sentence; always present unless the outcome is `conforms`. */
  why?: string;
  /** The reason as facts, which all decisions use; present whenever `why` is. */
  cause?: Cause;
  /** For a disputed vector: the validators that refuse it, and the assertion at which they do. Others accept it. */
  difference?: { by: string[]; site: string };
  /** For a disputed vector: the readings that would decide it. */
  decidedBy?: string[];
  /** A rule that was violated before; this result may only be a consequence. */
  follows?: string;
  /** For `errored` and `timed-out`: the stage, such as `connect` or `answer`. */
  stage?: string;
  /** Milliseconds that a scenario took, only on the first of its results. */
  durationMs?: number;
  answer?: Answer;
  /** For a scenario that does not conform: the last exchanges before the finding, in order. An earlier exchange that shows it comes first. */
  exchanges?: HttpExchange[];
  /** Like `exchanges`, for messages over transports other than HTTP requests and answers. */
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

/** How often an implementation disappeared although no message caused it, and the last reason. Unanswered messages were sent again. */
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
  /** Digest of the vectors that could be run, before filters. */
  set: { digest: string; count: number; changed?: ChangedFiles };
  filter: { only: string[]; skip: string[] };
  /** The chosen readings of contradictory specifications. */
  readings?: string[];
  /** The part of the selection that was run, if it was split. */
  shard?: Shard;
  /** The most seconds that scenarios waited, by reason; left out without scenarios. */
  bounds?: Record<string, number>;
  /** In a report that is merged from several: the start (RFC 3339), the command that repeats the run, and its options. */
  started?: string;
  command?: string;
  options?: ReportOptions;
  counts: Counts;
  results: Result[];
  /** The only difference between refused and accepted valid messages, by document; left out if there is none. */
  inCommon?: InCommon[];
  /** Rules about answers that are still untested; left out if there are none. */
  untested?: UntestedRule[];
  /** Losses of the implementation that no message caused, after which it was restarted; left out if there are none. */
  lost?: Lost;
  /** The reason why the whole run could not be carried out. */
  failure?: RunFailure;
}

export interface RunFailure {
  stage: string;
  message: string;
  /** The part of the message that is the same for all answers; absent if that is the whole message. */
  brief?: string;
}

/** A rule for which requests were sent, but the answers proved nothing. */
export interface UntestedRule {
  rule: string;
  why: string;
}

/** Features that all refused valid messages of a document have and no accepted message, or the reverse. */
export interface InCommon {
  document: string;
  /** Numbers of valid messages that were refused, and accepted. */
  refused: number;
  accepted: number;
  /** The messages that have the features. */
  by: "refused" | "accepted";
  /** Pointers, with `*` for any item of a list, each with the value there (absent: any value). */
  have: { at: string; value?: Json }[];
}

/** The entry of a baseline for a result: it fails always, or only sometimes. */
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

/** The result of comparing a run with a baseline. */
export interface BaselineReport {
  file: string;
  /** Results that the list accounts for. */
  known: number;
  findings: BaselineFinding[];
  /** Ids of failing results that are not listed because their vectors are newer than the list; absent if the vectors are the same. */
  newVectors?: string[];
  /** The command that updates the list. */
  repair?: string;
}

/** The data that every report format renders. */
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
  /** The result of comparing the run with a baseline. */
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

export function sum(countsList: readonly Counts[]): Counts {
  const total = noCounts();
  for (const counts of countsList) for (const outcome of outcomes) total[outcome] += counts[outcome];
  return total;
}
