import { constants } from "node:os";

/** Thrown when a signal ended the work of another process; nothing of that work remains. */
export class Stopped extends Error {
  /** The exit code that a shell gives to a process ended by this signal. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}: unwritten parts are unchanged; the same command starts over`);
    this.exitCode = 128 + constants.signals[signal];
  }
}
