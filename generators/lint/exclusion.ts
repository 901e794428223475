import { asDoubles, type JsonObject } from "../../schemas/index.ts";
import { places } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt, sites } from "../evaluate/sites.ts";
import type { Location, Model } from "../model/model.ts";
import { mentions } from "../oracle/mentions.ts";
import { type Solution, solve } from "../solve/solve.ts";
import { findBackwardReferences, withoutRecursion } from "./recursion.ts";
import { joinNames, relativeName } from "./relative-names.ts";

/** Qualifies a reason: if the schemas contain numbers that are not doubles, a proof covers only numbers that are doubles. */
export function qualifyProof(schemas: readonly JsonObject[], why: string): string {
  if (!mentions(schemas, asDoubles)) return why;
  return why.replaceAll("(proven)", "(proven for numbers that doubles are)");
}

/** Explains why no value fulfils a schema, with the assertions that exclude each other. Undefined if this is not proven. */
export function explainContradiction(model: Model, at: Location = model.root): string | undefined {
  const rooted = { ...model, root: at };
  if (!isUnsatisfiable(rooted)) return undefined;
  const { kept, rest } = findExcludingAssertions(rooted);
  const names = kept.map((assertion) => relativeName(assertion, at));
  const endless = findEndlessReferences(rest).map((endlessReference) => relativeName(endlessReference, at));
  if (endless.length > 0) {
    const cause = names.length === 0 ? "" : `with ${joinNames(names)}, `;
    const leads = endless.length === 1 ? "leads" : "lead";
    return `: ${cause}${joinNames(endless)} ${leads} back to a schema around it again and again, and no value is endless (proven)`;
  }
  if (names.length === 0) return "";
  if (isPlainFalse(rooted)) return ": it is `false`, or says the same (proven)";
  return `: ${joinNames(names)} ${names.length === 1 ? "refuses every value" : "exclude each other"} (proven)`;
}

/** Finds references that alone make a schema unsatisfiable: each value would contain a further one like it, without end. */
function findEndlessReferences(model: Model): Location[] {
  const backReferences = findBackwardReferences(model);
  const areCause = (references: readonly Location[]): boolean => isSatisfiable(withoutRecursion(model, references));
  if (backReferences.length === 0 || !areCause(backReferences)) return [];
  const singleReference = backReferences.slice(0, 20).find((each) => areCause([each]));
  return singleReference === undefined ? backReferences.slice(0, 3) : [singleReference];
}

/** Whether the schema is `false`, or an equivalent `not`. */
function isPlainFalse({ nodes, root }: Model): boolean {
  const keywords = nodes.get(root)?.keywords ?? [];
  const [keyword] = keywords;
  if (keywords.length !== 1 || keyword?.kind !== "not") return false;
  const refused = nodes.get(keyword.node);
  return refused?.always !== false && refused?.keywords.length === 0;
}

/**
 * Finds a set of assertions that is sufficient to make a schema unsatisfiable. A type is not reported if another assertion of its schema is, because that
 * one concerns only values of the type.
 */
function findExcludingAssertions(model: Model): { kept: Location[]; rest: Model } {
  const { kept: allKept, rest: narrowed } = narrowModel(model, removableSites(model));
  const [otherAssertions, typeAssertions] = [false, true].map((isType) =>
    allKept.filter((each) => (keywordAt(model, each)?.kind === "type") === isType),
  ) as [Location[], Location[]];
  const nodes = new Set(otherAssertions.map((each) => keywordAt(model, each)?.node));
  const needed = typeAssertions.filter((type) => !nodes.has(keywordAt(model, type)?.node));
  const reported = allKept.filter((each) => otherAssertions.includes(each) || needed.includes(each));
  return { kept: reported.length > 1 ? reported : allKept, rest: narrowed };
}

/** Lists assertions that can be removed without excluding further values. Those below a keyword that counts matches are not among them. */
function removableSites(model: Model): Location[] {
  const countingKeywords = new Set(["oneOf", "contains"]);
  const countedNodes = new Set(
    places(model).flatMap(({ node, steps }) => (steps.some(({ kind }) => countingKeywords.has(kind)) ? [node] : [])),
  );
  return sites(model).flatMap(({ location }) =>
    countedNodes.has(keywordAt(model, location)?.node ?? location) ? [] : [location],
  );
}

/** Removes as many assertions as possible, by bisection from the end. Those near the root explain more, and removing an entry moves only later ones. */
function narrowModel(model: Model, removable: readonly Location[]): { rest: Model; kept: Location[] } {
  const reduced = removable.reduceRight((rest, each) => withoutSite(rest, each)?.model ?? rest, model);
  if (isUnsatisfiable(reduced)) return { rest: reduced, kept: [] };
  if (removable.length < 2) return { rest: model, kept: [...removable] };
  const middle = removable.length >> 1;
  const laterHalf = narrowModel(model, removable.slice(middle));
  const earlierHalf = narrowModel(laterHalf.rest, removable.slice(0, middle));
  return { rest: earlierHalf.rest, kept: [...earlierHalf.kept, ...laterHalf.kept] };
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
