import type { Json } from "../../../schemas/index.ts";
import type { AboutModule } from "./import.ts";
import type { ModuleResult } from "./judges.ts";

/** The file descriptors of the module's process: for questions, answers, and the watcher's observations. */
export const channelNumbers = { questions: 3, answers: 4, observations: 5 } as const;

/** The limit of the process's total memory, in bytes; and the limit of the engine's heap, which is a part of it, in MiB. */
export const maxMemory: number = 2 * 2 ** 30;
export const maxHeap = 1024;

/** The first message to the process. */
export interface ModuleTask {
  file: string;
  protocol: string;
  version: string;
  schemas: readonly unknown[];
}

/** Bytes are sent in base64. */
export type ModuleInstance = { data: Json } | { bytes: string };

/** The number, document, schema, the instance or its text, and whether that is YAML. */
export type AskedQuestion = [seq: number, document: string, schema: string, instance: ModuleInstance, yaml?: true];

/** Lines of the process: the first when it has imported the module, then answers, and finally the reason for a crash. */
export type FromModule = { ready: AboutModule } | { said: [number, ModuleResult][] } | { dying: string };

/** Lines of the watcher. */
export type FromWatcher = { busy: number } | { memory: number };
