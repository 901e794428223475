import type { Json } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import type { Model } from "../model/model.ts";
import { hasFormats } from "./doubts.ts";
import { isValid } from "./evaluate.ts";

/**
 * Whether the verdict on an instance depends on which formats are asserted. JSON Schema 2020-12 (Validation, 7.2.1) allows an implementation to
 * assert all, none or some. The check ignores, in turn, all violated formats together, each of them alone, and all but each of them.
 */
export function dependsOnFormats(model: Model, instance: Json): boolean {
  return hasFormats(model) && decisiveFormats(model, instance, true).length > 0;
}

/** Lists the formats on which the verdict on an instance depends: each that decides it alone, or else all violated ones if they decide it together. */
export function decidingFormats(model: Model, instance: Json): string[] {
  return hasFormats(model) ? decisiveFormats(model, instance, false) : [];
}

/** Lists the deciding formats; with `isAny`, at most one unless they decide together. */
function decisiveFormats(model: Model, instance: Json, isAny: boolean): string[] {
  const { effort: _, ...unlimited } = model;
  const violated = new Set<string>();
  const verdictIgnoring = (ignoresFormat: (format: string) => boolean): boolean =>
    isValid(unlimited, instance, {
      ignoresFormat,
      observe: (keyword, _at, value) => {
        if (keyword.kind === "format" && typeof value === "string" && formatHolds(keyword.format, value) !== true)
          violated.add(keyword.format);
      },
    });
  const asserted = verdictIgnoring(() => false);
  const isTogether = verdictIgnoring(() => true) !== asserted;
  if (isTogether && isAny) return [...violated];
  const isDecisive = (format: string): boolean =>
    isValid(unlimited, instance, { ignoresFormat: (each) => each === format }) !== asserted ||
    isValid(unlimited, instance, { ignoresFormat: (each) => each !== format }) !== asserted;
  const decisive = isAny ? [...violated].filter(isDecisive).slice(0, 1) : [...violated].filter(isDecisive);
  return decisive.length > 0 || !isTogether ? decisive.sort() : [...violated].sort();
}
