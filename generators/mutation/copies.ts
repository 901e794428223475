import { places } from "../evaluate/places.ts";
import type { Keyword, Location, Model } from "../model/model.ts";
import type { Mutant } from "./mutant.ts";

/** The maximum number of pairs of mutants that are examined. */
const maxMutants = 1000;

const choosingKeywords: ReadonlySet<Keyword["kind"]> = new Set(["oneOf", "anyOf", "if", "dependentSchemas"] as const);

/**
 * The same mistake in two schemas of the same part of an instance, such as a list in an envelope and a constant in one kind of it: each copy hides a
 * mistake in the other. `isOver` may end it early.
 */
export function pairMistakes(model: Model, all: readonly Mutant[], isOver: () => boolean = () => false): Mutant[] {
  const paths = new Map<Location, Set<string>>();
  for (const { node, at, steps } of places(model)) {
    const known = paths.get(node) ?? new Set<string>();
    // Two branches of a choice never apply together, because only one of them is chosen.
    const chosenBranches = steps
      .filter(({ kind }) => choosingKeywords.has(kind))
      .map(({ site, key }) => `${site} ${key}`);
    paths.set(node, known.add(JSON.stringify([at, chosenBranches])));
  }
  const groups = new Map<string, Mutant[]>();
  for (const mutant of all) {
    if (mutant.effect !== "weaker") continue;
    for (const path of paths.get(mutant.nodes[0]?.location ?? "") ?? []) {
      const key = `${path} ${mutant.operator} ${mistakeKey(mutant)}`;
      groups.set(key, [...(groups.get(key) ?? []), mutant]);
    }
  }
  const pairs = new Map<string, Mutant>();
  for (const group of groups.values())
    for (const [index, one] of group.entries()) {
      if (isOver()) return [...pairs.values()];
      for (const other of group.slice(index + 1)) {
        if (pairs.size === maxMutants) return [...pairs.values()];
        const key = JSON.stringify([one.edits, other.edits]);
        if (!pairs.has(key) && areIndependent(one, other)) pairs.set(key, joinMutants(one, other));
      }
    }
  return [...pairs.values()];
}

/** A key that two mutants with the same mistake share: a constant counts as a list with one value. */
function mistakeKey({ says, keyword }: Mutant): string {
  return keyword === "const" || keyword === "enum" ? says.replace(/\b(const|enum)\b/, "list") : says;
}

/** Whether both changes can be made: neither location is within the other. */
function areIndependent(one: Mutant, other: Mutant): boolean {
  const locations = new Set(one.nodes.map(({ location }) => location));
  if (other.nodes.some(({ location }) => locations.has(location))) return false;
  const within = (inner: Location, outer: Location) => inner === outer || inner.startsWith(`${outer}/`);
  return !one.edits.some(({ at }) => other.edits.some((edit) => within(at, edit.at) || within(edit.at, at)));
}

function joinMutants(one: Mutant, other: Mutant): Mutant {
  const { away: _, ...rest } = one;
  return {
    ...rest,
    operator: "both-copies",
    says: `${one.says}, here and at ${shortLocation(other.site)}`,
    edits: [...one.edits, ...other.edits],
    nodes: [...one.nodes, ...other.nodes],
    ...(one.away === true && other.away === true ? { away: true as const } : {}),
  };
}

/** A location without the path of its document. */
function shortLocation(site: Location): string {
  const [document = "", path = ""] = site.split("#");
  return `${document.slice(document.lastIndexOf("/") + 1)}#${path}`;
}
