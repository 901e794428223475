import type { Json, JsonObject } from "../../schemas/index.ts";
import { acceptances } from "../accept/index.ts";
import { families } from "../faults/index.ts";
import { type Filled, fill } from "../forcing/fill.ts";
import { isValid } from "../model/evaluate.ts";
import { type Keyword, type Location, nodeAt } from "../model/model.ts";
import { type Place, places, sites, sitesOf } from "../model/paths.ts";
import { always, type Formula } from "../solve/formula.ts";
import { solve } from "../solve/solve.ts";
import { accept } from "./accept.ts";
import { type Draft, Drafts, type Subject } from "./draft.ts";
import { parentFor } from "./parent.ts";
import { breakAll, generic, parentless } from "./plant.ts";

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
  forcing: Filled;
}

/** Everything to be asked of an implementation of one schema: valid instances, and invalid ones that break one site each. */
export function plan(subject: Subject, schemas: readonly JsonObject[]): Plan {
  const { valid, invalid, broken, reasons } = planFaults(subject);
  const unbroken = [...reasons].filter(([site]) => !broken.has(site)).map(([site, why]) => ({ site, why }));
  const forcing = fill(subject, schemas, valid, invalid);
  return { valid: valid.all, invalid: invalid.all, broken, unbroken, forcing };
}

interface Faults {
  valid: Drafts;
  invalid: Drafts;
  broken: Set<Location>;
  reasons: Map<Location, string>;
}

/** Valid instances that show what must be accepted, and invalid ones that break one assertion each. */
function planFaults(subject: Subject): Faults {
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
  for (const place of worthwhile(places(model))) {
    const node = nodeAt(model, place.node);
    let planted = false;
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
      // One fault shows that the way is taken; what lies there is tested in full where it is reached first.
      if (place.again && planted) continue;
      const parent = parentFor(subject, valid, place, keyword);
      if (typeof parent === "string") {
        // Where nothing valid goes, the smallest valid instance is a parent all the same.
        const [smallest] = valid.all;
        for (const site of wanted) {
          if (broken.has(site)) continue;
          const why =
            smallest !== undefined && isBreakable(site, keyword)
              ? generic(subject, invalid, place, keyword, site, smallest)
              : parent;
          if (why === undefined) broken.add(site);
          else reasons.set(site, why);
        }
        continue;
      }
      for (const site of breakAll(subject, invalid, place, keyword, parent, first)) {
        broken.add(site);
        planted = true;
      }
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
  return { valid, invalid, broken, reasons };
}

/** For each assertion whether some invalid instance breaks it alone, or else why not. */
export function breakable(subject: Subject): Map<Location, string> {
  const { broken, reasons } = planFaults(subject);
  const all = sites(subject.model).filter((site) => !/\/(enum|oneOf|anyOf)\/[0-9]+$/.test(site));
  return new Map(
    all.map((site) => [site, broken.has(site) ? "broken" : (reasons.get(site) ?? "no valid instance reaches it")]),
  );
}

/** Ways that only repeat what another way has shown are many in schemas of many references: then the shortest of them have to do. */
const mostRepeated = 150;

function worthwhile(all: readonly Place[]): Place[] {
  let repeated = 0;
  return all.filter(({ again }) => {
    if (again) repeated += 1;
    return !again || repeated <= mostRepeated;
  });
}

/** Members of an enumeration and branches of a choice are exercised by valid vectors, not broken. */
function isBreakable(site: Location, keyword: Keyword): boolean {
  return keyword.kind === "required" ? site !== keyword.site : site === keyword.site;
}
