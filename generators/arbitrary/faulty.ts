import type fc from "fast-check";
import { type Change, type Json, type JsonObject, TouchstoneError } from "../../schemas/index.ts";
import { patched } from "../changes/patch.ts";
import { compileModel } from "../compile/compile.ts";
import { contextFor } from "../drafts/local.ts";
import { locate, reach } from "../drafts/reach.ts";
import { type FaultStep, routeTo } from "../drafts/route.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import type { FaultContext, Proposal } from "../faults/fault.ts";
import { families } from "../faults/index.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { below, once, pick, type Random } from "../sample/random.ts";
import { type Sampler, type SamplerOptions, samplerFor } from "../sample/sampler.ts";
import { arbitraryOf } from "./drawn.ts";
import { smaller } from "./smaller.ts";
import { isJson } from "./valid.ts";

/** An instance that breaks one site and nothing else: the schema refuses it, and accepts it once the site is gone. */
export interface Faulty {
  data: Json;
  site: Location;
  /** JSON Pointer to the fault. */
  at: string;
  fault: string;
  /** The references, conditions and members that lead to the site, in order. */
  via: readonly FaultStep[];
  /** The valid instance that it was made from, and the change that makes it. */
  parent: Json;
  change: readonly Change[];
}

/** One place where families have something to break. */
interface Target {
  place: EvaluationPlace;
  keyword: Keyword;
}

/** A valid instance, and where in it a keyword applies. */
interface Located {
  parent: Json;
  at: string;
}

const attempts = 200;
/** How many sites are tried on a random instance before another one is drawn. */
const attemptsEach = 8;
const mostProposals = 16;
const budget = 3000;

/**
 * Instances that break exactly one site of the schema `id`, which is among `schemas`, as a fast-check arbitrary. One shrinks to smaller
 * ones that break the same site and still nothing else. Throws a usage error when there is nothing to break.
 */
export async function faultyArbitraryFor(
  schemas: readonly JsonObject[],
  id: string,
  options: SamplerOptions = {},
): Promise<fc.Arbitrary<Faulty>> {
  const model = await compileModel(schemas, id);
  const draw = drawer(model, samplerFor(model, options), options.samples ?? []);
  return arbitraryOf<Faulty>({
    draw,
    smaller: (faulty) => smallerFaults(model, faulty),
    belongs: (value): value is Faulty => isFaulty(model, value),
  });
}

function drawer(model: Model, sampler: Sampler, samples: readonly Json[]): (random: Random) => Faulty {
  const bySite = new Map<Location, Target[]>();
  for (const place of places(model)) {
    for (const keyword of nodeAt(model, place.node).keywords) {
      if (!families.some((family) => family.keywords.includes(keyword.kind))) continue;
      bySite.set(keyword.site, [...(bySite.get(keyword.site) ?? []), { place, keyword }]);
    }
  }
  const sites = [...bySite.values()];
  const reached = new Map<Target, Located | undefined>();
  /** A valid instance that is known to go through the place, for those that few instances reach. */
  const reaching = (target: Target): Located | undefined => {
    if (!reached.has(target)) {
      const solution = reach(model, target.place, samples);
      reached.set(target, "found" in solution ? located(model, target, solution.found) : undefined);
    }
    return reached.get(target);
  };
  return (random) => {
    let drawn = sampler.next(random);
    for (let attempt = 0; attempt < attempts && sites.length > 0; attempt += 1) {
      const target = pick(random, pick(random, sites));
      if (attempt % attemptsEach === attemptsEach - 1) drawn = sampler.next(random);
      const spot = once(random, 4) ? reaching(target) : located(model, target, drawn);
      const found = spot === undefined ? undefined : injected(random, model, target, spot);
      if (found !== undefined) return found;
    }
    throw new TouchstoneError("usage", "no fault could be injected", { where: model.root });
  };
}

function located(model: Model, { place, keyword }: Target, parent: Json): Located | undefined {
  const at = locate(model, place, keyword, parent);
  return at === undefined ? undefined : { parent, at };
}

/** One of the faults that the families propose for a keyword at a location, if it breaks that site alone. */
function injected(
  random: Random,
  model: Model,
  { place, keyword }: Target,
  { parent, at }: Located,
): Faulty | undefined {
  const context = contextFor(model, place, keyword, { parent, at, first: true }, { budget, anyhow: false });
  const proposals: Proposal[] = [];
  const wanted = 1 + below(random, mostProposals);
  for (const proposal of proposalsFor(context)) {
    proposals.push(proposal);
    if (proposals.length >= wanted) break;
  }
  for (const proposal of proposals.reverse()) {
    const found = faultyOf(model, parent, { ...proposal, via: routeTo(model, place, proposal.site) });
    if (found !== undefined) return found;
  }
  return undefined;
}

function* proposalsFor(context: FaultContext): Generator<Proposal> {
  for (const family of families) if (family.keywords.includes(context.keyword.kind)) yield* family.propose(context);
}

type Planned = Pick<Faulty, "site" | "at" | "fault" | "via" | "change">;

function faultyOf(model: Model, parent: Json, { site, at, fault, via, change }: Planned): Faulty | undefined {
  const data = patched(parent, change);
  if (data === undefined || !isolates(model, data, site)) return undefined;
  return { data, site, at, fault, via, parent, change };
}

/** Refused as it is, whatever one thinks of a format in doubt, and accepted without the site. */
function isolates(model: Model, data: Json, site: Location): boolean {
  return !isValid(model, data, { formatDoubt: true }) && isValid(model, data, { without: site });
}

/** The parent made smaller with the same change, then the changed value made smaller. */
function* smallerFaults(model: Model, { site, at, fault, via, parent, change }: Faulty): Generator<Faulty> {
  for (const edit of smaller(parent)) {
    if (!isValid(model, edit.value)) continue;
    const paths = change.map(({ path }) => edit.moved(path));
    const moved = edit.moved(at);
    if (moved === undefined || paths.includes(undefined)) continue;
    const same = change.map((operation, index) => ({ ...operation, path: paths[index] as string }));
    const found = faultyOf(model, edit.value, { site, at: moved, fault, via, change: same });
    if (found !== undefined) yield found;
  }
  for (const [index, operation] of change.entries()) {
    if (!("value" in operation)) continue;
    for (const { value } of smaller(operation.value as Json)) {
      const other = change.with(index, { ...operation, value } as Change);
      const found = faultyOf(model, parent, { site, at, fault, via, change: other });
      if (found !== undefined) yield found;
    }
  }
}

function isFaulty(model: Model, value: unknown): value is Faulty {
  const { data, site, parent, change } = (value ?? {}) as Partial<Faulty>;
  return (
    isJson(data) &&
    isJson(parent) &&
    typeof site === "string" &&
    Array.isArray(change) &&
    isValid(model, parent) &&
    isolates(model, data, site)
  );
}
