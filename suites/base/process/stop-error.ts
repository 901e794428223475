import { constants } from "node:os";

/** Thrown when a signal ended the child process that did the work; its unwritten results are lost. */
export class StoppedError extends Error {
  /** The exit code that a shell gives to a process ended by this signal. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}: unwritten parts are unchanged; the same command starts over`);
    this.exitCode = 128 + constants.signals[signal];
  }
}
