import type { Observation } from "../../../schemas/index.ts";

/** One life of a thread or process that answers questions. */
export interface Worker<Asked> {
  ask(seq: number, question: Asked): void;
  /** The question that it is working on, if it can say. */
  busy?(): number | undefined;
  /** Lets it end by itself, and ends it when it does not. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

/** The messages of a worker to the connection. */
export interface Listener {
  /** False when no such question is open. */
  answered(seq: number, observation: Observation): boolean;
  /** It died, or can no longer be understood. `code` is that of a process which has ended by itself. */
  lost(stage: string, why: string, code?: number): void;
}

export type Start<Asked> = (listener: Listener, signal: AbortSignal) => Promise<Worker<Asked>>;
