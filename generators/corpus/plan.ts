import { applyPatch } from "rfc6902";
import { type Change, type Document, type Json, type JsonObject, type Protocol, pointer } from "../../schemas/index.ts";
import { acceptances } from "../accept/index.ts";
import { mostPublished } from "../faults/count.ts";
import type { Ground, Proposal } from "../faults/fault.ts";
import { families } from "../faults/index.ts";
import { longestPublished } from "../faults/length.ts";
import { isValid } from "../model/evaluate.ts";
import { enter, type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { type Place, places, sitesOf } from "../model/paths.ts";
import { always, type Formula, facet, kinds } from "../solve/formula.ts";
import { solve } from "../solve/solve.ts";
import { changeBetween } from "./change.ts";
import { breaking, declaredNames, foreignNames, locate, reach } from "./ground.ts";

/** A vector before it has its id and verdict. `key` is the canonical text of the instance. */
export interface Draft {
  data: Json;
  /** What tells its place in the id: location, then fault or demand, then detail. */
  name: string[];
  at: string;
  says: string;
  tags: string[];
  site?: Location;
  /** The place through which the site was reached, for the rule that a reference belongs to. */
  place?: Place;
  fault?: string;
  parent?: Draft;
  change?: Change[];
}

/** A site without an invalid vector of its own, and why. */
export interface Unbroken {
  site: Location;
  why: string;
}

export interface Plan {
  valid: Draft[];
  invalid: Draft[];
  /** Sites that some invalid vector breaks alone: its own, or one that the same instance breaks just as well. */
  broken: ReadonlySet<Location>;
  unbroken: Unbroken[];
}

export interface Subject {
  model: Model;
  /** Realistic valid instances that lend their values. */
  samples: readonly Json[];
  /** Resources whose sites have a set of their own elsewhere: they get the most telling faults only. */
  elsewhere: ReadonlySet<string>;
}

export function subjectOf(protocol: Protocol, document: Document, model: Model): Subject {
  const others = protocol.profile.documents.filter((each) => each.standalone && each.name !== document.name);
  return { model, samples: document.samples ?? [], elsewhere: new Set(others.map((each) => each.schema)) };
}

/** Everything to be asked of an implementation of one schema: valid instances, and invalid ones that break one site each. */
export function plan(subject: Subject): Plan {
  const { model, samples } = subject;
  const valid = new Drafts();
  const whole = (name: string[], data: Json | undefined, says: string) => {
    if (data !== undefined && isValid(model, data)) valid.add({ data, name, at: "", says, tags: [] });
  };
  const root: Formula = { op: "schema", node: model.root, sign: true, scope: {} };
  const found = (full: boolean, hint?: Json) => {
    const solution = solve(model, [root], { full, ...(hint === undefined ? {} : { hint }) });
    return "found" in solution ? solution.found : undefined;
  };
  whole(["minimal"], found(false, samples[0]), "has only what is required");
  samples.forEach((sample, index) => {
    whole(["sample", String(index + 1)], sample, "is a realistic instance");
  });
  const fulls = samples.length === 0 ? [undefined] : samples;
  fulls.forEach((sample, index) => {
    whole(["full", String(index + 1)], found(true, sample), "has every member that it can have");
  });
  const invalid = new Drafts();
  const broken = new Set<Location>();
  const reasons = new Map<Location, string>();
  const seen = new Set<Location>();
  for (const place of places(model)) {
    const node = nodeAt(model, place.node);
    if (place.steps.length > 0)
      accept(subject, valid, place, undefined, { name: "present", also: always, says: "is present" });
    for (const keyword of node.keywords) {
      const first = !seen.has(keyword.site) && !subject.elsewhere.has(node.resource);
      seen.add(keyword.site);
      for (const family of acceptances) {
        if (!first || !family.keywords.includes(keyword.kind)) continue;
        for (const demand of family.demand(keyword, model)) accept(subject, valid, place, keyword, demand);
      }
      const wanted = sitesOf(keyword, model);
      if (wanted.length === 0 && !families.some((family) => family.keywords.includes(keyword.kind))) continue;
      const parent = parentFor(subject, valid, place, keyword);
      if (typeof parent === "string") {
        for (const site of wanted) if (!broken.has(site)) reasons.set(site, parent);
        continue;
      }
      for (const site of breakAll(subject, invalid, place, keyword, parent, first)) broken.add(site);
      for (const site of wanted) {
        if (!broken.has(site) && isBreakable(site, keyword)) {
          const why = generic(subject, invalid, place, keyword, site, parent.draft);
          if (why === undefined) broken.add(site);
          else reasons.set(site, why);
        }
      }
    }
    if (node.always === false && !broken.has(node.location)) {
      const holder = parentless(subject, invalid, valid, place);
      if (holder) broken.add(node.location);
    }
  }
  const unbroken = [...reasons].filter(([site]) => !broken.has(site)).map(([site, why]) => ({ site, why }));
  return { valid: valid.all, invalid: invalid.all, broken, unbroken };
}

/** Members of an enumeration and branches of a choice are exercised by valid vectors, not broken. */
function isBreakable(site: Location, keyword: Keyword): boolean {
  return keyword.kind === "required" ? site !== keyword.site : site === keyword.site;
}

class Drafts {
  readonly all: Draft[] = [];
  readonly #byKey = new Map<string, Draft>();

  /** Adds the draft unless the same instance is there; returns the one that is in. */
  add(draft: Draft): Draft {
    const key = JSON.stringify(draft.data, sorted);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    this.#byKey.set(key, draft);
    this.all.push(draft);
    return draft;
  }

  has(data: Json): boolean {
    return this.#byKey.has(JSON.stringify(data, sorted));
  }
}

function sorted(_name: string, value: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value).sort();
  return names.every((name, index) => name === Object.keys(value)[index])
    ? value
    : (Object.fromEntries(names.map((name) => [name, (value as JsonObject)[name]])) as JsonObject);
}

