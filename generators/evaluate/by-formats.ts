import type { Json } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import type { Model } from "../model/model.ts";
import { hasFormats } from "./doubtful.ts";
import { isValid } from "./evaluate.ts";

/**
 * Whether the verdict on an instance depends on which formats are asserted: JSON Schema 2020-12 (Validation, 7.2.1) lets an implementation
 * assert all of them, none, or some. Of those that a text in it misses, all are ignored, one, or all but one.
 */
export function isByFormats(model: Model, instance: Json): boolean {
  if (!hasFormats(model)) return false;
  const { effort: _, ...free } = model;
  const missed = new Set<string>();
  const verdict = (ignoresFormat: (format: string) => boolean): boolean =>
    isValid(free, instance, {
      ignoresFormat,
      observe: (keyword, _at, value) => {
        if (keyword.kind === "format" && typeof value === "string" && formatHolds(keyword.format, value) !== true)
          missed.add(keyword.format);
      },
    });
  const asserted = verdict(() => false);
  if (verdict(() => true) !== asserted) return true;
  return [...missed].some(
    (format) =>
      isValid(free, instance, { ignoresFormat: (each) => each === format }) !== asserted ||
      isValid(free, instance, { ignoresFormat: (each) => each !== format }) !== asserted,
  );
}
