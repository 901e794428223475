import { type Change, equal, isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { changeBetween } from "../corpus/change.ts";
import type { Draft, Drafts, Subject } from "../corpus/draft.ts";
import { locate, reach } from "../corpus/ground.ts";
import { patched } from "../corpus/patch.ts";
import { plant } from "../corpus/plant.ts";
import { isValid } from "../model/evaluate.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { type Place, places } from "../model/paths.ts";
import type { Solution } from "../solve/solve.ts";
import { killers, type Witness, witnessOf } from "./kills.ts";
import type { Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";
import { tellingInstances, tellingValues } from "./tell.ts";

/** Ways to one schema on which a telling value is looked for. */
const mostPlaces = 2;

/** A mutant that the set does not force, or forces once only, and why. */
export interface Unforced {
  mutant: Mutant;
  kills: 0 | 1;
  why: string;
}

export interface Filled {
  all: Mutant[];
  /** Proven by the solver: no instance tells them from the schema. */
  equivalent: Mutant[];
  unforced: Unforced[];
}

/**
 * Adds to the drafts what it takes so that two of them tell each mutant from the schema, or proves that nothing does. What is added
 * obeys the same laws as everything else: valid, or broken at one site.
 */
export function fill(subject: Subject, schemas: readonly JsonObject[], valid: Drafts, invalid: Drafts): Filled {
  const { model } = subject;
  const all = mutants(model, schemas, subject.elsewhere);
  const byNode = new Map<Location, Place[]>();
  for (const place of places(model)) {
    const known = byNode.get(place.node) ?? [];
    if (known.length < mostPlaces) byNode.set(place.node, [...known, place]);
  }
  const witnesses: Witness[] = [...valid.all, ...invalid.all].map(({ data }) => witnessOf(model, data));
  const filler = new Filler(subject, valid, invalid, witnesses);
  const filled: Filled = { all, equivalent: [], unforced: [] };
  for (const mutant of all) {
    let count = killers(model, mutant, witnesses, 2).length;
    if (count >= 2) continue;
    for (const node of mutant.nodes) {
      for (const place of byNode.get(node.location) ?? []) {
        if (count < 2) count = filler.local(mutant, place, count);
      }
    }
    let why = "";
    let proven = false;
    if (count === 1) count = filler.again(mutant, count);
    if (count < 2) {
      for (const solution of searches(model, mutant, valid.all, count === 0)) {
        if ("none" in solution) proven = count === 0;
        else if ("gaveUp" in solution) why = solution.gaveUp;
        else if (filler.whole(mutant, solution.found, byNode)) count += 1;
        else if (count === 0) why = "what tells it apart breaks more than one site";
        if (count >= 2) break;
      }
    }
    if (count === 1) count = filler.again(mutant, count);
    if (proven) filled.equivalent.push(mutant);
    else if (count === 1)
      filled.unforced.push({ mutant, kills: 1, why: why || "only one instance was found that tells it apart" });
    else if (count === 0)
      filled.unforced.push({ mutant, kills: 0, why: why || "no instance was found that tells it apart" });
  }
  return filled;
}

/** Searches near the smallest valid instance, and near others of another look when only a second kill is wanted. */
function* searches(model: Model, mutant: Mutant, valid: readonly Draft[], first: boolean): Generator<Solution> {
  const hints = first ? valid.slice(0, 1) : [0, 1, 2, 5, 8, 13, 21, 34].flatMap((index) => valid[index] ?? []);
  for (const { data } of hints) yield* tellingInstances(model, mutant, data, 2);
}

/** An instance that may tell a mutant apart, and what would be said of it as a vector. */
interface Offer {
  place: Place;
  site: Location;
  at: string;
  parent: Json;
  data: Json;
  name: string[];
  change: Change[];
}

/** Makes vectors that tell mutants apart. */
class Filler {
  readonly #subject: Subject;
  readonly #valid: Drafts;
  readonly #invalid: Drafts;
  readonly #witnesses: Witness[];
  readonly #root: Place;

  constructor(subject: Subject, valid: Drafts, invalid: Drafts, witnesses: Witness[]) {
    this.#subject = subject;
    this.#valid = valid;
    this.#invalid = invalid;
    this.#witnesses = witnesses;
    this.#root = { node: subject.model.root, scope: {}, steps: [], at: [], again: false };
  }

  /** Tries values at one place of a valid instance; returns how many kills there are then. */
  local(mutant: Mutant, place: Place, before: number): number {
    const { model, samples } = this.#subject;
    const keyword = keywordOf(mutant, nodeAt(model, place.node).keywords);
    if (keyword === undefined) return before;
    const solution = reach(model, place, samples);
    if (!("found" in solution) || !isValid(model, solution.found)) return before;
    const at = locate(model, place, keyword, solution.found);
    if (at === undefined) return before;
    const hint = pointer.at(at, solution.found);
    let count = before;
    for (const value of tellingValues(model, mutant, place, hint, 6)) {
      const change: Change[] = [{ op: "replace", path: at, value }];
      const data = patched(solution.found, change);
      if (data === undefined) continue;
      const name = [mutant.operator];
      const parent = solution.found;
      const smaller = small(change, hint, value, at);
      if (this.#offer(mutant, { place, site: keyword.site, at, parent, data, name, change: smaller })) count += 1;
      if (count >= 2) break;
    }
    return count;
  }

  /** Makes a vector of a whole instance that tells the mutant apart. */
  whole(mutant: Mutant, data: Json, byNode: ReadonlyMap<Location, Place[]>): boolean {
    const { samples } = this.#subject;
    const place = mutant.nodes.map(({ location }) => byNode.get(location)?.[0]).find((each) => each !== undefined);
    const parent = this.#nearest(data) ?? samples[0];
    if (parent === undefined) return false;
    const change = changeBetween(parent, data);
    const sites = [mutant.site, mutant.site.replace(/\/[0-9]+$/, ""), ...this.#failing(data)];
    for (const site of new Set(sites)) {
      const at = change.length === 1 ? (change[0]?.path ?? "") : "";
      const offer = { place: place ?? this.#root, site, at, parent, data, name: [mutant.operator], change };
      if (this.#offer(mutant, offer)) return true;
    }
    return false;
  }

  /** Repeats the fault that kills the mutant in other valid instances, or the value in other surroundings. */
  again(mutant: Mutant, before: number): number {
    const { model } = this.#subject;
    const [killer] = killers(model, mutant, this.#witnesses, 1);
    if (killer === undefined) return before;
    const source = [...this.#valid.all, ...this.#invalid.all].find((draft) => draft.data === killer.data);
    if (source === undefined) return before;
    const { site = mutant.site, place = this.#root, at } = source;
    const name = [...source.name.slice(1), "elsewhere"];
    const same: Change[] = [{ op: "replace", path: at, value: pointer.at(at, source.data) as Json }];
    const change = source.change ?? same;
    for (const parent of this.#others(source)) {
      const data = patched(parent, change);
      if (data !== undefined && this.#offer(mutant, { place, site, at, parent, data, name, change })) return before + 1;
    }
    for (const more of this.#additions(source)) {
      const parent = patched(source.parent?.data ?? source.data, more);
      const data = patched(source.data, more);
      if (parent === undefined || data === undefined) continue;
      const offer = { place, site, at, parent, data, name, change: source.change ?? more };
      if (this.#offer(mutant, offer)) return before + 1;
    }
    return before;
  }

  /** Adds the instance as a valid or a one-fault vector if it kills the mutant and is new. */
  #offer(mutant: Mutant, { place, site, at, parent, data, name, change }: Offer): boolean {
    const { model } = this.#subject;
    if (this.#valid.has(data) || this.#invalid.has(data)) return false;
    const witness = witnessOf(model, data);
    if (killers(model, mutant, [witness], 1).length === 0) return false;
    const says = witness.valid
      ? `is valid, and refused where ${mutant.says}`
      : `is invalid, and accepted where ${mutant.says}`;
    const tags = ["forcing"];
    if (witness.valid) this.#valid.add({ data, name: [at, ...name, mutant.keyword], at, says, tags, site, place });
    else {
      if (!isValid(model, parent)) return false;
      const { keyword } = mutant;
      const base = { name: [at, "exercised", keyword], says: `exercises ${keyword}`, tags: [] };
      const draft = this.#valid.add({ ...base, data: parent, at, site, place });
      const [fault = mutant.operator, ...detail] = name;
      const proposal = { fault, detail: [...detail, keyword].join("/"), site, at, change, says, tags };
      if (!plant(this.#subject, this.#invalid, place, draft, proposal)) return false;
    }
    const added = (witness.valid ? this.#valid : this.#invalid).all.at(-1) as Draft;
    this.#witnesses.push({ ...witness, data: added.data });
    return true;
  }

  #failing(data: Json): Location[] {
    const { failed } = witnessOf(this.#subject.model, data);
    return [...failed].filter((site) => isValid(this.#subject.model, data, { without: site }));
  }

  #nearest(data: Json): Json | undefined {
    let best: { data: Json; size: number } | undefined;
    for (const draft of this.#valid.all) {
      const size = changeBetween(draft.data, data).length;
      if (best === undefined || size < best.size) best = { data: draft.data, size };
      if (size === 1) break;
    }
    return best?.data;
  }

  /** Valid instances other than the draft's own parent that have what its change touches. */
  #others(source: Draft): Json[] {
    const own = source.parent?.data ?? source.data;
    const holder = source.at.slice(0, Math.max(0, source.at.lastIndexOf("/")));
    const fitting = this.#valid.all.filter(({ data }) => !equal(data, own) && pointer.has(holder, data));
    return fitting.slice(0, 60).map(({ data }) => data);
  }

  /** Members that other valid instances have at the top and this one does not: its surroundings, enriched by one. */
  #additions(source: Draft): Change[][] {
    if (!isObject(source.data)) return [];
    const own = source.data;
    const found = new Map<string, Json>();
    for (const { data } of this.#valid.all) {
      if (!isObject(data)) continue;
      for (const [name, value] of Object.entries(data))
        if (!Object.hasOwn(own, name) && !found.has(name)) found.set(name, value);
    }
    return [...found].map(([name, value]) => [{ op: "add", path: pointer.append("", name), value }]);
  }
}

function keywordOf(mutant: Mutant, keywords: readonly Keyword[]): Keyword | undefined {
  return keywords.find(({ site }) => mutant.site === site || mutant.site.startsWith(`${site}/`)) ?? keywords[0];
}

/** Where only a part of a value changes, the change of that part. */
function small(change: Change[], before: Json | undefined, after: Json, at: string): Change[] {
  if (before === undefined || typeof before !== "object" || before === null) return change;
  const parts = changeBetween(before, after).map((part) => ({ ...part, path: `${at}${part.path}` }) as Change);
  return parts.length === 1 ? parts : change;
}