function accept(
  { model, samples }: Subject,
  drafts: Drafts,
  place: Place,
  keyword: Keyword | undefined,
  demand: { name: string; detail?: string; also: Formula; says: string; tags?: string[] },
): void {
  const here: Formula = { op: "schema", node: place.node, sign: true, scope: place.scope };
  if ("none" in solve(model, [here, demand.also], { budget: 5000 })) return;
  const solution = reach(model, place, samples, demand.also);
  if (!("found" in solution) || !isValid(model, solution.found)) return;
  const at = keyword === undefined ? shallow(place, solution.found) : locate(model, place, keyword, solution.found);
  if (at === undefined) return;
  drafts.add({
    data: solution.found,
    name: [at, demand.name, ...(demand.detail === undefined ? [] : [demand.detail])],
    at,
    says: demand.says,
    tags: demand.tags ?? [],
    place,
    ...(keyword === undefined ? {} : { site: keyword.site }),
  });
}

/** The location of a place in an instance, taking the first item or member where any will do. */
function shallow(place: Place, instance: Json): string | undefined {
  let at = "";
  for (const segment of place.at) {
    const value = pointer.at(at, instance);
    if (typeof value !== "object" || value === null) return undefined;
    const name = segment === "*" ? Object.keys(value)[0] : segment;
    if (name === undefined) return undefined;
    at = pointer.append(at, name);
  }
  return pointer.has(at, instance) ? at : undefined;
}

interface Parent {
  draft: Draft;
  at: string;
}

/** The valid vector in which a keyword of a place will be broken, or why there is none. */
function parentFor({ model, samples }: Subject, drafts: Drafts, place: Place, keyword: Keyword): Parent | string {
  const solution = reach(model, place, samples, exercise(keyword));
  if ("none" in solution) return "no valid instance exercises it";
  if ("gaveUp" in solution) return solution.gaveUp;
  if (!isValid(model, solution.found)) return "the solver's instance is not valid";
  const at = locate(model, place, keyword, solution.found);
  if (at === undefined) return "the solver's instance does not reach it";
  return {
    at,
    draft: drafts.add({
      data: solution.found,
      name: [at, "exercised", keyword.kind],
      at,
      says: `exercises ${keyword.kind}`,
      tags: [],
      site: keyword.site,
      place,
    }),
  };
}

/** What a value must be like so that the keyword has something to say about it. */
function exercise(keyword: Keyword): Formula {
  switch (keyword.kind) {
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
    case "multipleOf":
      return { op: "kinds", kinds: kinds.integer | kinds.fraction };
    case "minLength":
    case "maxLength":
    case "pattern":
    case "format":
      return { op: "kinds", kinds: kinds.string };
    case "minItems":
      return facet(kinds.array, ({ array }) => {
        array.max = Math.min(array.max, Math.max(keyword.limit, 1));
      });
    case "uniqueItems":
      return facet(kinds.array, ({ array }) => {
        array.min = Math.max(array.min, 1);
      });
    case "maxItems":
    case "contains":
    case "items":
    case "unevaluatedItems":
    case "prefixItems":
      return { op: "kinds", kinds: kinds.array };
    case "dependentRequired":
      return facet(kinds.object, ({ object }) => {
        const [entry] = keyword.entries;
        if (entry !== undefined) object.required.add(entry[0]);
      });
    case "required":
    case "additionalProperties":
    case "unevaluatedProperties":
    case "propertyNames":
    case "minProperties":
    case "maxProperties":
      return { op: "kinds", kinds: kinds.object };
    default:
      return always;
  }
}

