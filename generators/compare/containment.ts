import { type Json, pointer } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Formula } from "../formulas/formula.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { isEndless } from "../solve/endless-recursion.ts";
import { type Solution, solve } from "../solve/solve.ts";
import type { AssertionCause } from "./cause.ts";
import { causesOf } from "./causes.ts";
import { findAssumable, type Joined, joinModels } from "./joined-models.ts";
import { keyOf, type Pair, type Pairing, pairModels } from "./pairs.ts";
import { findUncoveredParts } from "./parts.ts";
import { addOldSchemas, relaxModel } from "./relaxed-model.ts";
import { findEqualNumbers } from "./schema-contents.ts";
import { messageWith, shrinkInstance } from "./smallest-instance.ts";

/** A message that the old model accepts and the new one refuses, and the assertions that refuse it. */
export interface Refused {
  message: Json;
  causes: readonly AssertionCause[];
  /** The place in the old model that corresponds to the first cause, or contains it. */
  old: Location | undefined;
}

/** The messages that one model accepts and another refuses. */
export interface Containment {
  refused: Refused[];
  /** Why it is unknown whether there are more; absent if it is proven that there are none. */
  open?: string;
}

export interface ContainmentOptions {
  /** Messages with values that are used if they fit. */
  samples: readonly Json[];
  /** Polled during the search: whether to end it. */
  isLate(): boolean;
}

/** The step limits of a search at one place, and at the root. */
const budgets = { part: 20_000, whole: 100_000 };

const maxRefused = 100;

/** After this many values of one assertion have been lifted one by one, the whole assertion is lifted. */
const maxValuesPerSite = 12;

/**
 * Finds messages that the old model accepts and the new one refuses, one for each cause. The search ends when it is proven that every further message
 * has a known cause. The two models are compared place by place. For deeper places the search assumes that the new schema contains the old one, and
 * checks this separately. If the assumption is refuted, the surrounding places are checked again without it.
 */
export function refusedOf(old: Model, newer: Model, options: ContainmentOptions): Containment {
  if (isEndless(old) || isEndless(newer))
    return { refused: [], open: "a schema applies itself to the same value for ever" };
  const search = new ContainmentSearch(old, newer, options);
  const undecided = search.run();
  return { refused: search.refused, ...(undecided === undefined ? {} : { open: undecided }) };
}

function formulaOf(node: Location, sign: boolean): Formula {
  return { op: "schema", node, sign, scope: {} };
}

/** The maximum number of places that a reason names. */
const maxPlaces = 8;

type ContainmentOutcome = "same" | "changed" | { open: string };

class ContainmentSearch {
  readonly refused: Refused[] = [];
  readonly #old: Model;
  readonly #newer: Model;
  readonly #options: ContainmentOptions;
  /** The new model, with the known refusing assertions lifted. */
  #current: Model;
  #pairing: Pairing;
  #joined: Joined;
  #assumed: readonly Pair[] = [];
  /** Pairs with proven containment, each under the assumption that the pairs below it are contained too. */
  #proven = new Set<string>();
  readonly #refuted = new Set<string>();
  readonly #counts = new Map<Location, number>();

