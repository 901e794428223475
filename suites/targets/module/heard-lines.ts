import { type Cause, isObject, type Reason, TargetFailure, unavailableOf } from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import type { Listener } from "../connection/worker.ts";
import { reasonsFrom } from "../reasons.ts";
import type { AboutModule } from "./import.ts";

/** Parses a line from the process, which any code within the module may have written. */
export function parseHeardLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The self-description of a module; undefined for any other line. */
export function aboutFrom(ready: unknown): AboutModule | undefined {
  if (!isObject(ready) || typeof ready.text !== "boolean") return undefined;
  const { name, claims, text, documents, isGathered, isShape } = ready;
  const isListed = Array.isArray(documents) && documents.every((document) => typeof document === "string");
  if (documents !== undefined && !isListed) return undefined;
  return {
    text,
    ...(typeof name === "string" ? { name: quote(name) } : {}),
    ...(claims === undefined ? {} : { claims }),
    ...(isListed ? { documents: documents as string[] } : {}),
    ...(isGathered === true ? { isGathered } : {}),
    ...(isShape === true ? { isShape } : {}),
  };
}

/** The cause of a failure if a function threw. */
export function causeOfThrow(reason: string): { because: Cause } {
  return { because: { kind: "threw", reason } };
}

/** One answer with its number; undefined for anything else. */
export function readObservation(each: unknown): [seq: number, said: Parameters<Listener["answered"]>[1]] | undefined {
  if (!Array.isArray(each) || typeof each[0] !== "number" || !isObject(each[1])) return undefined;
  const { valid, reasons, stage, message, threw } = each[1];
  if (typeof valid === "boolean")
    return [each[0], { verdict: valid ? "accepted" : "rejected", reasons: reasonsFrom(reasons) as Reason[] }];
  if (typeof stage !== "string" || typeof message !== "string") return undefined;
  const because = typeof threw === "string" ? causeOfThrow(quote(threw, 1000)) : {};
  return [each[0], unavailableOf(new TargetFailure("errored", quote(stage), quote(message, 1000), because))];
}
