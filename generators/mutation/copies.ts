import { places } from "../evaluate/places.ts";
import type { Keyword, Location, Model } from "../model/model.ts";
import type { Mutant } from "./mutant.ts";

/** The maximum number of pairs of mutants. */
const maxPairs = 1000;

const choosingKeywords: ReadonlySet<Keyword["kind"]> = new Set(["oneOf", "anyOf", "if", "dependentSchemas"] as const);

/**
 * Makes mutants with the same mistake in two schemas that apply to the same part of an instance, such as an `enum` in an envelope and a `const` in
 * one of its variants. Each of the two schemas would hide a mistake in the other. Stops early if `isOver` returns true.
 */
export function pairMistakes(model: Model, mutants: readonly Mutant[], isOver: () => boolean = () => false): Mutant[] {
  const paths = new Map<Location, Set<string>>();
  for (const { node, at, steps } of places(model)) {
    const nodePaths = paths.get(node) ?? new Set<string>();
    // Schemas in different branches of a choice are not paired.
    const chosenBranches = steps
      .filter(({ kind }) => choosingKeywords.has(kind))
      .map(({ site, key }) => `${site} ${key}`);
    paths.set(node, nodePaths.add(JSON.stringify([at, chosenBranches])));
  }
  const groups = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    if (mutant.effect !== "weaker") continue;
    for (const path of paths.get(mutant.nodes[0]?.location ?? "") ?? []) {
      const key = `${path} ${mutant.operator} ${mistakeKey(mutant)}`;
      groups.set(key, [...(groups.get(key) ?? []), mutant]);
    }
  }
  const pairs = new Map<string, Mutant>();
  for (const group of groups.values())
    for (const [index, first] of group.entries()) {
      if (isOver()) return [...pairs.values()];
      for (const second of group.slice(index + 1)) {
        if (pairs.size === maxPairs) return [...pairs.values()];
        const key = JSON.stringify([first.edits, second.edits]);
        if (!pairs.has(key) && areIndependent(first, second)) pairs.set(key, joinMutants(first, second));
      }
    }
  return [...pairs.values()];
}

/** Returns a key shared by mutants with the same mistake. A constant counts as a list with one value. */
function mistakeKey({ says, keyword }: Mutant): string {
  return keyword === "const" || keyword === "enum" ? says.replace(/\b(const|enum)\b/, "list") : says;
}

/** Whether both mutants can be combined: neither changes a location within the other's. */
function areIndependent(first: Mutant, second: Mutant): boolean {
  const locations = new Set(first.nodes.map(({ location }) => location));
  if (second.nodes.some(({ location }) => locations.has(location))) return false;
  const isWithin = (inner: Location, outer: Location) => inner === outer || inner.startsWith(`${outer}/`);
  return !first.edits.some(({ at }) => second.edits.some((edit) => isWithin(at, edit.at) || isWithin(edit.at, at)));
}

function joinMutants(first: Mutant, second: Mutant): Mutant {
  const { isFromElsewhere: _, ...rest } = first;
  return {
    ...rest,
    operator: "both-copies",
    says: `${first.says}, here and at ${shortLocation(second.site)}`,
    edits: [...first.edits, ...second.edits],
    nodes: [...first.nodes, ...second.nodes],
    ...(first.isFromElsewhere === true && second.isFromElsewhere === true ? { isFromElsewhere: true as const } : {}),
  };
}

/** Returns a location without the path of its document. */
function shortLocation(site: Location): string {
  const [document = "", path = ""] = site.split("#");
  return `${document.slice(document.lastIndexOf("/") + 1)}#${path}`;
}
