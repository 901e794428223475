import fc from "fast-check";
import type { JsonObject } from "../../schemas/index.ts";
import { namesOf, type SessionModel, walk } from "./trace.ts";

/** Valid recordings: walks along a model's steps. They shrink to shorter ones that are valid as well. */
export function walksOf<State>(model: SessionModel<State>, most = 40): fc.Arbitrary<JsonObject[]> {
  return fc.array(fc.nat({ max: 359 }), { maxLength: most }).map((choices) => walk(model, namesOf(model, choices)));
}
