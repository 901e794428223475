import fc from "fast-check";
import type { JsonObject } from "../../schemas/index.ts";
import { namesOf, type SessionModel, walk } from "./trace.ts";

/** Generates valid recordings: walks along a model's steps. They shrink to shorter walks, which are valid too. */
export function walksOf<State>(model: SessionModel<State>, maxSteps = 40): fc.Arbitrary<JsonObject[]> {
  const choices = fc.array(fc.noBias(fc.nat({ max: 9999 })), { maxLength: maxSteps, size: "max" });
  return choices.map((numbers) => walk(model, namesOf(model, numbers)));
}
