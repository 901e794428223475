import { posix } from "node:path";
import { type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { limitPaths } from "./limits.ts";
import { itemsAt, textAt } from "./parts.ts";
import { isAgent } from "./schema.ts";

const documents = ["bundle"];

/** A local agent with a file as its source. */
interface BundleLink {
  /** JSON Pointer to its entry in the parent's action space. */
  at: string;
  /** JSON Pointer to the file that contains the entry. */
  parent: string;
  /** JSON Pointer to its file, which may be missing. */
  child: string;
  /** The path of its file in the bundle. */
  path: string;
}

const presentFileChecker: Checker = {
  rule: "AGF-ACT-009",
  documents,
  *check(bundle) {
    for (const { at, child, path } of linksOf(bundle)) {
      const file = pointer.at(child, bundle);
      if (file === undefined) yield { at: `${at}/source`, why: `points to ${path}, but there is no file` };
      else if (!isAgent(file)) yield { at: `${at}/source`, why: `points to ${path}, which is not an agent document` };
    }
  },
};

const cycleChecker: Checker = {
  rule: "AGF-ACT-010",
  documents,
  *check(bundle) {
    const unboundedLinks = linksOf(bundle).filter(({ parent }) => !isBounded(bundle, parent));
    for (const { at } of findCycles(placeOf(textAt(bundle, "/entry") ?? ""), unboundedLinks))
      yield { at: `${at}/source`, why: "closes a cycle, and nothing bounds its depth" };
  },
};

/** The links that point back to a file on the path to them. Depth-first without recursion, since paths may be long. */
function* findCycles(start: string, links: readonly BundleLink[]): Iterable<BundleLink> {
  const linksByParent = groupByParent(links);
  const seenPlaces = new Set([start]);
  const chain = [{ file: start, remainingLinks: (linksByParent.get(start) ?? []).values() }];
  const placesOnChain = new Set(seenPlaces);
  for (let last = chain.at(-1); last !== undefined; last = chain.at(-1)) {
    const { value: link } = last.remainingLinks.next();
    if (link === undefined) {
      placesOnChain.delete(last.file);
      chain.pop();
    } else if (placesOnChain.has(link.child)) yield link;
    else if (!seenPlaces.has(link.child)) {
      seenPlaces.add(link.child);
      placesOnChain.add(link.child);
      chain.push({ file: link.child, remainingLinks: (linksByParent.get(link.child) ?? []).values() });
    }
  }
}

function isBounded(bundle: Json, file: string): boolean {
  return typeof pointer.at(`${file}/constraints/limits/max_delegation_depth`, bundle) === "number";
}

const looserLimitChecker: Checker = {
  rule: "AGF-CONS-004",
  documents,
  *check(bundle) {
    for (const { parent, child } of linksOf(bundle)) {
      if (pointer.at(`${parent}/constraints/tighten_only_invariant`, bundle) === false) continue;
      for (const limit of limitPaths) {
        const parentLimit = pointer.at(`${parent}/constraints${limit}`, bundle);
        const at = `${child}/constraints${limit}`;
        const childLimit = pointer.at(at, bundle);
        if (typeof parentLimit === "number" && typeof childLimit === "number" && childLimit > parentLimit)
          yield { at, why: `is ${childLimit}, above the ${parentLimit} of the parent` };
      }
    }
  },
};

const memoryScopeChecker: Checker = {
  rule: "AGF-MEM-005",
  documents,
  *check(bundle) {
    for (const { at, child, path } of linksOf(bundle)) {
      const strategy = `${at}/memory_scope_strategy`;
      if (textAt(bundle, strategy) === "none" && pointer.at(`${child}/memory/required`, bundle) === true)
        yield { at: strategy, why: `is "none", and ${path} requires memory` };
    }
  },
};

/** The links in all files that are reachable from the entry. */
function linksOf(bundle: Json): BundleLink[] {
  const files = pointer.at("/files", bundle);
  const entry = textAt(bundle, "/entry");
  if (!isObject(files) || entry === undefined) return [];
  const allLinks = Object.keys(files).flatMap((path) => linksFrom(bundle, path));
  const seenPlaces = reachFrom(placeOf(entry), allLinks);
  return allLinks.filter(({ parent }) => seenPlaces.has(parent));
}

function linksFrom(bundle: Json, path: string): BundleLink[] {
  const parent = placeOf(path);
  return itemsAt(bundle, `${parent}/action_space/local_agents`).flatMap(({ at }) => {
    const source = textAt(bundle, `${at}/source`);
    const type = pointer.at(`${at}/source_type`, bundle) ?? "file";
    if (source === undefined || source === "" || type !== "file") return [];
    const target = posix.isAbsolute(source) ? source : posix.join(posix.dirname(path), source);
    return [{ at, parent, child: placeOf(target), path: target }];
  });
}

function placeOf(path: string): string {
  return pointer.append("/files", path);
}

/** JSON Pointers to the files that are reachable from a file, including itself. */
function reachFrom(start: string, links: readonly BundleLink[]): Set<string> {
  const linksByParent = groupByParent(links);
  const seenPlaces = new Set([start]);
  for (const file of seenPlaces) for (const { child } of linksByParent.get(file) ?? []) seenPlaces.add(child);
  return seenPlaces;
}

function groupByParent(links: readonly BundleLink[]): Map<string, BundleLink[]> {
  const groups = new Map<string, BundleLink[]>();
  for (const link of links) {
    const group = groups.get(link.parent);
    if (group === undefined) groups.set(link.parent, [link]);
    else group.push(link);
  }
  return groups;
}

/** Checks an agent's file together with the files of the agents that it calls. */
export const bundleCheckers: readonly Checker[] = [
  presentFileChecker,
  cycleChecker,
  looserLimitChecker,
  memoryScopeChecker,
];
