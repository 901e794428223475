import type { Json } from "../../schemas/index.ts";
import { smaller } from "../arbitrary/smaller.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Model } from "../model/model.ts";
import { solve } from "../solve/solve.ts";
import type { Pair } from "./pairs.ts";

const budget = 30_000;

/** A valid message of a model in which a value stands where a pair's old schema is; undefined where none is found. */
export function wholeWith(model: Model, { steps, at }: Pair, value: Json, samples: readonly Json[]): Json | undefined {
  const formula: Formula = {
    op: "schema",
    node: model.root,
    sign: true,
    scope: {},
    focus: { steps, end: { also: { op: "in", values: [value] } } },
  };
  for (const hint of [...samples.slice(0, 3), undefined]) {
    const options = { depth: at.length, budget, ...(hint === undefined ? {} : { hint }) };
    const solution = solve(model, [formula], options);
    if ("found" in solution) return solution.found;
  }
  return undefined;
}

/** Messages that are looked at while one is made smaller. */
const mostLooks = 3000;

/**
 * A message made smaller for as long as it is still such a one. Where it is made from a sample, its values stay as they are, and only parts are taken
 * out.
 */
export function smallest(message: Json, isSuch: (message: Json) => boolean, keepsValues: boolean): Json {
  let least = message;
  let looks = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    const size = partsOf(least);
    for (const { value } of smaller(least)) {
      if (keepsValues && partsOf(value) >= size) continue;
      looks += 1;
      if (looks > mostLooks) return least;
      if (!isSuch(value)) continue;
      least = value;
      isSmaller = true;
      break;
    }
  }
  return least;
}

function partsOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  let sum = 1;
  for (const each of Object.values(value)) sum += partsOf(each as Json);
  return sum;
}
