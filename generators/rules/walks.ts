import fc from "fast-check";
import type { JsonObject } from "../../schemas/index.ts";
import { namesOf, type SessionModel, walk } from "./trace.ts";

/** Valid recordings: walks along a model's steps. They shrink to shorter ones that are valid as well. */
export function walksOf<State>(model: SessionModel<State>, most = 40): fc.Arbitrary<JsonObject[]> {
  const choices = fc.array(fc.noBias(fc.nat({ max: 9999 })), { maxLength: most, size: "max" });
  return choices.map((numbers) => walk(model, namesOf(model, numbers)));
}
