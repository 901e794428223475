import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { recursions } from "../evaluate/recursions.ts";
import { childrenOf, handlerOf, subschemasOf } from "../keywords/table.ts";
import { type EvaluationStep, type Keyword, type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import { withKeyword } from "./keyword-change.ts";
import { type Edit, editSchemas, type Mutant, rawAt } from "./mutant.ts";

/** The maximum number of mutants, and of uses of a schema that get every mistake. The other uses only get missing assertions. */
const maxima = { mutants: 1500, completeUses: 2 };

/** The depth below a recursive schema at which a mistake is placed, to find readers that stop earlier. */
const depth = 4;

/** The depths at which only a member is wrong, to find readers that follow the recursion but check no members there. */
const leafDepths: readonly number[] = [2, 3];

/** The keywords that name a schema. A copy must not have them, because names are unique. */
const namingKeywords: ReadonlySet<string> = new Set([
  "$id",
  "id",
  "$schema",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
]);
const definitionKeywords: ReadonlySet<string> = new Set(["$defs", "definitions"]);

/**
 * Makes mutants with a mistake in only one use of a definition, as in code that repeats a definition for each use. The uses of a recursive schema
 * inside itself count as one. Stops early if `isOver` returns true.
 */
export function mutateSingleUses(
  model: Model,
  schemas: readonly JsonObject[],
  mutants: readonly Mutant[],
  isOver: () => boolean = () => false,
): Mutant[] {
  const uses = new Map<Location, EvaluationPlace[]>();
  for (const place of [...places(model), ...places(model, 2).filter(isWithinItself)])
    uses.set(place.node, [...(uses.get(place.node) ?? []), place]);
  const mutantsByNode = new Map<Location, Mutant[]>();
  for (const mutant of mutants) {
    const [{ location }] = mutant.nodes as [Node];
    mutantsByNode.set(location, [...(mutantsByNode.get(location) ?? []), mutant]);
  }
  const oneUseMutants = new Map<string, Mutant>();
  const addMutant = (place: EvaluationPlace, mutant: Mutant) => {
    const oneUseMutant = mutateOneUse(model, schemas, place, mutant);
    if (oneUseMutant === undefined) return;
    const key = `${oneUseMutant.site} ${oneUseMutant.says}`;
    if (!oneUseMutants.has(key)) oneUseMutants.set(key, oneUseMutant);
  };
  for (const place of deepPlaces(model)) {
    const removals = (mutantsByNode.get(place.node) ?? []).filter(isRemoval);
    // In drafts before 2019-09 a reference is not a keyword in the model, so another removal is used.
    const mutant =
      removals.findLast(({ operator }) => operator === "reference-dropped") ??
      removals.find(({ keyword }) => keyword !== "type");
    if (mutant !== undefined) addMutant(place, mutant);
  }
  for (const place of deepLeaves(model)) {
    const mutant = (mutantsByNode.get(place.node) ?? []).find(({ operator }) => operator === "members");
    if (mutant !== undefined) addMutant(place, mutant);
  }
  for (const [location, useSites] of uses) {
    if (useSites.length < 2) continue;
    const outerUseCount = useSites.filter((place) => !isWithinItself(place)).length;
    for (const [index, place] of useSites.entries()) {
      if (isOver()) return [...oneUseMutants.values()];
      for (const mutant of mutantsByNode.get(location) ?? []) {
        const onlyRemovals = outerUseCount < 2 || index >= maxima.completeUses || mutant.isFromElsewhere === true;
        if (onlyRemovals && !isRemoval(mutant)) continue;
        addMutant(place, mutant);
        if (oneUseMutants.size === maxima.mutants) return [...oneUseMutants.values()];
      }
    }
  }
  return [...oneUseMutants.values()];
}

/** Whether the path to a place enters a schema twice. */
function isWithinItself({ steps, node }: EvaluationPlace): boolean {
  return new Set([...steps.map((step) => step.node), node]).size <= steps.length;
}

/** Lists, for each reference from inside a schema to that schema, its place at `depth`, or the place of its target if the reference is not a keyword. */
function deepPlaces(model: Model): EvaluationPlace[] {
  return recursions(model, depth)
    .filter(({ kind }) => kind !== "dynamicRef")
    .map(({ kind, referencePlace, targetPlace }) => (kind === "ref" ? referencePlace : targetPlace));
}

/** Lists, for each recursive schema and each of `leafDepths` below it, the place of the first member that does not lead back to it. */
function deepLeaves(model: Model): EvaluationPlace[] {
  return leafDepths.flatMap((recursionDepth) =>
    recursions(model, recursionDepth).flatMap(({ targetPlace, referencePlace }) => {
      const { keywords, location } = nodeAt(model, targetPlace.node);
      const properties = keywords.find((keyword) => keyword.kind === "properties");
      if (properties?.kind !== "properties") return [];
      const { site, kind, entries } = properties;
      const leaf = entries.find(
        ([, node]) => !referencePlace.steps.some((step) => step.node === node) && node !== referencePlace.node,
      );
      if (leaf === undefined) return [];
      const [key, node] = leaf;
      const step = { node: location, site, kind, key };
      return [{ ...targetPlace, node, steps: [...targetPlace.steps, step], at: [...targetPlace.at, key] }];
    }),
  );
}

/** Whether the mutant removes a keyword, or ignores a reference except for the type. */
function isRemoval({ operator, effect, edits }: Mutant): boolean {
  return (
    operator === "reference-dropped" || (effect === "weaker" && edits.length === 1 && edits[0]?.value === undefined)
  );
}

/** Makes the mutant at only one of the places that lead to the changed schema. Undefined if it cannot be expressed. */
function mutateOneUse(
  model: Model,
  schemas: readonly JsonObject[],
  { steps, node, at }: EvaluationPlace,
  mutant: Mutant,
): Mutant | undefined {
  const path = steps.map((step, index): ReferenceStep => {
    const target = steps[index + 1]?.node ?? node;
    return { ...step, to: target, reference: referenceAt(step, target) };
  });
  const firstReferenceIndex = path.findIndex(({ reference }) => reference !== undefined);
  if (firstReferenceIndex === -1 || steps.some(({ kind }) => kind === "dynamicRef")) return undefined;
  const edits = editsForCopies(model, schemas, path, mutant);
  const nodes = nodesForCopies(model, path.slice(firstReferenceIndex), mutant);
  if (edits === undefined || nodes === undefined) return undefined;
  const place = `${at.length === 0 ? "at the root" : `in \`${at.join(".")}\``} alone`;
  const says = `${mutant.says}, ${place}`;
  return { ...mutant, operator: "one-copy", says, wholeMutant: mutant, edits, nodes };
}

/** A step, its target, and the reference that it follows. */
interface ReferenceStep extends EvaluationStep {
  to: Location;
  reference: Location | undefined;
}

/** In drafts before 2019-09 a schema that is a reference equals its target and is not a step of its own. */
function referenceAt({ kind, site, key, node }: EvaluationStep, target: Location): Location | undefined {
  if (kind === "ref") return site;
  const holderInKeyword = key === undefined ? site : pointer.append(site, String(key));
  const holder = kind === "if" ? `${node}/${key}` : holderInKeyword;
  return holder === target ? undefined : `${holder}/$ref`;
}

/** Returns the schema with the reference, and copies of all schemas from there to the changed one. */
function nodesForCopies(model: Model, path: readonly ReferenceStep[], mutant: Mutant): Node[] | undefined {
  const [changed, ...others] = mutant.nodes as [Node, ...Node[]];
  const copies: Node[] = [];
  for (const [index, { node, site, key, to }] of path.entries()) {
    const original = nodeAt(model, node);
    const location = index === 0 ? node : `copy:${index}:${node}`;
    const keyword = original.keywords.find((keyword) => keyword.site === site);
    const redirected = keyword === undefined ? undefined : redirect(keyword, key, to, `copy:${index + 1}:${to}`);
    if (keyword === undefined || redirected === undefined) return undefined;
    copies.push({ ...withKeyword(original, keyword, redirected), location });
  }
  return [...copies, { ...changed, location: `copy:${path.length}:${changed.location}` }, ...others];
}

/** Changes the target of one key of a keyword. */
function redirect(keyword: Keyword, key: EvaluationStep["key"], from: Location, to: Location): Keyword | undefined {
  const { relocate } = handlerOf(keyword);
  const matchingSubschemas = subschemasOf(keyword, ({ node }) => node).filter(({ node }) => node === from);
  // One keyword may lead to the same schema twice, such as a condition and its consequence.
  if (
    relocate === undefined ||
    childrenOf(keyword).filter((node) => node === from).length !== matchingSubschemas.length
  )
    return undefined;
  // Only the subschema with this key is redirected, not an earlier one at the same location.
  let subschemasToSkip = matchingSubschemas.findIndex((passage) => passage.key === key);
  return relocate(keyword, (location) => (location === from && subschemasToSkip-- === 0 ? to : location));
}

/** Returns edits that add copies of the schemas on the path, make the mistake in the last copy, and redirect references to the copies. */
function editsForCopies(
  model: Model,
  schemas: readonly JsonObject[],
  path: readonly ReferenceStep[],
  { edits }: Mutant,
): Edit[] | undefined {
  let changes = edits;
  const copies: Edit[] = [];
  const first = path.findIndex(({ reference }) => reference !== undefined);
  const copyLocation = (index: number): Location | undefined => {
    const holder = holderOf(model, schemas, (path[index] as ReferenceStep).to);
    return holder === undefined ? undefined : `${holder}/copy-${index}`;
  };
  for (const [index, { reference, to }] of [...path.entries()].reverse()) {
    if (reference === undefined) continue;
    const isWithin = changes.every(({ at }) => at === to || isInside(at, to));
    if (!isWithin || typeof rawAt(schemas, reference) !== "string") return undefined;
    const at = copyLocation(index);
    if (at === undefined) return undefined;
    const changedSchemas = editSchemas(schemas, changes);
    // From inside a copy, a reference to the first copy also leads to the copy.
    const firstReference = path[first]?.reference as Location;
    const leadsToCopy =
      isInside(firstReference, to) && rawAt(changedSchemas, firstReference) === rawAt(schemas, firstReference);
    const copiedSchemas = leadsToCopy
      ? editSchemas(changedSchemas, [{ at: firstReference, value: copyLocation(first) as string }])
      : changedSchemas;
    const copy = withoutNames(rawAt(copiedSchemas, to));
    if (copy === undefined) return undefined;
    const holder = at.slice(0, at.lastIndexOf("/"));
    const hasHolder = rawAt(schemas, holder) !== undefined || copies.some((edit) => edit.at === holder);
    copies.push(...(hasHolder ? [] : [{ at: holder, value: {} }]), { at, value: copy });
    changes = [{ at: reference, value: at }];
  }
  return [...copies, ...changes];
}

function isInside(location: Location, other: Location): boolean {
  return location.startsWith(`${other}/`);
}

/** Returns the location of the definitions in the resource of a schema; undefined if it cannot have any. */
function holderOf(model: Model, schemas: readonly JsonObject[], schema: Location): Location | undefined {
  const { resource } = nodeAt(model, schema);
  const root = rawAt(schemas, `${resource}#`);
  if (!isObject(root)) return undefined;
  return `${resource}#/${"definitions" in root && !("$defs" in root) ? "definitions" : "$defs"}`;
}

/** Removes the name of a schema. Undefined if a schema inside it has a name. */
function withoutNames(schema: Json | undefined): Json | undefined {
  if (!isObject(schema)) return schema;
  const members = Object.entries(schema).filter(([key]) => !namingKeywords.has(key) && !definitionKeywords.has(key));
  return members.some(([, value]) => hasNames(value)) ? undefined : Object.fromEntries(members);
}

function hasNames(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasNames);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, member]) => (namingKeywords.has(key) && typeof member === "string") || hasNames(member),
  );
}
