import type { Observation } from "../../../schemas/index.ts";

/** One life of a thread or process that answers questions. */
export interface Worker<Asked> {
  ask(seq: number, question: Asked): void;
  /** The number of the question that the worker is working on, if the worker reports that. */
  busy?(): number | undefined;
  /** Lets the worker end by itself, and kills it if it does not. */
  stop(): Promise<void>;
  /** Kills the worker immediately. */
  kill(): void;
}

/** Receives the messages of a worker for the connection. */
export interface Listener {
  /** The worker answered the question with this number. Returns false if that question is not open. */
  answered(seq: number, observation: Observation): boolean;
  /** The worker died, or its output can no longer be understood. `code` is the exit code of a process that ended by itself. */
  lost(stage: string, why: string, code?: number): void;
}

export type Start<Asked> = (listener: Listener, signal: AbortSignal) => Promise<Worker<Asked>>;
