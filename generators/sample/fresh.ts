import type { Json } from "../../schemas/index.ts";
import { patched } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import type { Model } from "../model/model.ts";
import { lengthOf } from "../regex/code-points.ts";
import { openShape } from "../solve/shape.ts";
import { type Random, randomFrom } from "./random.ts";
import { stringsFor } from "./string.ts";

/** A text that may take the place of one in a message. */
export interface Wanted {
  /** JSON Pointer to it. */
  at: string;
  /** What is tried first. */
  value: Json;
  /** What a drawn text begins with. */
  prefix: string;
  /** Decides what is drawn. */
  seed: number;
  /** Nothing else will do. */
  fixed: boolean;
}

const attempts = 24;
/** The longest of a few is taken: short texts are soon the same. */
const perAttempt = 4;

/**
 * Gives messages another value at one place without another fault, and without repairing one: the value that is wanted, or else a text
 * drawn from what the schema says of that place in that message. Undefined when there is none to be had.
 */
export function fresherFor(model: Model): (message: Json, wanted: Wanted) => Json | undefined {
  const drawers = new Map<string, ((random: Random) => string | undefined) | undefined>();
  return (message, { at, value, prefix, seed, fixed }) => {
    const { failed, shape, key } = seen(model, message, at, prefix);
    const fits = (each: Json): boolean => {
      const changed = patched(message, [{ op: "replace", path: at, value: each }]);
      return changed !== undefined && seen(model, changed, at, prefix).failed === failed;
    };
    if (fits(value)) return value;
    if (fixed) return undefined;
    if (!drawers.has(key)) drawers.set(key, stringsFor(shape));
    const draw = drawers.get(key);
    const random = randomFrom(seed);
    for (let attempt = 0; draw !== undefined && attempt < attempts; attempt += 1) {
      const drawn = Array.from({ length: perAttempt }, () => draw(random)).filter((text) => text !== undefined);
      const [longest] = drawn.sort((a, b) => lengthOf(b) - lengthOf(a));
      if (longest !== undefined && fits(longest)) return longest;
    }
    return undefined;
  };
}

/** What a message breaks, and what the schema says of the text at a place of it. */
function seen(
  model: Model,
  message: Json,
  place: string,
  prefix: string,
): { failed: string; shape: Shape; key: string } {
  const shape = openShape();
  shape.kinds = kinds.string;
  const { string } = shape;
  const failed = new Set<string>();
  if (prefix !== "") string.patterns.push(new RegExp(`^${prefix.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}`, "u"));
  isValid(model, message, {
    observe(keyword, at, _value, holds) {
      if (!holds) failed.add(`${keyword.site} ${at}`);
      else if (at !== place) return;
      else if (keyword.kind === "minLength") string.min = Math.max(string.min, keyword.limit);
      else if (keyword.kind === "maxLength") string.max = Math.min(string.max, keyword.limit);
      else if (keyword.kind === "pattern") string.patterns.push(keyword.regexp);
      else if (keyword.kind === "format") string.formats.push(keyword.format);
    },
  });
  const key = JSON.stringify([string.min, string.max, string.patterns.map(({ source }) => source), string.formats]);
  return { failed: JSON.stringify([...failed].sort()), shape, key };
}
