import type { Json } from "../../../schemas/index.ts";
import type { AboutModule } from "./import.ts";
import type { ModuleSaid } from "./judges.ts";

/** File descriptors of the module's process: its questions, its answers, and observations from outside. */
export const channelNumbers = { asked: 3, said: 4, seen: 5 } as const;

/** Bytes of its memory, of all kinds; and the part of it that is the engine's heap, in MiB. */
export const maxMemory: number = 2 * 2 ** 30;
export const maxHeap = 1024;

/** The first message to the process. */
export interface ModuleTask {
  file: string;
  protocol: string;
  version: string;
  schemas: readonly unknown[];
}

/** Bytes travel in base64. */
export type ModuleInstance = { data: Json } | { bytes: string };

/** Number, document, schema, the instance or its text, and whether that is YAML. */
export type AskedQuestion = [seq: number, document: string, schema: string, instance: ModuleInstance, yaml?: true];

/** Lines of the process: the first when it has imported the module, then answers, and last why it falls. */
export type FromModule = { ready: AboutModule } | { said: [number, ModuleSaid][] } | { dying: string };

/** Lines of the watcher. */
export type FromWatcher = { busy: number } | { memory: number };
