/** An attack by a target, by its texts, or by the machine, and the result that is required anyway. */
export interface Attack {
  name: string;
  /** A module's source, a server's answers, a command, or files written before the run. */
  by: { module: string } | { command: string } | { server: AttackAnswers } | { reference: string };
  /** The vectors to run against the target: one, a few (absent), or all. */
  vectors?: "one" | "all";
  /** Additional options of the command line. */
  options?: readonly string[];
  /** The target of standard output, such as `/dev/full`. */
  output?: string;
  /** A signal that is sent after the module has called `working()`. */
  signal?: NodeJS.Signals;
  expected: ExpectedEnd;
  /** Needs much time or memory, so that it is not part of CI. */
  isLarge?: true;
}

export interface ExpectedEnd {
  /** The right exit codes; undefined for an end by a signal. */
  codes: readonly (number | undefined)[];
  /** At least one of these outcomes must occur. */
  outcomes?: readonly string[];
  /** The maximum seconds, on an idle machine. */
  within: number;
  /** The maximum bytes of memory for Touchstone, without its children. */
  memory?: number;
  /** No report is possible: the disk is full, or the process was killed. */
  hasNoReport?: true;
}

/** The reaction of a server to a request; `turn` counts them from 1. */
export type AttackAnswers = (
  request: import("node:http").IncomingMessage,
  response: import("node:http").ServerResponse,
  turn: number,
) => void;
