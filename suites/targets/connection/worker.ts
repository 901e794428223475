import type { Observation } from "../../../schemas/index.ts";

/** One life of a thread or process that answers questions. */
export interface Worker<Asked> {
  ask(seq: number, question: Asked): void;
  /** The question that it is working on, if it reports that. */
  busy?(): number | undefined;
  /** Lets it end by itself, and kills it if it does not. */
  stop(): Promise<void>;
  /** Kills it immediately. */
  kill(): void;
}

/** Receives the messages of a worker for the connection. */
export interface Listener {
  /** False if no such question is open. */
  answered(seq: number, observation: Observation): boolean;
  /** The worker died, or its output cannot be understood any more. `code` is the exit code of a process that ended by itself. */
  lost(stage: string, why: string, code?: number): void;
}

export type Start<Asked> = (listener: Listener, signal: AbortSignal) => Promise<Worker<Asked>>;
