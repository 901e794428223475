import { childrenOf, handlerOf } from "../keywords/table.ts";
import type { Keyword, Location, Model, Node, Scope } from "../model/model.ts";
import { isEndless } from "../solve/endless-recursion.ts";
import { keyOf, type Pair, type Pairing } from "./pairs.ts";
import type { Numbers } from "./schema-contents.ts";

const oldPrefix = "old:";
const bodyPrefix = "body:";

/** Two models in one. */
export interface Joined {
  model: Model;
  /** Returns the location of an old schema in the joined model: that of an equal new schema, if there is one. */
  old(location: Location): Location;
  /** Returns the location of a new schema as such, without assumptions about it. */
  body(location: Location): Location;
  /** Adds a schema that has some of the keywords of a new schema, and returns its location. */
  part(location: Location, keywords: Keyword[]): Location;
  /** Whether an old schema and a new one judge every value alike, at any place. */
  isAlike(old: Location, newer: Location): boolean;
  /** Whether an old schema is equivalent to this new one. */
  isShared(location: Location): boolean;
  /** Returns the join with another new model. It may differ in the `touched` schemas, which must not be shared, and have additional ones. */
  replaceNodes(changedModel: Model, touched: readonly Location[]): Joined;
}

/**
 * Joins an old model and a new one side by side. Equal schemas are shared, so that a search need not compare them. For each assumed pair (`granted`),
 * the new schema becomes "the old one or the new one". That is equivalent if the new schema contains the old one, so a search does not enter parts
 * that are checked separately.
 */
export function joinModels(
  old: Model,
  newer: Model,
  [oldNumbers, newNumbers]: readonly Numbers[],
  assumedPairs: readonly Pair[],
): Joined {
  const join = (mayShare: boolean): Joined =>
    joinWith(old, newer, { oldNumbers, newNumbers, granted: assumedPairs, mayShare });
  const shared = join(true);
  // Sharing may make the joined model recurse without end; then nothing is shared.
  return isEndless(shared.model) ? join(false) : shared;
}

/** The known facts about two models, and whether equivalent schemas are merged. */
interface JoinOptions {
  oldNumbers: Numbers | undefined;
  newNumbers: Numbers | undefined;
  granted: readonly Pair[];
  mayShare: boolean;
}

function joinWith(old: Model, newer: Model, { oldNumbers, newNumbers, granted, mayShare }: JoinOptions): Joined {
  const dynamicLocations = findDynamicLocations(old, newer);
  const sharedLocations = new Map<number, Location>();
  for (const [location, number] of newNumbers ?? [])
    if (!sharedLocations.has(number) && !dynamicLocations.has(location)) sharedLocations.set(number, location);
  const placeOld = (location: Location): Location => {
    const number = oldNumbers?.get(location);
    const twin =
      !mayShare || number === undefined || dynamicLocations.has(oldPrefix + location)
        ? undefined
        : sharedLocations.get(number);
    return twin ?? oldPrefix + location;
  };
  const nodes = new Map(newer.nodes);
  for (const node of old.nodes.values()) {
    const location = placeOld(node.location);
    if (!nodes.has(location)) nodes.set(location, moveNode(node, location, placeOld));
  }
  const assumedByNew = new Map<Location, Location[]>();
  for (const pair of granted) assumedByNew.set(pair.new, [...(assumedByNew.get(pair.new) ?? []), placeOld(pair.old)]);
  for (const [location, oldLocations] of assumedByNew) {
    const node = nodes.get(location) as Node;
    nodes.set(bodyPrefix + location, { ...node, location: bodyPrefix + location });
    nodes.set(location, { ...joinNodes(node, [...oldLocations, bodyPrefix + location]) });
  }
  const anchors: Record<string, Scope> = { ...newer.anchors };
  for (const [resource, names] of Object.entries(old.anchors))
    anchors[oldPrefix + resource] = Object.fromEntries(Object.entries(names).map(([name, at]) => [name, placeOld(at)]));
  const body = (location: Location): Location => (assumedByNew.has(location) ? bodyPrefix + location : location);
  return withPlaces({ ...newer, nodes, anchors }, nodes, {
    old: placeOld,
    body,
    oldNumbers,
    newNumbers,
    dynamic: dynamicLocations,
  });
}

/** The locations of both models' schemas in the joined model. */
interface JoinedPlaces extends Pick<Joined, "old" | "body"> {
  oldNumbers: Numbers | undefined;
  newNumbers: Numbers | undefined;
  dynamic: ReadonlySet<Location>;
}

