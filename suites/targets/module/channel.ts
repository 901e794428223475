import { isObject, type Json, type Reason, TargetFailure } from "../../../schemas/index.ts";
import { quote } from "../../text/show.ts";
import type { Listener } from "../connection/worker.ts";
import { reasonsFrom } from "../reasons.ts";
import type { About } from "./import.ts";
import type { Said } from "./judges.ts";

/** File descriptors of the module's process: what it is asked, what it answers, what is seen of it from beside. */
export const channels = { asked: 3, said: 4, seen: 5 } as const;

/** Bytes of its memory, of all kinds; and the part of it that is the engine's heap, in MiB. */
export const mostMemory: number = 2 * 2 ** 30;
export const mostHeap = 1024;

/** What the process is told first. */
export interface Task {
  file: string;
  protocol: string;
  version: string;
  schemas: readonly unknown[];
}

/** Bytes travel in base64. */
export type Instance = { data: Json } | { bytes: string };

/** Number, document, schema, the instance or its text, and whether that is YAML. */
export type Asked = [seq: number, document: string, schema: string, instance: Instance, yaml?: true];

/** Lines of the process: the first when it has imported the module, then answers, and last why it falls. */
export type FromModule = { ready: About } | { said: [number, Said][] } | { dying: string };

/** Lines of the watcher. */
export type FromWatcher = { busy: number } | { memory: number };

/** A line of whoever speaks there, which may be anybody within the module. */
export function heardLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a module says of itself; undefined for what nobody says who speaks for it. */
export function aboutFrom(ready: unknown): About | undefined {
  if (!isObject(ready) || typeof ready.text !== "boolean") return undefined;
  const { name, claims, text, documents } = ready;
  const isListed = Array.isArray(documents) && documents.every((each) => typeof each === "string");
  if (documents !== undefined && !isListed) return undefined;
  return {
    text,
    ...(typeof name === "string" ? { name: quote(name) } : {}),
    ...(claims === undefined ? {} : { claims }),
    ...(isListed ? { documents: documents as string[] } : {}),
  };
}

/** One answer with its number; undefined for anything else. */
export function saidFrom(each: unknown): [seq: number, said: Parameters<Listener["answered"]>[1]] | undefined {
  if (!Array.isArray(each) || typeof each[0] !== "number" || !isObject(each[1])) return undefined;
  const { valid, reasons, stage, message } = each[1];
  if (typeof valid === "boolean")
    return [each[0], { verdict: valid ? "accepted" : "rejected", reasons: reasonsFrom(reasons) as Reason[] }];
  if (typeof stage !== "string" || typeof message !== "string") return undefined;
  return [each[0], new TargetFailure("errored", quote(stage), quote(message, 1000))];
}