/** Plants every fault of every family; returns the sites that were broken. */
function breakAll(
  subject: Subject,
  drafts: Drafts,
  place: Place,
  keyword: Keyword,
  parent: Parent,
  first: boolean,
): Location[] {
  const { model } = subject;
  const { draft, at } = parent;
  const scope = enter(model, nodeAt(model, place.node), place.scope);
  const value = pointer.at(at, draft.data) as Json;
  const ground: Ground = {
    model,
    keyword,
    scope,
    parent: draft.data,
    at,
    value,
    first,
    foreign: foreignNames(model, place),
    declared: declaredNames(model, place.node),
    solve: (formulas, hint) => localValue(model, place, keyword, formulas, hint),
  };
  const broken: Location[] = [];
  for (const family of families) {
    if (!family.keywords.includes(keyword.kind)) continue;
    for (const proposal of family.propose(ground))
      if (plant(subject, drafts, place, draft, proposal)) broken.push(proposal.site);
  }
  return broken;
}

/** A value for formulas that also keeps to the other keywords of the place, or at least for the formulas alone. */
function localValue(
  model: Model,
  place: Place,
  keyword: Keyword,
  formulas: readonly Formula[],
  hint: Json | undefined,
): Json | undefined {
  const rest: Formula = {
    op: "schema",
    node: place.node,
    sign: true,
    scope: place.scope,
    focus: { steps: [], end: { break: keyword.site } },
  };
  const options = hint === undefined ? {} : { hint };
  for (const attempt of [[rest, ...formulas], formulas]) {
    const solution = solve(model, attempt, { ...options, budget: 20_000 });
    if ("found" in solution) return solution.found;
  }
  return undefined;
}

/** Adds the invalid instance if it breaks this site and nothing else: refused as it is, accepted once the site is gone. */
function plant({ model }: Subject, drafts: Drafts, place: Place, parent: Draft, proposal: Proposal): boolean {
  const data = patched(parent.data, proposal.change);
  if (data === undefined || JSON.stringify(data).length > 12 * longestPublished) return false;
  if (isValid(model, data) || !isValid(model, data, { without: proposal.site })) return false;
  // Where the validators differ on a format, the vector is kept all the same: the oracles will find it disputed.
  const doubtful = isValid(model, data, { formatDoubt: true });
  drafts.add({
    data,
    name: [proposal.at, proposal.fault, ...(proposal.detail === undefined ? [] : [proposal.detail])],
    at: proposal.at,
    says: proposal.says,
    tags: proposal.tags ?? [],
    site: proposal.site,
    place,
    fault: proposal.fault,
    parent,
    change: proposal.change,
  });
  return !doubtful;
}

/** The instance after a patch, or undefined when it does not apply. The parent is left as it is. */
export function patched(parent: Json, change: readonly Change[]): Json | undefined {
  const copy = { root: JSON.parse(JSON.stringify(parent)) as Json };
  const moved = change.map((operation) => ({ ...operation, path: `/root${operation.path}` }));
  const results = applyPatch(copy, moved as Change[]);
  return results.some((result) => result !== null) ? undefined : copy.root;
}

function isTooLarge(keyword: Keyword): boolean {
  if (keyword.kind === "maxLength" || keyword.kind === "minLength") return keyword.limit >= longestPublished;
  return "limit" in keyword && /Items|Properties/.test(keyword.kind) && keyword.limit >= mostPublished;
}

/** Leaves it to the solver to break a site when no family could. */
function generic(
  subject: Subject,
  drafts: Drafts,
  place: Place,
  keyword: Keyword,
  site: Location,
  parent: Draft,
): string | undefined {
  if (isTooLarge(keyword)) return "an instance that breaks it is too large to publish";
  const solution = breaking(subject.model, place, site, parent.data);
  if ("none" in solution) return "no instance breaks it alone";
  if ("gaveUp" in solution) return solution.gaveUp;
  const change = changeBetween(parent.data, solution.found);
  const at = change.length === 1 ? (change[0]?.path ?? "") : (locate(subject.model, place, keyword, parent.data) ?? "");
  const done = plant(subject, drafts, place, parent, {
    fault: "broken",
    detail: keyword.kind,
    site,
    at,
    change,
    says: `breaks ${keyword.kind}`,
  });
  return done ? undefined : "the instances that break it break something else too";
}

/** A schema that is plainly false below a name or index: anything there is too much. */
function parentless({ model, samples }: Subject, invalid: Drafts, valid: Drafts, place: Place): boolean {
  const solution = breaking(model, place, place.node, samples[0] ?? null);
  if (!("found" in solution)) return false;
  const above: Place = { ...place, steps: place.steps.slice(0, -1), at: place.at.slice(0, -1) };
  const base = reach(model, above, samples);
  if (!("found" in base) || !isValid(model, base.found)) return false;
  const parent = valid.add({
    data: base.found,
    name: [shallow(above, base.found) ?? "", "present"],
    at: "",
    says: "is present",
    tags: [],
  });
  const change = changeBetween(parent.data, solution.found);
  const at = change[0]?.path ?? "";
  return plant({ model, samples, elsewhere: new Set() }, invalid, place, parent, {
    fault: "forbidden-member",
    site: place.node,
    at,
    change,
    says: "must not be here",
  });
}
