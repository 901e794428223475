import type { Json } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Keyword } from "../model/model.ts";
import { solve } from "../solve/solve.ts";
import { contentOf, hasOwnDocument } from "./content.ts";
import type { Drafts, Subject } from "./draft.ts";
import { locateFirst } from "./parent.ts";
import { locate, passesThrough, reach } from "./reach.ts";
import { repair } from "./repair.ts";

/** Adds a valid instance that passes through the place and fulfils the demand there, if the solver finds one. */
export function addAccepted(
  subject: Subject,
  drafts: Drafts,
  {
    place,
    keyword,
    demand,
  }: {
    place: EvaluationPlace;
    keyword: Keyword | undefined;
    demand: { name: string; detail?: string; constraint: Formula; says: string; tags?: string[] };
  },
): void {
  const { model, samples } = subject;
  // A long enum would start a hundred thousand searches, and even a search that ends immediately has a cost.
  if (model.effort?.isSpent) return;
  const placeFormula: Formula = { op: "schema", node: place.node, sign: true, scope: place.scope };
  if ("none" in solve(model, [placeFormula, demand.constraint], { budget: 5000 })) return;
  const solution = reach(model, place, samples, demand.constraint);
  if (!("found" in solution) || !isValid(model, solution.found)) return;
  const at = keyword === undefined ? locateFirst(place, solution.found) : locate(model, place, keyword, solution.found);
  if (at === undefined) return;
  const step = place.steps.at(-1);
  const subjectKey = keyword === undefined ? `${step?.site} ${step?.key ?? ""}` : contentOf(keyword);
  // The presence of a member concerns the schema that declares it.
  const holder = keyword === undefined ? (step?.node ?? place.node) : place.node;
  // A repair might undo a demand on the whole instance.
  const stillPasses = (changed: Json): boolean => passesThrough(model, place, changed);
  const data =
    at === "" ? solution.found : repair(subject, place, { instance: solution.found, kept: at, stays: stillPasses });
  drafts.add({
    data,
    name: [at, demand.name, ...(demand.detail === undefined ? [] : [demand.detail])],
    at,
    says: demand.says,
    tags: demand.tags ?? [],
    place,
    features: [],
    uniqueFeatures: hasOwnDocument(subject, holder) ? [] : [`${subjectKey} ${demand.name} ${demand.detail ?? ""}`],
    ...(keyword === undefined ? {} : { site: keyword.site }),
  });
}
