import { constants } from "node:os";

/** A signal ended what was done in another process, of which none is left. */
export class Stopped extends Error {
  /** As a shell has it of a process that the signal itself ended. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}: what was not written yet is as it was, and the same command again does all of it`);
    this.exitCode = 128 + constants.signals[signal];
  }
}
