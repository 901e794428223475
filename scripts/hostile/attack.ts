/** A fault of a target, of its output or of the machine, with the required result of the run. */
export interface Attack {
  name: string;
  /** The attacker: the source of a module, a command, the answers of a server, or a variant of the reference. */
  by: { module: string } | { command: string } | { server: AttackAnswers } | { reference: string };
  /** The vectors to run against the target: one, or all; by default a few. */
  vectors?: "one" | "all";
  /** Additional command-line options. */
  options?: readonly string[];
  /** The file for standard output, such as `/dev/full`. */
  output?: string;
  /** A signal to send after the module has called `working()`. */
  signal?: NodeJS.Signals;
  expected: ExpectedEnd;
  /** Whether it needs too much time or memory for CI. */
  isLarge?: true;
}

export interface ExpectedEnd {
  /** The allowed exit codes; undefined for an end by a signal. */
  codes: readonly (number | undefined)[];
  /** At least one of these outcomes must occur. */
  outcomes?: readonly string[];
  /** The maximum seconds, on an idle machine. */
  within: number;
  /** The maximum bytes of memory for Touchstone, without its children. */
  memory?: number;
  /** Whether no report is possible, because the process was killed. */
  hasNoReport?: true;
}

/** The reaction of a server to a request. `turn` is the number of the request, counted from 1. */
export type AttackAnswers = (
  request: import("node:http").IncomingMessage,
  response: import("node:http").ServerResponse,
  turn: number,
) => void;
