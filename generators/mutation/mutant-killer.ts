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
import {
  assertionsOf,
  breakSameAssertions,
  findFailingSites,
  findViolations,
  isDoubtful,
} from "./failing-assertions.ts";
import { type Witness, Witnesses, witnessOf } from "./kills.ts";
import { keywordOf, type Mutant, requiredKills } from "./mutant.ts";
import { isTime, moveNearer } from "./near-texts.ts";
import { packValues } from "./packing.ts";
import { distinguishingCandidates, RuleKeepingValues } from "./right-values.ts";
import { type KillOffer, reduceBreaches, sortByBreaches } from "./rule-keeping.ts";
import { memberAdditions, nearestInstance, otherInstances } from "./surroundings.ts";

/** The maximum number of failed repairs of instances that break the same rules by a value at the same location. */
const maxFailedRepairs = 6;

/** The maximum number of violated assertions that are tried for isolation. */
const maxIsolationSites = 3;

/** Makes vectors that kill mutants. */
export class MutantKiller {
  readonly #subject: Subject;
  readonly #valid: Drafts;
  readonly #invalid: Drafts;
  /** Instances with a certain verdict: refused by the schema, or accepted by all rules of the protocol. */
  readonly #witnesses: Witnesses;
  /** Instances that the schema accepts but another rule may refuse. They never fail a target. */
  readonly #openWitnesses: Witnesses;
  /** Instances that were added to kill a mutant although other rules may refuse them, latest first. */
  readonly #undecidedInstances: Json[] = [];
  /** For each mutant, an instance that would have killed it if other rules did not refuse it. */
  readonly #setAsideOffers = new Map<Mutant, KillOffer>();
  /** The kills found among the witnesses so far. */
  readonly #killers = new Map<Mutant, { found: readonly Witness[]; seen: number }>();
  readonly #breachCache = new WeakMap<object, readonly string[]>();
  readonly #ruleKeepingValues: RuleKeepingValues;
  readonly #bases: Bases;
  /** The number of failed repairs, by location and broken rules. */
  readonly #failedRepairs = new Map<string, number>();
  /** Locations that valid drafts vary although the result breaks a rule. Such a rule may also refuse an instance that a mutant accepts. */
  readonly #ruledLocations: ReadonlySet<string>;
  #isPacked = false;
  readonly #root: EvaluationPlace;
  readonly #assertions: ReadonlySet<Location>;

