import type { Json } from "../../schemas/index.ts";
import { doubtOf } from "../formats/doubt.ts";
import type { Model } from "../model/model.ts";
import { isValid } from "./evaluate.ts";

const asserting = new WeakMap<Model["nodes"], boolean>();

/**
 * Why some may give an instance the other verdict, and are right: a text in it is of its format by the grammar and not for everyone, and
 * the verdict depends on that. Undefined where none does.
 */
export function doubtIn(model: Model, instance: Json): string | undefined {
  if (!hasFormats(model)) return undefined;
  const { effort: _, ...free } = model;
  const valid = isValid(free, instance);
  if (isValid(free, instance, { withoutDoubt: true }) === valid) return undefined;
  let why: string | undefined;
  isValid(free, instance, {
    observe: (keyword, _at, value) => {
      if (keyword.kind === "format" && typeof value === "string") why ??= doubtOf(keyword.format, value);
    },
  });
  return why;
}

function hasFormats({ nodes }: Model): boolean {
  const before = asserting.get(nodes);
  if (before !== undefined) return before;
  const found = [...nodes.values()].some(({ keywords }) => keywords.some(({ kind }) => kind === "format"));
  asserting.set(nodes, found);
  return found;
}
