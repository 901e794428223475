import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { recursions } from "../evaluate/recursions.ts";
import { childrenOf, handlerOf, passagesOf } from "../keywords/table.ts";
import { type EvaluationStep, type Keyword, type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import { withKeyword } from "./keyword-change.ts";
import { type Edit, editSchemas, type Mutant, rawAt } from "./mutant.ts";

/** The maximum number of mutants, and of uses of a schema that get every mistake. At the other uses, assertions are only left out. */
const maxima = { mutants: 1500, whole: 2 };

/** The depth below a recursive schema at which a fault is placed. A reader that stops earlier misses it. */
const depth = 4;

/** The depths of a wrong member without another fault. A reader that only follows the recursion misses it. */
const leafDepths: readonly number[] = [2, 3];

/** The keywords that a copy of a schema must not have: it would be a second schema with that name. */
const names: ReadonlySet<string> = new Set(["$id", "id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor"]);
const holders: ReadonlySet<string> = new Set(["$defs", "definitions"]);

/**
 * A mistake in one use of a definition and not in the others: a reader that copies the definition has one copy for each use. The uses of a recursive schema
 * inside of itself count as one copy. `isOver` may end it early.
 */
export function mutateSingleUses(
  model: Model,
  schemas: readonly JsonObject[],
  all: readonly Mutant[],
  isOver: () => boolean = () => false,
): Mutant[] {
  const uses = new Map<Location, EvaluationPlace[]>();
  for (const place of [...places(model), ...places(model, 2).filter(isWithinItself)])
    uses.set(place.node, [...(uses.get(place.node) ?? []), place]);
  const byNode = new Map<Location, Mutant[]>();
  for (const mutant of all) {
    const [{ location }] = mutant.nodes as [Node];
    byNode.set(location, [...(byNode.get(location) ?? []), mutant]);
  }
  const found = new Map<string, Mutant>();
  const add = (place: EvaluationPlace, mutant: Mutant) => {
    const made = mutateOneUse(model, schemas, place, mutant);
    if (made === undefined) return;
    const key = `${made.site} ${made.says}`;
    if (!found.has(key)) found.set(key, made);
  };
  for (const place of deepPlaces(model)) {
    const removals = (byNode.get(place.node) ?? []).filter(isRemoval);
    // In drafts before 2019-09 a reference is not a keyword in the model. There the schema itself lacks something.
    const mutant =
      removals.findLast(({ operator }) => operator === "reference-dropped") ??
      removals.find(({ keyword }) => keyword !== "type");
    if (mutant !== undefined) add(place, mutant);
  }
  for (const place of deepLeaves(model)) {
    const mutant = (byNode.get(place.node) ?? []).find(({ operator }) => operator === "members");
    if (mutant !== undefined) add(place, mutant);
  }
  for (const [location, at] of uses) {
    if (at.length < 2) continue;
    const outer = at.filter((place) => !isWithinItself(place)).length;
    for (const [index, place] of at.entries()) {
      if (isOver()) return [...found.values()];
      for (const mutant of byNode.get(location) ?? []) {
        const isLess = outer < 2 || index >= maxima.whole || mutant.away === true;
        if (isLess && !isRemoval(mutant)) continue;
        add(place, mutant);
        if (found.size === maxima.mutants) return [...found.values()];
      }
    }
  }
  return [...found.values()];
}

/** Whether the path to a place enters a schema twice. */
function isWithinItself({ steps, node }: EvaluationPlace): boolean {
  return new Set([...steps.map((step) => step.node), node]).size <= steps.length;
}

/** For each reference from inside a schema to that schema: its place at the given depth, or its target if it is not a keyword. */
function deepPlaces(model: Model): EvaluationPlace[] {
  return recursions(model, depth)
    .filter(({ kind }) => kind !== "dynamicRef")
    .map(({ kind, stands, leads }) => (kind === "ref" ? stands : leads));
}

/** At the given depths below each such schema, the first member that does not lead back to it. */
function deepLeaves(model: Model): EvaluationPlace[] {
  return leafDepths.flatMap((times) =>
    recursions(model, times).flatMap(({ leads, stands }) => {
      const { keywords, location } = nodeAt(model, leads.node);
      const properties = keywords.find((keyword) => keyword.kind === "properties");
      if (properties?.kind !== "properties") return [];
      const { site, kind, entries } = properties;
      const leaf = entries.find(([, node]) => !stands.steps.some((step) => step.node === node) && node !== stands.node);
      if (leaf === undefined) return [];
      const [key, node] = leaf;
      const step = { node: location, site, kind, key };
      return [{ ...leads, node, steps: [...leads.steps, step], at: [...leads.at, key] }];
    }),
  );
}

/** Whether the mistake leaves something out, or ignores a reference except for the type. */
function isRemoval({ operator, effect, edits }: Mutant): boolean {
  return (
    operator === "reference-dropped" || (effect === "weaker" && edits.length === 1 && edits[0]?.value === undefined)
  );
}

/** The mutant for only one of the places that lead to the changed schema. Undefined if it cannot be written. */
function mutateOneUse(
  model: Model,
  schemas: readonly JsonObject[],
  { steps, node, at }: EvaluationPlace,
  mutant: Mutant,
): Mutant | undefined {
  const path = steps.map((step, index): ReferenceStep => {
    const to = steps[index + 1]?.node ?? node;
    return { ...step, to, reference: referenceAt(step, to) };
  });
  const first = path.findIndex(({ reference }) => reference !== undefined);
  if (first === -1 || steps.some(({ kind }) => kind === "dynamicRef")) return undefined;
  const edits = editsForCopies(model, schemas, path, mutant);
  const nodes = nodesForCopies(model, path.slice(first), mutant);
  if (edits === undefined || nodes === undefined) return undefined;
  const place = `${at.length === 0 ? "at the root" : `in \`${at.join(".")}\``} alone`;
  const says = `${mutant.says}, ${place}`;
  return { ...mutant, operator: "one-copy", says, of: mutant, edits, nodes };
}

/** A step, its target, and the reference that it follows. */
interface ReferenceStep extends EvaluationStep {
  to: Location;
  reference: Location | undefined;
}

/** In drafts before 2019-09 a schema that is a reference equals its target and is not a step of its own. */
function referenceAt({ kind, site, key, node }: EvaluationStep, to: Location): Location | undefined {
  if (kind === "ref") return site;
  const holder = kind === "if" ? `${node}/${key}` : key === undefined ? site : pointer.append(site, String(key));
  return holder === to ? undefined : `${holder}/$ref`;
}

/** The schema with the reference, and copies of all schemas from there to the changed one. */
function nodesForCopies(model: Model, path: readonly ReferenceStep[], mutant: Mutant): Node[] | undefined {
  const [changed, ...others] = mutant.nodes as [Node, ...Node[]];
  const copies: Node[] = [];
  for (const [index, { node, site, key, to }] of path.entries()) {
    const whole = nodeAt(model, node);
    const location = index === 0 ? node : `copy:${index}:${node}`;
    const old = whole.keywords.find((keyword) => keyword.site === site);
    const led = old === undefined ? undefined : redirect(old, key, to, `copy:${index + 1}:${to}`);
    if (old === undefined || led === undefined) return undefined;
    copies.push({ ...withKeyword(whole, old, led), location });
  }
  return [...copies, { ...changed, location: `copy:${path.length}:${changed.location}` }, ...others];
}

/** The keyword with another target for one of its keys. */
function redirect(keyword: Keyword, key: EvaluationStep["key"], from: Location, to: Location): Keyword | undefined {
  const { moved } = handlerOf(keyword);
  const same = passagesOf(keyword, ({ node }) => node).filter(({ node }) => node === from);
  // A condition and its consequence may be the same schema.
  if (moved === undefined || childrenOf(keyword).filter((node) => node === from).length !== same.length)
    return undefined;
  let turn = same.findIndex((passage) => passage.key === key);
  return moved(keyword, (location) => (location === from && turn-- === 0 ? to : location));
}

/** Copies of the schemas on the path beside the originals, the last one with the mistake, and references to the copies. */
function editsForCopies(
  model: Model,
  schemas: readonly JsonObject[],
  path: readonly ReferenceStep[],
  { edits }: Mutant,
): Edit[] | undefined {
  let change = edits;
  const copies: Edit[] = [];
  const first = path.findIndex(({ reference }) => reference !== undefined);
  const namedAt = (index: number): Location | undefined => {
    const holder = holderOf(model, schemas, (path[index] as ReferenceStep).to);
    return holder === undefined ? undefined : `${holder}/copy-${index}`;
  };
  for (const [index, { reference, to }] of [...path.entries()].reverse()) {
    if (reference === undefined) continue;
    const isWithin = change.every(({ at }) => at === to || isInside(at, to));
    if (!isWithin || typeof rawAt(schemas, reference) !== "string") return undefined;
    const at = namedAt(index);
    if (at === undefined) return undefined;
    const before = editSchemas(schemas, change);
    // From inside a copy, a reference to the first copy also leads to the copy.
    const again = path[first]?.reference as Location;
    const isSame = isInside(again, to) && rawAt(before, again) === rawAt(schemas, again);
    const copy = withoutNames(
      rawAt(isSame ? editSchemas(before, [{ at: again, value: namedAt(first) as string }]) : before, to),
    );
    if (copy === undefined) return undefined;
    const holder = at.slice(0, at.lastIndexOf("/"));
    const isThere = rawAt(schemas, holder) !== undefined || copies.some((edit) => edit.at === holder);
    copies.push(...(isThere ? [] : [{ at: holder, value: {} }]), { at, value: copy });
    change = [{ at: reference, value: at }];
  }
  return [...copies, ...change];
}

function isInside(location: Location, other: Location): boolean {
  return location.startsWith(`${other}/`);
}

/** The location of the definitions in the resource of a schema; undefined if it cannot have any. */
function holderOf(model: Model, schemas: readonly JsonObject[], schema: Location): Location | undefined {
  const { resource } = nodeAt(model, schema);
  const root = rawAt(schemas, `${resource}#`);
  if (!isObject(root)) return undefined;
  return `${resource}#/${"definitions" in root && !("$defs" in root) ? "definitions" : "$defs"}`;
}

/** A schema without its name. Undefined if a schema inside of it has a name. */
function withoutNames(schema: Json | undefined): Json | undefined {
  if (!isObject(schema)) return schema;
  const own = Object.entries(schema).filter(([key]) => !names.has(key) && !holders.has(key));
  return own.some(([, value]) => hasNames(value)) ? undefined : Object.fromEntries(own);
}

function hasNames(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasNames);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, each]) => (names.has(key) && typeof each === "string") || hasNames(each));
}
