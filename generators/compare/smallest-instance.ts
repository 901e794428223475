import { type Json, pointer } from "../../schemas/index.ts";
import { shrinkOnce } from "../arbitrary/smaller-values.ts";
import { applyChanges } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type Formula, trueFormula } from "../formulas/formula.ts";
import type { Model } from "../model/model.ts";
import { solve } from "../solve/solve.ts";
import type { Pair } from "./pairs.ts";

const budget = 30_000;

/** Finds a valid message of a model with a value at the location of a pair; undefined if none is found. */
export function messageWith(model: Model, pair: Pair, value: Json, samples: readonly Json[]): Json | undefined {
  const isValue: Formula = { op: "in", values: [value] };
  for (const hint of [...samples.slice(0, 3), undefined]) {
    const message = findMessage(model, pair, isValue, hint);
    if (message !== undefined) return message;
  }
  // As a fallback, the value replaces another one in a message that was found without it.
  const anyMessage = findMessage(model, pair, trueFormula, undefined);
  const path = anyMessage === undefined ? undefined : pathIn(anyMessage, pair.at);
  const changedMessage =
    path === undefined ? undefined : applyChanges(anyMessage as Json, [{ op: "replace", path, value }]);
  return changedMessage !== undefined && isValid(model, changedMessage) ? changedMessage : undefined;
}

function findMessage(
  model: Model,
  { steps, at }: Pair,
  formulaAtEnd: Formula,
  hint: Json | undefined,
): Json | undefined {
  const focus = { steps, end: { also: formulaAtEnd } };
  const formula: Formula = { op: "schema", node: model.root, sign: true, scope: {}, focus };
  const solution = solve(model, [formula], { depth: at.length, budget, ...(hint === undefined ? {} : { hint }) });
  return "found" in solution ? solution.found : undefined;
}

/** Finds the path in a message along these segments; `*` leads to the first item or member. */
function pathIn(message: Json, segments: readonly string[]): string | undefined {
  let at = "";
  for (const segment of segments) {
    const value = pointer.at(at, message);
    if (typeof value !== "object" || value === null) return undefined;
    const name = segment === "*" ? Object.keys(value)[0] : segment;
    if (name === undefined) return undefined;
    at = pointer.append(at, name);
  }
  return pointer.has(at, message) ? at : undefined;
}

/** The maximum number of messages that are tried during shrinking. */
const maxTried = 3000;

/** Shrinks a message as long as the condition holds. If the message was made from a sample, its values stay, and parts are only removed. */
export function shrinkInstance(message: Json, isKept: (message: Json) => boolean, keepsValues: boolean): Json {
  let smallest = message;
  let triedCount = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    const size = countParts(smallest);
    for (const { value } of shrinkOnce(smallest)) {
      if (keepsValues && countParts(value) >= size) continue;
      triedCount += 1;
      if (triedCount > maxTried) return smallest;
      if (!isKept(value)) continue;
      smallest = value;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function countParts(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  let sum = 1;
  for (const part of Object.values(value)) sum += countParts(part as Json);
  return sum;
}
