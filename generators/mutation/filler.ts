import { type Change, type Json, pointer } from "../../schemas/index.ts";
import { changeBetween, smallerChange } from "../changes/difference.ts";
import { applyChanges } from "../changes/patch.ts";
import { blameFor } from "../drafts/blame.ts";
import type { Draft, Drafts, Subject } from "../drafts/draft.ts";
import { inject, isTooLarge } from "../drafts/inject.ts";
import { repair } from "../drafts/repair.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { postponeTimesIn } from "../formats/future-times.ts";
import { type Location, nodeAt } from "../model/model.ts";
import { Bases } from "./bases.ts";
import { nameOf, sentenceOf } from "./describe.ts";
import { isolatingInstance } from "./distinguish.ts";
import { assertionsOf, breaksTheSame, findFailingSites, findViolations, isDoubtful } from "./failing-assertions.ts";
import { type Witness, Witnesses, witnessOf } from "./kills.ts";
import { keywordOf, killsWanted, type Mutant } from "./mutant.ts";
import { isTime, moveNearer } from "./near-texts.ts";
import { packValues } from "./packing.ts";
import { candidates, RightValues } from "./right-values.ts";
import { type KillOffer, reduceBreaches, rightFirst } from "./rule-keeping.ts";
import { memberAdditions, nearestInstance, otherInstances } from "./surroundings.ts";

/** The maximum number of failed repairs of instances that break the same rules by a value at the same location. */
const maxFailed = 6;

/** The maximum number of violated assertions that are tried for isolation. */
const maxIsolated = 3;

/** Makes vectors that kill mutants. */
export class Filler {
  readonly #subject: Subject;
  readonly #valid: Drafts;
  readonly #invalid: Drafts;
  /** Deciding instances: refused by the schema, or accepted by all rules of the protocol. */
  readonly #witnesses: Witnesses;
  /** Instances that the schema accepts and another rule may refuse. No target fails because of them. */
  readonly #open: Witnesses;
  /** The instances made for a mutant that other rules may refuse, the last first. */
  readonly #undecidedInstances: Json[] = [];
  /** For each mutant, an instance that would have killed it if other rules did not refuse it. */
  readonly #setAsideOffers = new Map<Mutant, KillOffer>();
  /** The kills found among the witnesses so far. */
  readonly #killers = new Map<Mutant, { found: readonly Witness[]; seen: number }>();
  readonly #breaches = new WeakMap<object, readonly string[]>();
  readonly #right: RightValues;
  readonly #bases: Bases;
  /** How often a violation of these rules at a location could not be repaired. */
  readonly #failed = new Map<string, number>();
  /** Locations of accepted instances that break a rule of some level. Such a rule may also refuse an instance that a mutant accepts. */
  readonly #ruledLocations: ReadonlySet<string>;
  #isPacked = false;
  readonly #root: EvaluationPlace;
  readonly #assertions: ReadonlySet<Location>;

