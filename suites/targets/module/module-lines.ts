import { type Cause, isObject, type Reason, TargetFailure, unavailableOf } from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import type { Listener } from "../connection/worker.ts";
import { reasonsFrom } from "../reasons.ts";
import type { AboutModule } from "./import.ts";

/** Parses a line from the process, which any code within the module may have written. */
export function parseModuleLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the self-description of a module; undefined for any other value. */
export function aboutFrom(ready: unknown): AboutModule | undefined {
  if (!isObject(ready) || typeof ready.text !== "boolean") return undefined;
  const { name, claims, text, documents, isGathered, isShape } = ready;
  const hasDocumentNames = Array.isArray(documents) && documents.every((document) => typeof document === "string");
  if (documents !== undefined && !hasDocumentNames) return undefined;
  return {
    text,
    ...(typeof name === "string" ? { name: quote(name) } : {}),
    ...(claims === undefined ? {} : { claims }),
    ...(hasDocumentNames ? { documents: documents as string[] } : {}),
    ...(isGathered === true ? { isGathered } : {}),
    ...(isShape === true ? { isShape } : {}),
  };
}

/** Creates the cause of a failure from an error that a function threw. */
export function causeOfThrow(reason: string): { because: Cause } {
  return { because: { kind: "threw", reason } };
}

/** Parses `[seq, answer]`; undefined for any other value. */
export function readObservation(
  value: unknown,
): [seq: number, observation: Parameters<Listener["answered"]>[1]] | undefined {
  if (!Array.isArray(value) || typeof value[0] !== "number" || !isObject(value[1])) return undefined;
  const { valid, reasons, stage, message, threw } = value[1];
  if (typeof valid === "boolean")
    return [value[0], { verdict: valid ? "accepted" : "rejected", reasons: reasonsFrom(reasons) as Reason[] }];
  if (typeof stage !== "string" || typeof message !== "string") return undefined;
  const because = typeof threw === "string" ? causeOfThrow(quote(threw, 1000)) : {};
  return [value[0], unavailableOf(new TargetFailure("errored", quote(stage), quote(message, 1000), because))];
}
