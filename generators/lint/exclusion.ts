import { asDoubles, type JsonObject } from "../../schemas/index.ts";
import { places } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt, sites } from "../evaluate/sites.ts";
import type { Location, Model } from "../model/model.ts";
import { mentions } from "../oracle/mentions.ts";
import { type Solution, solve } from "../solve/solve.ts";
import { findBackwardReferences, withoutRecursion } from "./recursion.ts";
import { joinNames, relativeName } from "./relative-names.ts";

/** The reason as it holds for the schemas: if doubles represent other numbers, a proof covers only numbers that doubles represent exactly. */
export function qualifyProof(schemas: readonly JsonObject[], why: string): string {
  if (!mentions(schemas, asDoubles)) return why;
  return why.replaceAll("(proven)", "(proven for numbers that doubles are)");
}

/** Why no value fulfils a schema: the assertions that exclude each other, in words. Undefined if this is not proven. */
export function explainContradiction(model: Model, at: Location = model.root): string | undefined {
  const rooted = { ...model, root: at };
  if (!isUnsatisfiable(rooted)) return undefined;
  const { kept, rest } = findExcludingAssertions(rooted);
  const names = kept.map((each) => relativeName(each, at));
  const endless = findEndlessReferences(rest).map((endlessReference) => relativeName(endlessReference, at));
  if (endless.length > 0) {
    const by = names.length === 0 ? "" : `with ${joinNames(names)}, `;
    const leads = endless.length === 1 ? "leads" : "lead";
    return `: ${by}${joinNames(endless)} ${leads} back to a schema around it again and again, and no value is endless (proven)`;
  }
  if (names.length === 0) return "";
  if (isPlainFalse(rooted)) return ": it is `false`, or says the same (proven)";
  return `: ${joinNames(names)} ${names.length === 1 ? "refuses every value" : "exclude each other"} (proven)`;
}

/** References that alone make a schema unsatisfiable: each value would contain another one like it, without end. */
function findEndlessReferences(model: Model): Location[] {
  const back = findBackwardReferences(model);
  const isEnough = (some: readonly Location[]): boolean => isSatisfiable(withoutRecursion(model, some));
  if (back.length === 0 || !isEnough(back)) return [];
  const one = back.slice(0, 20).find((each) => isEnough([each]));
  return one === undefined ? back.slice(0, 3) : [one];
}

/** Whether the schema merely refuses everything, as a file that contains just `false` does. */
function isPlainFalse({ nodes, root }: Model): boolean {
  const keywords = nodes.get(root)?.keywords ?? [];
  const [only] = keywords;
  if (keywords.length !== 1 || only?.kind !== "not") return false;
  const refused = nodes.get(only.node);
  return refused?.always !== false && refused?.keywords.length === 0;
}

/**
 * Assertions that are enough to make a schema unsatisfiable: without all others there is still no valid value. A type is left out if another
 * assertion of its schema is among them, because that one concerns only values of the type.
 */
function findExcludingAssertions(model: Model): { kept: Location[]; rest: Model } {
  const { kept: all, rest: narrow } = narrowModel(model, removableNodes(model));
  const [plain, types] = [false, true].map((isType) =>
    all.filter((each) => (keywordAt(model, each)?.kind === "type") === isType),
  ) as [Location[], Location[]];
  const nodes = new Set(plain.map((each) => keywordAt(model, each)?.node));
  const needed = types.filter((type) => !nodes.has(keywordAt(model, type)?.node));
  const named = all.filter((each) => plain.includes(each) || needed.includes(each));
  return { kept: named.length > 1 ? named : all, rest: narrow };
}

/** Assertions that only refuse: without them a schema accepts no less. Assertions below a keyword that counts matches are not among them. */
function removableNodes(model: Model): Location[] {
  const counting = new Set(["oneOf", "contains"]);
  const counted = new Set(
    places(model).flatMap(({ node, steps }) => (steps.some(({ kind }) => counting.has(kind)) ? [node] : [])),
  );
  return sites(model).flatMap(({ location }) =>
    counted.has(keywordAt(model, location)?.node ?? location) ? [] : [location],
  );
}

/** Removes as many at once as possible, beginning with the last: those nearer to the root say more, and removing an entry moves those after it. */
function narrowModel(model: Model, removable: readonly Location[]): { rest: Model; kept: Location[] } {
  const reduced = removable.reduceRight((rest, each) => withoutSite(rest, each)?.model ?? rest, model);
  if (isUnsatisfiable(reduced)) return { rest: reduced, kept: [] };
  if (removable.length < 2) return { rest: model, kept: [...removable] };
  const middle = removable.length >> 1;
  const far = narrowModel(model, removable.slice(middle));
  const near = narrowModel(far.rest, removable.slice(0, middle));
  return { rest: near.rest, kept: [...near.kept, ...far.kept] };
}

function isUnsatisfiable(model: Model): boolean {
  return "none" in solveModel(model);
}

function isSatisfiable(model: Model): boolean {
  return "found" in solveModel(model);
}

function solveModel(model: Model): Solution {
  return solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }], { budget: 20_000 });
}
