import type { EvaluationPlace } from "../evaluate/places.ts";
import { keywordAt, siteAt, sitesOf } from "../evaluate/sites.ts";
import type { Formula } from "../formulas/formula.ts";
import { type Keyword, type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import { solve } from "../solve/solve.ts";
import { findImplying } from "./implied-keywords.ts";
import { relativeName } from "./relative-names.ts";
import { refusesNothing } from "./unbreakable.ts";

const [one, other]: readonly Location[] = ["one:", "other:"];
const choosingKeywords: ReadonlySet<Keyword["kind"]> = new Set(["oneOf", "anyOf", "if", "dependentSchemas"] as const);

/**
 * For an assertion that is proven to have no isolating instance: the assertions that are broken with it, in words. If none at the same value always is,
 * the words name one of those or of `others` whose removal lets some instance isolate it.
 */
export function describeCompanions(
  model: Model,
  at: Location,
  allPlaces: readonly EvaluationPlace[],
  others?: readonly Location[],
): string | undefined {
  if (refusesNothing(model, at)) return "no value breaks it";
  const companion = nearbyNodes(model, at, allPlaces).find((each) => alwaysBreaksToo(model, at, each));
  if (companion !== undefined) return `whatever does also breaks ${relativeName(companion, at)}`;
  const [companionElsewhere] = others === undefined ? [] : findImplying(model, at, allPlaces, others);
  return companionElsewhere === undefined
    ? undefined
    : `whatever does also breaks others, such as ${relativeName(companionElsewhere, at)}`;
}

/** Other assertions about the same value that hold whenever this one must hold. */
function nearbyNodes(model: Model, at: Location, allPlaces: readonly EvaluationPlace[]): Location[] {
  const ownNode = keywordAt(model, at)?.node;
  const own = allPlaces.filter(({ node }) => node === ownNode);
  const holds = (place: EvaluationPlace): boolean => own.every((evaluationPlace) => holdsWith(place, evaluationPlace));
  const nodes = [...new Set(allPlaces.filter(holds).map(({ node }) => node))];
  // An assertion in the same schema is the shortest reason.
  const near = nodes.sort((a, b) => Number(b === ownNode) - Number(a === ownNode));
  return near.flatMap((node) =>
    nodeAt(model, node)
      .keywords.flatMap((keyword) => sitesOf(keyword, model).map(({ location }) => location))
      .filter((each) => each !== at),
  );
}

/** Whether a part at one place is the value at the other, and must hold if that one does. */
function holdsWith(place: EvaluationPlace, where: EvaluationPlace): boolean {
  const firstDifference = place.steps.findIndex(
    ({ site, key }, index) => where.steps[index]?.site !== site || where.steps[index]?.key !== key,
  );
  const common = firstDifference < 0 ? place.steps.length : firstDifference;
  const [mine, theirs] = [place, where].map(({ at }) => at.join("/"));
  // Two `*` at different branches need not mean the same item or member.
  const isSame =
    mine === theirs && (common === where.steps.length || common === place.steps.length || !mine?.includes("*"));
  return isSame && !place.steps.slice(common).some(({ kind }) => choosingKeywords.has(kind));
}

/** Whether it is proven that every violation of one assertion violates the other. */
function alwaysBreaksToo(model: Model, at: Location, also: Location): boolean {
  const [first, second] = [nodeWithOnly(model, at, one as Location), nodeWithOnly(model, also, other as Location)];
  if (first === undefined || second === undefined) return false;
  const nodes = new Map(model.nodes).set(first.location, first).set(second.location, second);
  const schema = (node: Location, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  const asked = [schema(first.location, false), schema(second.location, true)];
  return "none" in solve({ ...model, nodes }, asked, { budget: 5000 });
}

/** The schema of an assertion without its other assertions. */
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
