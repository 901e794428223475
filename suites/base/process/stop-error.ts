import { constants } from "node:os";

/** A signal ended the work of another process, and none of it remains. */
export class Stopped extends Error {
  /** As a shell has it of a process that the signal itself ended. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}: unwritten parts are as they were, and the same command again does all of it`);
    this.exitCode = 128 + constants.signals[signal];
  }
}