  constructor(old: Model, newer: Model, options: ContainmentOptions) {
    this.#old = old;
    this.#newer = newer;
    this.#current = addOldSchemas(newer, old);
    this.#options = options;
    [this.#pairing, this.#joined] = this.#join();
  }

  /** Runs the search. Returns the reason if it ended early. */
  run(): string | undefined {
    // If the search at the root is too slow, it is repeated after the searches of its parts.
    let isPostponed = false;
    while (true) {
      const [root, ...others] = this.#pairing.pairs as [Pair, ...Pair[]];
      const assumed = new Set(this.#assumed);
      const parts = others.filter((pair) => assumed.has(pair));
      const pairs = isPostponed ? [...parts, root] : [root, ...parts];
      const unproven = pairs.filter((pair) => !this.#proven.has(keyOf(pair)));
      let outcome: ContainmentOutcome = "same";
      for (const pair of unproven) {
        if (this.#options.isLate()) return this.#unfinished("the time was over (--deadline gives more)", pairs);
        if (this.refused.length >= maxRefused) return `there are more than ${maxRefused}`;
        outcome = this.searchPair(pair, pair === root);
        if (outcome !== "same") break;
      }
      if (typeof outcome === "object" && isPostponed) return this.#unfinished(outcome.open, pairs);
      if (typeof outcome === "object") isPostponed = true;
      if (outcome !== "same") continue;
      if (unproven.length === pairs.length) return undefined;
      // Pairs proven before a change are checked again.
      this.#proven = new Set();
    }
  }

  /** Describes why the search ended, how far it got, and the places in a message that remain. */
  #unfinished(why: string, pairs: readonly Pair[]): string {
    const unsearched = pairs.filter((pair) => !this.#proven.has(keyOf(pair)));
    const places = [
      ...new Set(unsearched.map(({ at }) => at.slice(0, 2).reduce<string>(pointer.append, "") || "the whole")),
    ];
    const morePlaces = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : "";
    const progress = `${pairs.length - unsearched.length} of ${pairs.length} places where the versions differ were searched to the end`;
    return `${why}: ${progress}, not yet ${places.slice(0, maxPlaces).join(", ")}${morePlaces}`;
  }

  searchPair(pair: Pair, isRoot: boolean): ContainmentOutcome {
    const budget = isRoot ? budgets.whole : budgets.part;
    const solution = this.#solve(pair, { budget });
    if ("none" in solution) {
      this.#proven.add(keyOf(pair));
      return "same";
    }
    const value = "found" in solution ? solution.found : undefined;
    const message = value === undefined || isRoot ? value : messageWith(this.#old, pair, value, this.#options.samples);
    if (message !== undefined && this.#isDifference(message))
      return this.#record(this.#preferSample(pair, isRoot, message));
    if (isRoot)
      return { open: "gaveUp" in solution ? solution.gaveUp : "the found message is not certainly a difference" };
    this.#refuted.add(keyOf(pair));
    this.#proven = new Set();
    [this.#pairing, this.#joined] = this.#join();
    return "changed";
  }

  /** Finds a value that the old schema of a pair accepts and the new one refuses. If possible, tries the assertions of the new schema one by one. */
  #solve(pair: Pair, options: { budget: number; hint?: Json }): Solution {
    const { model, old, body, part, isAlike } = this.#joined;
    const solveFor = (newLocation: Location): Solution =>
      solve(model, [formulaOf(old(pair.old), true), formulaOf(newLocation, false)], options);
    const [oldNode, newNode] = [nodeAt(this.#old, pair.old), nodeAt(this.#current, pair.new)];
    const assumed = new Set(this.#assumed.map(keyOf));
    const isWithin = (oldLocation: Location, newLocation: Location): boolean =>
      isAlike(oldLocation, newLocation) || assumed.has(keyOf({ old: oldLocation, new: newLocation }));
    const uncoveredParts = findUncoveredParts(oldNode, newNode, isWithin, isAlike);
    if (uncoveredParts === undefined) return solveFor(body(pair.new));
    let result: Solution = { none: true };
    for (const keyword of uncoveredParts) {
      const solution = solveFor(part(pair.new, [keyword]));
      if ("found" in solution) return solution;
      if ("gaveUp" in solution) result = solution;
    }
    return result;
  }

  /** Whether the old model accepts the message and the new one refuses it, however doubtful formats are read. */
  #isDifference(message: Json): boolean {
    return (
      isValid(this.#old, message) &&
      !isValid(this.#current, message, { formatDoubt: true }) &&
      !isValid(this.#newer, message, { formatDoubt: true })
    );
  }

  /** Returns a message made from a sample, if one is found; otherwise the given message. */
  #preferSample(pair: Pair, isRoot: boolean, message: Json): Json {
    if (!isRoot) return message;
    for (const hint of this.#options.samples.slice(0, 3)) {
      const solution = this.#solve(pair, { budget: budgets.part, hint });
      if ("found" in solution && this.#isDifference(solution.found)) return solution.found;
    }
    return message;
  }

  #record(foundMessage: Json): ContainmentOutcome {
    const causes = causesOf(this.#current, this.#old, this.#pairing, foundMessage);
    const [first] = causes;
    if (first === undefined) {
      this.refused.push({ message: foundMessage, causes, old: this.#old.root });
      return { open: "no assertion was found without which the message is accepted" };
    }
    const sites = new Set(causes.map(({ site }) => site));
    const hasSameCause = (message: Json): boolean =>
      this.#isDifference(message) &&
      (sites.size > 1
        ? isValid(this.#liftCauses(causes), message)
        : isValid(this.#current, message, { without: first.site }));
    const message = shrinkInstance(foundMessage, hasSameCause, this.#options.samples.length > 0);
    const ownCauses = causesOf(this.#current, this.#old, this.#pairing, message);
    const finalCauses = ownCauses.length > 0 && ownCauses.every(({ site }) => sites.has(site)) ? ownCauses : causes;
    const mainCause = finalCauses[0] as AssertionCause;
    this.refused.push({ message, causes: finalCauses, old: this.#counterpart(mainCause) });
    this.#counts.set(mainCause.site, (this.#counts.get(mainCause.site) ?? 0) + 1);
    // The message may still be refused by the other causes, so only the first site is lifted.
    const liftedCauses = finalCauses.filter(({ site }) => site === mainCause.site);
    this.#current = this.#liftCauses(liftedCauses);
    const changedLocations = liftedCauses.map(({ node }) => node);
    if (changedLocations.some((node) => this.#joined.isShared(node))) [this.#pairing, this.#joined] = this.#join();
    else this.#joined = this.#joined.replaceNodes(this.#current, changedLocations);
    return "changed";
  }

  /** Makes the new model without the refusing parts of these causes. An assertion that was lifted too often is removed completely. */
  #liftCauses(causes: readonly AssertionCause[]): Model {
    return relaxModel(this.#current, causes, this.#old, (cause) =>
      (this.#counts.get(cause.site) ?? 0) >= maxValuesPerSite ? undefined : this.#counterpartKeyword(cause),
    );
  }

  #counterpart(cause: AssertionCause): Location | undefined {
    return this.#counterpartKeyword(cause)?.site ?? this.#pairing.oldLocations.get(cause.node);
  }

  /** Finds the old assertion with the same keyword, or with a keyword of the same group, such as `const` for `enum`. */
  #counterpartKeyword({ node, keyword }: AssertionCause): Keyword | undefined {
    const oldKeywords = this.#old.nodes.get(this.#pairing.oldLocations.get(node) ?? "")?.keywords ?? [];
    const kind = keyword?.kind ?? "";
    const relatedKinds =
      [
        ["enum", "const"],
        ["anyOf", "oneOf"],
      ].find((kinds) => kinds.includes(kind)) ?? [];
    return (
      oldKeywords.find((oldKeyword) => oldKeyword.kind === kind) ??
      oldKeywords.find((oldKeyword) => relatedKinds.includes(oldKeyword.kind))
    );
  }

  #join(): [Pairing, Joined] {
    const numbers = findEqualNumbers([this.#old, this.#current]);
    const pairing = pairModels(this.#old, this.#current, numbers);
    this.#assumed = findAssumable(pairing, this.#old, { newer: this.#current, numbers, refuted: this.#refuted });
    return [pairing, joinModels(this.#old, this.#current, numbers, this.#assumed)];
  }
}