/** Makes a joined model with the schemas in `all`, to which parts are added. */
function withPlaces(model: Model, nodes: Map<Location, Node>, places: JoinedPlaces): Joined {
  const { old, body, oldNumbers, newNumbers, dynamic } = places;
  const oldNumberSet = new Set(oldNumbers?.values());
  return {
    model,
    old,
    body,
    part(location, keywords) {
      const partLocation = `part:${nodes.size}`;
      nodes.set(partLocation, { ...(nodes.get(body(location)) as Node), location: partLocation, keywords });
      return partLocation;
    },
    isAlike(oldLocation, newer) {
      const number = oldNumbers?.get(oldLocation);
      if (number === undefined || number !== newNumbers?.get(newer)) return false;
      return !dynamic.has(oldPrefix + oldLocation) && !dynamic.has(newer);
    },
    isShared(location) {
      const number = newNumbers?.get(location);
      return number === undefined || oldNumberSet.has(number);
    },
    replaceNodes(changed, touched) {
      const nextNodes = new Map(model.nodes);
      for (const [location, node] of changed.nodes) if (!nextNodes.has(location)) nextNodes.set(location, node);
      for (const location of touched) {
        const node = changed.nodes.get(location);
        if (node !== undefined) nextNodes.set(body(location), { ...node, location: body(location) });
      }
      return withPlaces({ ...model, nodes: nextNodes }, nextNodes, places);
    },
  };
}

function joinNodes({ location, resource }: Node, nodes: Location[]): Node {
  return { location, resource, keywords: [{ kind: "anyOf", site: `${location}/either`, nodes }], marks: false };
}

function moveNode(node: Node, location: Location, placeOf: (location: Location) => Location): Node {
  const keywords = node.keywords.map((keyword): Keyword => {
    const movedKeyword = handlerOf(keyword).relocate?.(keyword, placeOf) ?? keyword;
    return movedKeyword.kind === "dynamicRef"
      ? { ...movedKeyword, resource: oldPrefix + movedKeyword.resource }
      : movedKeyword;
  });
  return { ...node, location, resource: oldPrefix + node.resource, keywords };
}

/** Finds schemas from which a dynamic reference can be reached. Their meaning depends on the path to them. Locations of the old model have its prefix. */
function findDynamicLocations(old: Model, newer: Model): Set<Location> {
  return new Set([...[...findPathDependent(old)].map((location) => oldPrefix + location), ...findPathDependent(newer)]);
}

function findPathDependent(model: Model): Set<Location> {
  const parents = new Map<Location, Location[]>();
  const locations = new Set<Location>();
  for (const { location, keywords } of model.nodes.values())
    for (const keyword of keywords) {
      if (keyword.kind === "dynamicRef") locations.add(location);
      for (const child of childrenOf(keyword)) parents.set(child, [...(parents.get(child) ?? []), location]);
    }
  for (const location of locations) for (const parent of parents.get(location) ?? []) locations.add(parent);
  return locations;
}

/** Finds the pairs for which containment of the old schema in the new one may be assumed, until a search refutes it. */
export function findAssumable(
  { pairs }: Pairing,
  old: Model,
  { newer, numbers, refuted }: { newer: Model; numbers: readonly Numbers[]; refuted: ReadonlySet<string> },
): Pair[] {
  const dynamicLocations = findDynamicLocations(old, newer);
  const pairCounts = new Map<Location, number>();
  // Assuming such a pair would add the parts that the old schema evaluates, and leave fewer for `unevaluated*`.
  const inPlaceNumbers = [old, newer].some(({ nodes }) => [...nodes.values()].some(({ marks }) => marks))
    ? new Set([old, newer].flatMap((model, index) => numbersInPlace(model, numbers[index])))
    : undefined;
  return pairs.filter((pair) => {
    if (refuted.has(keyOf(pair)) || dynamicLocations.has(pair.new) || dynamicLocations.has(oldPrefix + pair.old))
      return false;
    const number = numbers[1]?.get(pair.new);
    if (number === numbers[0]?.get(pair.old) || inPlaceNumbers?.has(number)) return false;
    const count = (pairCounts.get(pair.new) ?? 0) + 1;
    pairCounts.set(pair.new, count);
    return count <= maxBranches;
  });
}

/** Lists the numbers of the schemas that apply to the same value as a schema above them. */
function numbersInPlace({ nodes }: Model, numbers: Numbers | undefined): (number | undefined)[] {
  return [...nodes.values()].flatMap(({ keywords }) =>
    keywords
      .flatMap((keyword) => (handlerOf(keyword).inPlace ? childrenOf(keyword) : []))
      .map((at) => numbers?.get(at)),
  );
}

const maxBranches = 6;
