/** An attack by a target, by its words, or by the machine, and the required result all the same. */
export interface Attack {
  name: string;
  /** A module's source, a server's answers, a command, or files written before the run. */
  by: { module: string } | { command: string } | { server: AttackAnswers } | { reference: string };
  /** How many vectors run against the target: one, a few (absent), or all. */
  vectors?: "one" | "all";
  /** More of the command line. */
  options?: readonly string[];
  /** The target of standard output, such as `/dev/full`. */
  output?: string;
  /** A signal that is sent when the module has called `working()`. */
  signal?: NodeJS.Signals;
  expected: ExpectedEnd;
  /** Needs much time or memory: not in CI. */
  isLarge?: true;
}

export interface ExpectedEnd {
  /** Exit codes that are right; undefined for an end by a signal. */
  codes: readonly (number | undefined)[];
  /** Outcomes of which at least one must occur. */
  outcomes?: readonly string[];
  /** Seconds, on an idle machine. */
  within: number;
  /** Bytes of memory that we may need, without our children's. */
  memory?: number;
  /** No report is to be had: the disk is full, or the process was killed. */
  hasNoReport?: true;
}

/** The reaction of a server to a request; `turn` counts them from 1. */
export type AttackAnswers = (
  request: import("node:http").IncomingMessage,
  response: import("node:http").ServerResponse,
  turn: number,
) => void;
