import { type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import type { Model } from "../model/model.ts";
import { lengthOf } from "../regex/code-points.ts";
import { openShape } from "../solve/shape.ts";
import { type Random, randomFrom } from "./random.ts";
import { stringsFor } from "./string.ts";

/** A request for a string that replaces one in a message. */
export interface WantedText {
  /** JSON Pointer to the replaced string. */
  at: string;
  /** The first value to try. */
  value: Json;
  /** The beginning of a drawn string. */
  prefix: string;
  /** The seed of the drawn strings. */
  seed: number;
  /** Whether only `value` may be used. */
  fixed: boolean;
}

/** A new value and the places that get it: the requested one, and places that must be equal to it. */
export interface RenewedText {
  value: Json;
  places: readonly string[];
}

const attempts = 24;
/** Strings drawn in one attempt. Only the longest is tried, because short strings soon repeat. */
const perAttempt = 4;

/**
 * Returns a function that finds a new value for one place of a message, without adding or repairing a fault. It tries the requested value, then strings
 * drawn from the schema of that place. If a rule compares the string with equal ones in the message, they get the new value too. It returns undefined if
 * no value is found. `breaches` returns the semantic rules that a message breaks.
 */
export function fresherFor(
  model: Model,
  breaches: (message: Json) => readonly string[] = () => [],
): (message: Json, wanted: WantedText) => RenewedText | undefined {
  const drawers = new Map<string, ((random: Random) => string | undefined) | undefined>();
  return (message, { at, value, prefix, seed, fixed }) => {
    const { failed, shape, key } = constraintsAt(model, message, at, prefix);
    const brokenRules = JSON.stringify(breaches(message));
    const equalPlaces = [at, ...placesOf(pointer.at(at, message), message).filter((place) => place !== at)];
    const accepts = (text: Json, places: readonly string[]): boolean => {
      const changed = applyChanges(
        message,
        places.map((path) => ({ op: "replace", path, value: text })),
      );
      return (
        changed !== undefined &&
        constraintsAt(model, changed, at, prefix).failed === failed &&
        JSON.stringify(breaches(changed)) === brokenRules
      );
    };
    const renewValue = (text: Json): RenewedText | undefined => {
      const places = [[at], ...(equalPlaces.length > 1 ? [equalPlaces] : [])].find((candidates) =>
        accepts(text, candidates),
      );
      return places === undefined ? undefined : { value: text, places };
    };
    const requested = renewValue(value);
    if (requested !== undefined || fixed) return requested;
    if (!drawers.has(key)) drawers.set(key, stringsFor(shape));
    const draw = drawers.get(key);
    const random = randomFrom(seed);
    for (let attempt = 0; draw !== undefined && attempt < attempts; attempt += 1) {
      const candidates = Array.from({ length: perAttempt }, () => draw(random)).filter((text) => text !== undefined);
      const [longest] = candidates.sort((a, b) => lengthOf(b) - lengthOf(a));
      const renewed = longest === undefined ? undefined : renewValue(longest);
      if (renewed !== undefined) return renewed;
    }
    return undefined;
  };
}

/** Lists the places of a string in a message. The message may be nested deeper than the call stack allows. */
function placesOf(text: Json | undefined, message: Json): string[] {
  if (typeof text !== "string" || text === "") return [];
  const stack: [string, Json][] = [["", message]];
  const paths: string[] = [];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [at, value] = next;
    if (value === text) paths.push(at);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, part] of Object.entries(value)) stack.push([pointer.append(at, key), part]);
  }
  return paths.sort();
}

/** Returns the failing assertions of a message, and the schema's constraints on the string at one place. */
function constraintsAt(
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