  constructor(subject: Subject, valid: Drafts, invalid: Drafts) {
    this.#subject = subject;
    this.#valid = valid;
    this.#invalid = invalid;
    this.#ruleKeepingValues = new RuleKeepingValues(subject);
    this.#bases = new Bases(subject);
    // A disputed instance kills no mutant.
    const undisputed = [...valid.all, ...invalid.all].filter(({ data }) => !isDoubtful(subject.model, data));
    const witnesses = undisputed.map(({ data }) => witnessOf(subject.model, data));
    const isOpen = ({ data, valid }: Witness) => valid && !this.#keepsRules(data);
    this.#witnesses = new Witnesses(subject.model);
    this.#openWitnesses = new Witnesses(subject.model);
    for (const witness of witnesses) (isOpen(witness) ? this.#openWitnesses : this.#witnesses).add(witness);
    this.#ruledLocations = new Set(valid.all.flatMap(({ data, at }) => (this.#keepsRules(data) ? [] : at)));
    this.#assertions = assertionsOf(subject.model);
    this.#root = { node: subject.model.root, scope: {}, steps: [], at: [], isRepeatedStep: false };
  }

  /** Adds instances that combine the values of many others, on the first call. */
  pack(): void {
    if (this.#isPacked) return;
    this.#isPacked = true;
    const drafts = packValues(this.#subject, this.#valid.all).filter(({ data }) => !this.#valid.has(data));
    for (const draft of drafts) this.#witnesses.add(witnessOf(this.#subject.model, this.#valid.add(draft).data));
  }

  /** The first witnesses that kill the mutant, as many as are needed. */
  findKillers(mutant: Mutant): readonly Witness[] {
    const { found, seen } = this.#killers.get(mutant) ?? { found: [], seen: 0 };
    const missingKills = requiredKills(mutant) - found.length;
    if (missingKills <= 0) return found;
    const newKillers = this.#witnesses.findKillers(mutant, missingKills, { from: seen });
    this.#killers.set(mutant, { found: [...found, ...newKillers], seen: this.#witnesses.all.length });
    return [...found, ...newKillers];
  }

  /** Valid instances that break no rule, as starting points of searches. Those with a member `__proto__` are left out, because no change below the root can create it. */
  ruleKeepingInstances(): Json[] {
    const candidates = this.#witnesses.all.filter(
      ({ valid, data }) => valid && !JSON.stringify(data).includes('"__proto__":'),
    );
    return candidates.map(({ data }) => data);
  }

  /** Whether an instance was found that would kill the mutant but breaks other rules. */
  isSetAside(mutant: Mutant): boolean {
    return this.#setAsideOffers.has(mutant);
  }

  /** The rules that may refuse every instance that kills the mutant; undefined if no such instance is known. One of these instances becomes a vector anyway. */
  settleUndecided(mutant: Mutant): readonly string[] | undefined {
    const madeInstance = this.#undecidedInstances.find((data) => this.#openWitnesses.isKiller(mutant, data, true));
    const knownInstance = madeInstance ?? this.#openWitnesses.findKillers(mutant, 1)[0]?.data;
    const offer = this.#setAsideOffers.get(mutant);
    if (offer === undefined) return knownInstance === undefined ? undefined : this.#breachesOf(knownInstance);
    const rules = this.#breachesOf(offer.data);
    if (knownInstance !== undefined && this.#breachesOf(knownInstance).length <= rules.length)
      return this.#breachesOf(knownInstance);
    // There are too many similar mutants to publish a vector with an uncertain verdict for each.
    if (mutant.isFineGrained === true) return rules;
    this.#undecidedInstances.unshift(this.#addAccepted(mutant, offer, offer.data).data);
    return rules;
  }

  needsOversizedInstance(mutant: Mutant): boolean {
    // Schemas that the mutant adds are not in the model.
    const keywords = mutant.nodes.flatMap(({ location }) => this.#subject.model.nodes.get(location)?.keywords ?? []);
    return keywords.some((keyword) => keyword.site === mutant.site && isTooLarge(keyword));
  }

  /** Tries values at one place of a valid instance. */
  tryAtPlace(mutant: Mutant, place: EvaluationPlace): void {
    const { model } = this.#subject;
    const keyword = keywordOf(mutant, nodeAt(model, place.node).keywords);
    if (keyword === undefined) return;
    const { parent, at } = this.#bases.baseFor(place, keyword) ?? {};
    if (parent === undefined || at === undefined) return;
    const hint = pointer.at(at, parent);
    const replaceValue = (value: Json): Change[] => [{ op: "replace", path: at, value }];
    for (const candidate of distinguishingCandidates(this.#subject, this.#ruleKeepingValues, mutant, { place, hint })) {
      const changed = applyChanges(parent, replaceValue(candidate));
      if (changed === undefined) continue;
      const isRuled = this.#ruledLocations.has(at) && !isTime(hint) && !isValid(model, changed);
      const isAsGood = (text: string): boolean => {
        const data = applyChanges(parent, replaceValue(text)) as Json;
        if (isRuled && this.#invalid.has(data)) return false;
        return (
          breakSameAssertions(model, changed, data) && this.#witnesses.isKiller(mutant, data, isValid(model, changed))
        );
      };
      // Texts that nearly have a format are left alone, because validators differ on them.
      const isText = typeof candidate === "string" && mutant.keyword !== "format";
      const value = isText ? moveNearer(candidate, hint, isRuled, isAsGood) : candidate;
      const data = applyChanges(parent, replaceValue(value)) as Json;
      const name = [mutant.operator, nameOf(mutant)];
      const offer = { parent, data, name, change: smallerChange(replaceValue(value), hint, value, at) };
      this.#addIfKiller(mutant, { place, site: keyword.site, at, ...offer });
      if (this.findKillers(mutant).length >= requiredKills(mutant)) break;
    }
  }

  /** Makes a vector from a whole instance that kills the mutant. */
  tryInstance(mutant: Mutant, data: Json, byNode: ReadonlyMap<Location, EvaluationPlace[]>): boolean {
    const { samples } = this.#subject;
    const place = mutant.nodes
      .map(({ location }) => byNode.get(location)?.[0])
      .find((candidate) => candidate !== undefined);
    const parent = nearestInstance(this.#valid.all, data) ?? samples[0];
    if (parent === undefined) return false;
    const change = changeBetween(parent, data);
    const sites = [mutant.site, mutant.entryOf ?? mutant.site, ...findFailingSites(this.#subject.model, data)];
    for (const site of new Set(sites)) {
      const at = change.length === 1 ? (change[0]?.path ?? "") : "";
      const proposal = { parent, data, name: [mutant.operator, nameOf(mutant)], change };
      if (this.#addIfKiller(mutant, { place: place ?? this.#root, site, at, ...proposal })) return true;
    }
    return false;
  }

  /** For an instance that violates several assertions: makes a vector from a similar one that violates only one and still kills the mutant. */
  isolate(mutant: Mutant, data: Json, byNode: ReadonlyMap<Location, EvaluationPlace[]>): boolean {
    const { model } = this.#subject;
    const isTouched = (site: Location): boolean => mutant.nodes.some(({ location }) => site.startsWith(`${location}/`));
    const violatedSites = findViolations(model, data).filter((site) => this.#assertions.has(site));
    const triedSites = [...violatedSites.filter(isTouched), ...violatedSites.filter((site) => !isTouched(site))].slice(
      0,
      maxIsolationSites,
    );
    return triedSites.some((site) => {
      const isolated = isolatingInstance(model, mutant, site, data);
      return isolated !== undefined && this.tryInstance(mutant, isolated, byNode);
    });
  }

  /** Makes a second vector that kills the mutant: the same fault in another valid instance, or the same instance with one more member. */
  repeatKill(mutant: Mutant): void {
    const [killer] = this.findKillers(mutant);
    const source = [...this.#valid.all, ...this.#invalid.all].find((draft) => draft.data === killer?.data);
    if (source === undefined) return;
    const { site = mutant.site, place = this.#root, at } = source;
    const name = [...source.name.slice(1), "elsewhere"];
    const sameValue: Change[] = [{ op: "replace", path: at, value: pointer.at(at, source.data) as Json }];
    const change = source.change ?? sameValue;
    for (const parent of sortByBreaches(this.#subject, otherInstances(this.#valid.all, source))) {
      const data = applyChanges(parent, change);
      if (data !== undefined && this.#addIfKiller(mutant, { place, site, at, parent, data, name, change })) return;
    }
    for (const addition of memberAdditions(this.#valid.all, source)) {
      const parent = applyChanges(source.parent?.data ?? source.data, addition);
      const data = applyChanges(source.data, addition);
      if (parent === undefined || data === undefined) continue;
      const offer = { place, site, at, parent, data, name, change: source.change ?? addition };
      if (this.#addIfKiller(mutant, offer)) return;
    }
  }

  /** Adds the instance as a valid or a one-fault vector if it kills the mutant and is new. */
  #addIfKiller(mutant: Mutant, { place, site, at, parent, data, name, change }: KillOffer): boolean {
    const { model } = this.#subject;
    // A known valid instance that breaks rules may still be repaired.
    if (this.#invalid.has(data) || (this.#valid.has(data) && this.#keepsRules(data))) return false;
    const valid = isValid(model, data);
    if (!this.#witnesses.isKiller(mutant, data, valid)) return false;
    if (this.findKillers(mutant).some((killer) => postponeTimesIn(killer.data) === postponeTimesIn(data))) return false;
    const offer = { place, site, at, parent, data, name, change };
    if (valid) {
      const keepingRules = this.#repairToKeepRules(mutant, offer);
      if (keepingRules === undefined || this.#valid.has(keepingRules)) return false;
      this.#witnesses.add({
        ...witnessOf(model, keepingRules),
        data: this.#addAccepted(mutant, offer, keepingRules).data,
      });
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

  /** Adds an instance that violates one assertion alone, or several if one of them is decisive. */
  #injectFault(mutant: Mutant, { place, site, at, parent, data, name, change }: KillOffer): Draft | undefined {
    const { keyword } = mutant;
    const base = {
      name: [at, "exercised", keyword],
      says: `exercises ${keyword}`,
      tags: [],
      features: [],
      uniqueFeatures: [],
    };
    const addParent = (): Draft => this.#valid.add({ ...base, data: parent, at, site, place });
    const [fault = mutant.operator, ...rest] = name;
    const says = `is accepted if ${mutant.says}`;
    const tags = ["forcing"];
    const detail = rest.join("-");
    const brokenSite = this.#isolatedSite(site, data);
    if (brokenSite !== undefined) {
      const proposal = { fault, detail, site: brokenSite, at, change, says, tags };
      if (inject(this.#subject, this.#invalid, { place, parent: addParent(), proposal }))
        return this.#invalid.all.at(-1);
    }
    const blame = isDoubtful(this.#subject.model, data) ? undefined : blameFor(this.#subject, data, "anywhere");
    if (blame === undefined || blame.isAlone) return undefined;
    const draftParts = {
      name: [at, fault, detail],
      at,
      says,
      tags,
      fault,
      change,
      parent: addParent(),
      features: [],
      uniqueFeatures: [],
    };
    return this.#invalid.add({ ...draftParts, data, because: blame.site, place: blame.place, route: blame.route });
  }

  /** Returns the instance, or a repaired one, that breaks no rule and still kills the mutant. Otherwise sets the offer aside. */
  #repairToKeepRules(mutant: Mutant, offer: KillOffer): Json | undefined {
    if (this.#keepsRules(offer.data)) return offer.data;
    const rules = this.#breachesOf(offer.data);
    // If the whole instance is changed, each mutant may need a different repair.
    const attempt = `${offer.at === "" ? mutant.says : offer.at} ${rules.join(" ")}`;
    const failures = this.#failedRepairs.get(attempt) ?? 0;
    if (failures < maxFailedRepairs) {
      const isKiller = (data: Json): boolean => this.#witnesses.isKiller(mutant, data, true);
      const repaired = repair(this.#subject, offer.place, { instance: offer.data, kept: offer.at, stays: isKiller });
      if (this.#keepsRules(repaired)) return repaired;
      this.#failedRepairs.set(attempt, failures + 1);
      this.#setAside(mutant, { ...offer, data: repaired });
    }
    this.#setAside(mutant, offer);
    return undefined;
  }

  /** Keeps, for each mutant, the offer that breaks the fewest rules. */
  #setAside(mutant: Mutant, offer: KillOffer): void {
    const bestOffer = this.#setAsideOffers.get(mutant);
    if (bestOffer === undefined || this.#breachesOf(offer.data).length < this.#breachesOf(bestOffer.data).length)
      this.#setAsideOffers.set(mutant, offer);
  }

  #breachesOf(data: Json): readonly string[] {
    if (typeof data !== "object" || data === null) return this.#subject.breaches?.(data) ?? [];
    const ruleIds = this.#breachCache.get(data) ?? this.#subject.breaches?.(data) ?? [];
    this.#breachCache.set(data, ruleIds);
    return ruleIds;
  }

  #keepsRules(data: Json): boolean {
    return this.#breachesOf(data).length === 0;
  }

  /** Adds an instance that must be accepted. */
  #addAccepted(mutant: Mutant, { place, site, at, name, parent, change: offeredChange }: KillOffer, data: Json): Draft {
    // Repairs elsewhere are not part of the described change, unless the whole instance is changed.
    const localChange = offeredChange.length === 1 ? offeredChange : [];
    const change = at === "" ? changeBetween(parent, data) : localChange;
    const description = sentenceOf(mutant, { valid: true, at, data, change });
    const says = `is refused if ${mutant.says}`;
    const draftParts = {
      name: [at, ...name],
      at,
      says,
      description,
      tags: ["forcing"],
      features: [],
      uniqueFeatures: [],
    };
    return this.#valid.add({ ...draftParts, data, site, place });
  }

  /** The assertion that an instance isolates: the mutant's own, unless its keyword only applies other schemas. */
  #isolatedSite(site: Location, data: Json): Location | undefined {
    return [site, ...findFailingSites(this.#subject.model, data)].find((candidate) => this.#assertions.has(candidate));
  }
}