  constructor(subject: Subject, valid: Drafts, invalid: Drafts) {
    this.#subject = subject;
    this.#valid = valid;
    this.#invalid = invalid;
    this.#right = new RightValues(subject);
    this.#bases = new Bases(subject);
    // A disputed instance kills nothing.
    const settled = [...valid.all, ...invalid.all].filter(({ data }) => !isDoubtful(subject.model, data));
    const witnesses = settled.map(({ data }) => witnessOf(subject.model, data));
    const isOpen = ({ data, valid }: Witness) => valid && !this.#keeps(data);
    this.#witnesses = new Witnesses(subject.model);
    this.#open = new Witnesses(subject.model);
    for (const witness of witnesses) (isOpen(witness) ? this.#open : this.#witnesses).add(witness);
    this.#ruledLocations = new Set(valid.all.flatMap(({ data, at }) => (this.#keeps(data) ? [] : at)));
    this.#assertions = assertionsOf(subject.model);
    this.#root = { node: subject.model.root, scope: {}, steps: [], at: [], again: false };
  }

  /** Adds instances that combine the values of many others, on the first call. */
  pack(): void {
    if (this.#isPacked) return;
    this.#isPacked = true;
    const drafts = packValues(this.#subject, this.#valid.all).filter(({ data }) => !this.#valid.has(data));
    for (const draft of drafts) this.#witnesses.add(witnessOf(this.#subject.model, this.#valid.add(draft).data));
  }

  /** The first witnesses that kill the mutant, as many as should. */
  killers(mutant: Mutant): readonly Witness[] {
    const { found, seen } = this.#killers.get(mutant) ?? { found: [], seen: 0 };
    const lacking = killsWanted(mutant) - found.length;
    if (lacking <= 0) return found;
    const more = this.#witnesses.killers(mutant, lacking, { from: seen });
    this.#killers.set(mutant, { found: [...found, ...more], seen: this.#witnesses.all.length });
    return [...found, ...more];
  }

  /** Valid instances that break no rule, near which others are searched for. An instance with a member `__proto__` is left out, because only a change of the whole can make it. */
  nearbyInstances(): Json[] {
    const plain = this.#witnesses.all.filter(
      ({ valid, data }) => valid && !JSON.stringify(data).includes('"__proto__":'),
    );
    return plain.map(({ data }) => data);
  }

  /** Whether an instance was found that would kill the mutant but breaks other rules. */
  isAside(mutant: Mutant): boolean {
    return this.#setAsideOffers.has(mutant);
  }

  /** The rules that may refuse the only instances that kill the mutant. One such instance becomes a vector anyway. Undefined if there is none. */
  undecided(mutant: Mutant): readonly string[] | undefined {
    const made = this.#undecidedInstances.find((data) => this.#open.isKiller(mutant, data, true));
    const known = made ?? this.#open.killers(mutant, 1)[0]?.data;
    const offer = this.#setAsideOffers.get(mutant);
    if (offer === undefined) return known === undefined ? undefined : this.#breached(known);
    const rules = this.#breached(offer.data);
    if (known !== undefined && this.#breached(known).length <= rules.length) return this.#breached(known);
    // With many similar mutants, an undecided instance is not worth a vector.
    if (mutant.fine === true) return rules;
    this.#undecidedInstances.unshift(this.#accepted(mutant, offer, offer.data).data);
    return rules;
  }

  asksTooMuch(mutant: Mutant): boolean {
    // A mutant may contain schemas that the model lacks.
    const keywords = mutant.nodes.flatMap(({ location }) => this.#subject.model.nodes.get(location)?.keywords ?? []);
    return keywords.some((keyword) => keyword.site === mutant.site && isTooLarge(keyword));
  }

  /** Tries values at one place of a valid instance. */
  tryAtPlace(mutant: Mutant, place: EvaluationPlace): void {
    const { model } = this.#subject;
    const keyword = keywordOf(mutant, nodeAt(model, place.node).keywords);
    if (keyword === undefined) return;
    const { parent, at } = this.#bases.at(place, keyword) ?? {};
    if (parent === undefined || at === undefined) return;
    const hint = pointer.at(at, parent);
    const replaceValue = (value: Json): Change[] => [{ op: "replace", path: at, value }];
    for (const found of candidates(this.#subject, this.#right, mutant, { place, hint })) {
      const changed = applyChanges(parent, replaceValue(found));
      if (changed === undefined) continue;
      const isRuled = this.#ruledLocations.has(at) && !isTime(hint) && !isValid(model, changed);
      const isAsGood = (text: string): boolean => {
        const data = applyChanges(parent, replaceValue(text)) as Json;
        if (isRuled && this.#invalid.has(data)) return false;
        return breaksTheSame(model, changed, data) && this.#witnesses.isKiller(mutant, data, isValid(model, changed));
      };
      // Validators differ on texts that are nearly of a format.
      const isText = typeof found === "string" && mutant.keyword !== "format";
      const value = isText ? moveNearer(found, hint, isRuled, isAsGood) : found;
      const data = applyChanges(parent, replaceValue(value)) as Json;
      const name = [mutant.operator, nameOf(mutant)];
      const offer = { parent, data, name, change: smallerChange(replaceValue(value), hint, value, at) };
      this.#offer(mutant, { place, site: keyword.site, at, ...offer });
      if (this.killers(mutant).length >= killsWanted(mutant)) break;
    }
  }

  /** Makes a vector from a whole instance that kills the mutant. */
  tryInstance(mutant: Mutant, data: Json, byNode: ReadonlyMap<Location, EvaluationPlace[]>): boolean {
    const { samples } = this.#subject;
    const place = mutant.nodes.map(({ location }) => byNode.get(location)?.[0]).find((each) => each !== undefined);
    const parent = nearestInstance(this.#valid.all, data) ?? samples[0];
    if (parent === undefined) return false;
    const change = changeBetween(parent, data);
    const sites = [mutant.site, mutant.entryOf ?? mutant.site, ...findFailingSites(this.#subject.model, data)];
    for (const site of new Set(sites)) {
      const at = change.length === 1 ? (change[0]?.path ?? "") : "";
      const made = { parent, data, name: [mutant.operator, nameOf(mutant)], change };
      if (this.#offer(mutant, { place: place ?? this.#root, site, at, ...made })) return true;
    }
    return false;
  }

  /** Makes a vector from an instance that breaks only one of several broken assertions and still kills the mutant. */
  isolate(mutant: Mutant, data: Json, byNode: ReadonlyMap<Location, EvaluationPlace[]>): boolean {
    const { model } = this.#subject;
    const isTouched = (site: Location): boolean => mutant.nodes.some(({ location }) => site.startsWith(`${location}/`));
    const all = findViolations(model, data).filter((site) => this.#assertions.has(site));
    const some = [...all.filter(isTouched), ...all.filter((site) => !isTouched(site))].slice(0, maxIsolated);
    return some.some((site) => {
      const found = isolatingInstance(model, mutant, site, data);
      return found !== undefined && this.tryInstance(mutant, found, byNode);
    });
  }

  /** Repeats the fault that kills the mutant in other valid instances, or the value in other surroundings. */
  repeatKill(mutant: Mutant): void {
    const [killer] = this.killers(mutant);
    const source = [...this.#valid.all, ...this.#invalid.all].find((draft) => draft.data === killer?.data);
    if (source === undefined) return;
    const { site = mutant.site, place = this.#root, at } = source;
    const name = [...source.name.slice(1), "elsewhere"];
    const sameValue: Change[] = [{ op: "replace", path: at, value: pointer.at(at, source.data) as Json }];
    const change = source.change ?? sameValue;
    for (const parent of rightFirst(this.#subject, otherInstances(this.#valid.all, source))) {
      const data = applyChanges(parent, change);
      if (data !== undefined && this.#offer(mutant, { place, site, at, parent, data, name, change })) return;
    }
    for (const more of memberAdditions(this.#valid.all, source)) {
      const parent = applyChanges(source.parent?.data ?? source.data, more);
      const data = applyChanges(source.data, more);
      if (parent === undefined || data === undefined) continue;
      const offer = { place, site, at, parent, data, name, change: source.change ?? more };
      if (this.#offer(mutant, offer)) return;
    }
  }

  /** Adds the instance as a valid or a one-fault vector if it kills the mutant and is new. */
  #offer(mutant: Mutant, { place, site, at, parent, data, name, change }: KillOffer): boolean {
    const { model } = this.#subject;
    // An existing instance that breaks other rules may still be repaired.
    if (this.#invalid.has(data) || (this.#valid.has(data) && this.#keeps(data))) return false;
    const valid = isValid(model, data);
    if (!this.#witnesses.isKiller(mutant, data, valid)) return false;
    if (this.killers(mutant).some((known) => postponeTimesIn(known.data) === postponeTimesIn(data))) return false;
    const offer = { place, site, at, parent, data, name, change };
    if (valid) {
      const kept = this.#kept(mutant, offer);
      if (kept === undefined || this.#valid.has(kept)) return false;
      this.#witnesses.add({ ...witnessOf(model, kept), data: this.#accepted(mutant, offer, kept).data });
      return true;
    }
    const isNew = (data: Json): boolean => !this.#invalid.has(data) && this.#witnesses.isKiller(mutant, data, false);
    const injected = isValid(model, parent)
      ? this.#injectFault(mutant, reduceBreaches(this.#subject, offer, isNew))
      : undefined;
    if (injected === undefined) return false;
    injected.description = sentenceOf(mutant, { valid: false, at, data: injected.data, change });
    this.#witnesses.add(witnessOf(model, injected.data));
    return true;
  }

  /** Adds an instance that breaks one assertion alone, or several with a decisive one. */
  #injectFault(mutant: Mutant, { place, site, at, parent, data, name, change }: KillOffer): Draft | undefined {
    const { keyword } = mutant;
    const base = {
      name: [at, "exercised", keyword],
      says: `exercises ${keyword}`,
      tags: [],
      features: [],
      uniqueFeatures: [],
    };
    const draft = (): Draft => this.#valid.add({ ...base, data: parent, at, site, place });
    const [fault = mutant.operator, ...rest] = name;
    const says = `is accepted if ${mutant.says}`;
    const tags = ["forcing"];
    const detail = rest.join("-");
    const broken = this.#asserted(site, data);
    if (broken !== undefined) {
      const proposal = { fault, detail, site: broken, at, change, says, tags };
      if (inject(this.#subject, this.#invalid, { place, parent: draft(), proposal })) return this.#invalid.all.at(-1);
    }
    const blame = isDoubtful(this.#subject.model, data) ? undefined : blameFor(this.#subject, data, "anywhere");
    if (blame === undefined || blame.alone) return undefined;
    const told = {
      name: [at, fault, detail],
      at,
      says,
      tags,
      fault,
      change,
      parent: draft(),
      features: [],
      uniqueFeatures: [],
    };
    return this.#invalid.add({ ...told, data, because: blame.site, place: blame.place, route: blame.route });
  }

  /** The instance, or a similar one, that breaks no rule and still kills the mutant. Others are set aside. */
  #kept(mutant: Mutant, offer: KillOffer): Json | undefined {
    if (this.#keeps(offer.data)) return offer.data;
    const rules = this.#breached(offer.data);
    // For the whole, each mutant leaves something else to repair.
    const attempt = `${offer.at === "" ? mutant.says : offer.at} ${rules.join(" ")}`;
    const failed = this.#failed.get(attempt) ?? 0;
    if (failed < maxFailed) {
      const isKiller = (data: Json): boolean => this.#witnesses.isKiller(mutant, data, true);
      const repaired = repair(this.#subject, offer.place, { instance: offer.data, kept: offer.at, stays: isKiller });
      if (this.#keeps(repaired)) return repaired;
      this.#failed.set(attempt, failed + 1);
      this.#setAside(mutant, { ...offer, data: repaired });
    }
    this.#setAside(mutant, offer);
    return undefined;
  }

  /** Remembers the instance that breaks the fewest rules. */
  #setAside(mutant: Mutant, offer: KillOffer): void {
    const before = this.#setAsideOffers.get(mutant);
    if (before === undefined || this.#breached(offer.data).length < this.#breached(before.data).length)
      this.#setAsideOffers.set(mutant, offer);
  }

  #breached(data: Json): readonly string[] {
    if (typeof data !== "object" || data === null) return this.#subject.breaches?.(data) ?? [];
    const known = this.#breaches.get(data) ?? this.#subject.breaches?.(data) ?? [];
    this.#breaches.set(data, known);
    return known;
  }

  #keeps(data: Json): boolean {
    return this.#breached(data).length === 0;
  }

  /** Adds an instance that must be accepted. */
  #accepted(mutant: Mutant, { place, site, at, name, parent, change: offered }: KillOffer, data: Json): Draft {
    // A repair elsewhere is not part of the change, unless the whole is changed.
    const change = at === "" ? changeBetween(parent, data) : offered.length === 1 ? offered : [];
    const description = sentenceOf(mutant, { valid: true, at, data, change });
    const says = `is refused if ${mutant.says}`;
    const said = { name: [at, ...name], at, says, description, tags: ["forcing"], features: [], uniqueFeatures: [] };
    return this.#valid.add({ ...said, data, site, place });
  }

  /** The assertion that an instance isolates. It is that of the mutant, unless the mutant is in a keyword that only leads to others. */
  #asserted(site: Location, data: Json): Location | undefined {
    return [site, ...findFailingSites(this.#subject.model, data)].find((each) => this.#assertions.has(each));
  }
}
