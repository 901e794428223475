import type { EvaluationPlace } from "../evaluate/places.ts";
import { keywordAt, siteAt, sitesOf } from "../evaluate/sites.ts";
import type { Formula } from "../formulas/formula.ts";
import { type Keyword, type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import { solve } from "../solve/solve.ts";
import { findImplying } from "./implied-keywords.ts";
import { relativeName } from "./relative-names.ts";
import { refusesNothing } from "./unbreakable.ts";

const [firstLocation, secondLocation]: readonly Location[] = ["one:", "other:"];
const choosingKeywords: ReadonlySet<Keyword["kind"]> = new Set(["oneOf", "anyOf", "if", "dependentSchemas"] as const);

/**
 * Describes the assertions that are broken together with one that is proven to have no isolating instance. If no assertion about the same value is
 * always broken too, the description names one that must be removed to isolate it. Such an assertion may also come from `others`.
 */
export function describeCompanions(
  model: Model,
  at: Location,
  allPlaces: readonly EvaluationPlace[],
  others?: readonly Location[],
): string | undefined {
  if (refusesNothing(model, at)) return "no value breaks it";
  const companion = assertionsOfSameValue(model, at, allPlaces).find((each) => alwaysBreaksToo(model, at, each));
  if (companion !== undefined) return `whatever does also breaks ${relativeName(companion, at)}`;
  const [companionElsewhere] = others === undefined ? [] : findImplying(model, at, allPlaces, others);
  return companionElsewhere === undefined
    ? undefined
    : `whatever does also breaks others, such as ${relativeName(companionElsewhere, at)}`;
}

/** Finds other assertions about the same value that must hold whenever this one must hold. */
function assertionsOfSameValue(model: Model, at: Location, allPlaces: readonly EvaluationPlace[]): Location[] {
  const ownNode = keywordAt(model, at)?.node;
  const ownPlaces = allPlaces.filter(({ node }) => node === ownNode);
  const mustHold = (place: EvaluationPlace): boolean =>
    ownPlaces.every((evaluationPlace) => holdsWith(place, evaluationPlace));
  const nodes = [...new Set(allPlaces.filter(mustHold).map(({ node }) => node))];
  // An assertion in the same schema is the shortest reason.
  const sortedNodes = nodes.sort((a, b) => Number(b === ownNode) - Number(a === ownNode));
  return sortedNodes.flatMap((node) =>
    nodeAt(model, node)
      .keywords.flatMap((keyword) => sitesOf(keyword, model).map(({ location }) => location))
      .filter((each) => each !== at),
  );
}

/** Whether a place evaluates the same value as the reference place, and must hold whenever the reference does. */
function holdsWith(place: EvaluationPlace, reference: EvaluationPlace): boolean {
  const firstDifference = place.steps.findIndex(
    ({ site, key }, index) => reference.steps[index]?.site !== site || reference.steps[index]?.key !== key,
  );
  const commonLength = firstDifference < 0 ? place.steps.length : firstDifference;
  const [placePath, referencePath] = [place, reference].map(({ at }) => at.join("/"));
  // Two `*` at different branches need not mean the same item or member.
  const isSameValue =
    placePath === referencePath &&
    (commonLength === reference.steps.length || commonLength === place.steps.length || !placePath?.includes("*"));
  return isSameValue && !place.steps.slice(commonLength).some(({ kind }) => choosingKeywords.has(kind));
}

/** Whether it is proven that every violation of one assertion violates the other. */
function alwaysBreaksToo(model: Model, at: Location, companion: Location): boolean {
  const [first, second] = [
    nodeWithOnly(model, at, firstLocation as Location),
    nodeWithOnly(model, companion, secondLocation as Location),
  ];
  if (first === undefined || second === undefined) return false;
  const nodes = new Map(model.nodes).set(first.location, first).set(second.location, second);
  const schemaFormula = (node: Location, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  const formulas = [schemaFormula(first.location, false), schemaFormula(second.location, true)];
  return "none" in solve({ ...model, nodes }, formulas, { budget: 5000 });
}

/** Reduces the schema of an assertion to this assertion. */
function nodeWithOnly(model: Model, at: Location, location: Location): Node | undefined {
  const step = keywordAt(model, at);
  if (step === undefined) return undefined;
  const node = nodeAt(model, step.node);
  for (const keyword of node.keywords) {
    const site = siteAt(keyword, model, at);
    if (site === undefined) continue;
    const { entry } = site;
    return { ...node, location, keywords: [entry === undefined ? keyword : entryOf(keyword, entry)] };
  }
  return undefined;
}

function entryOf(keyword: Keyword, entry: number): Keyword {
  if (keyword.kind === "contains") return { ...keyword, ...(entry === 0 ? { max: Infinity } : { min: 0 }) };
  return keyword.kind === "required" ? { ...keyword, names: keyword.names.slice(entry, entry + 1) } : keyword;
}
