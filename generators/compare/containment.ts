import { type Json, pointer } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Formula } from "../formulas/formula.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { isEndless } from "../solve/endless-recursion.ts";
import { type Solution, solve } from "../solve/solve.ts";
import type { Cause } from "./cause.ts";
import { causesOf } from "./causes.ts";
import { findGrantable, type Joined, joinModels } from "./joined-models.ts";
import { keyOf, type Pair, type Pairing, pairing } from "./pairs.ts";
import { openParts } from "./parts.ts";
import { relaxModel, withBranches } from "./relaxed-model.ts";
import { findEqualNumbers } from "./schema-contents.ts";
import { shrinkInstance, wholeWith } from "./smallest-instance.ts";

/** A message that the old model accepts and the new one refuses, and the assertions that refuse it. */
export interface Refused {
  message: Json;
  causes: readonly Cause[];
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
  /** Asked from time to time: whether to end. */
  isLate(): boolean;
}

/** The steps of a search at one place, and in total. */
const budgets = { part: 20_000, whole: 100_000 };

const maxRefused = 100;

/** The number of values of one assertion that are lifted one by one before the whole assertion is. */
const maxOfSite = 12;

/**
 * Messages that the old model accepts and the new one refuses, one for each cause, until it is proven that every further one has a cause that is
 * known. The two are compared place by place. For deeper places it is assumed that the new schema contains the old one, which is checked by itself;
 * if that is refuted, the places around them are checked again without the assumption.
 */
export function refusedOf(old: Model, young: Model, options: ContainmentOptions): Containment {
  if (isEndless(old) || isEndless(young))
    return { refused: [], open: "a schema applies itself to the same value for ever" };
  const search = new ContainmentSearch(old, young, options);
  const open = search.run();
  return { refused: search.refused, ...(open === undefined ? {} : { open }) };
}

function formulaOf(node: Location, sign: boolean): Formula {
  return { op: "schema", node, sign, scope: {} };
}

/** The maximum number of places named. */
const maxPlaces = 8;

type ContainmentOutcome = "same" | "changed" | { open: string };

class ContainmentSearch {
  readonly refused: Refused[] = [];
  readonly #old: Model;
  readonly #young: Model;
  readonly #options: ContainmentOptions;
  /** The new model, with the known refusing assertions lifted. */
  #current: Model;
  #pairing: Pairing;
  #both: Joined;
  #granted: readonly Pair[] = [];
  /** Pairs with proven containment, each under the assumption for the pairs below it. */
  #settled = new Set<string>();
  readonly #refuted = new Set<string>();
  readonly #counts = new Map<Location, number>();

  constructor(old: Model, young: Model, options: ContainmentOptions) {
    this.#old = old;
    this.#young = young;
    this.#current = withBranches(young, old);
    this.#options = options;
    [this.#pairing, this.#both] = this.#join();
  }

  /** Searches to the end. Returns why the search ended early, if it did. */
  run(): string | undefined {
    // If the search of the whole is too slow at first, it is repeated after its parts.
    let isPutOff = false;
    while (true) {
      const [root, ...others] = this.#pairing.pairs as [Pair, ...Pair[]];
      const granted = new Set(this.#granted);
      const parts = others.filter((pair) => granted.has(pair));
      const asked = isPutOff ? [...parts, root] : [root, ...parts];
      const waiting = asked.filter((pair) => !this.#settled.has(keyOf(pair)));
      let outcome: ContainmentOutcome = "same";
      for (const pair of waiting) {
        if (this.#options.isLate()) return this.#unfinished("the time was over (--deadline gives more)", asked);
        if (this.refused.length >= maxRefused) return `there are more than ${maxRefused}`;
        outcome = this.#ask(pair, pair === root);
        if (outcome !== "same") break;
      }
      if (typeof outcome === "object" && isPutOff) return this.#unfinished(outcome.open, asked);
      if (typeof outcome === "object") isPutOff = true;
      if (outcome !== "same") continue;
      if (waiting.length === asked.length) return undefined;
      // Results from before a change are checked again.
      this.#settled = new Set();
    }
  }

  /** Why the search has ended, how far it came, and which places in a message are left. */
  #unfinished(why: string, asked: readonly Pair[]): string {
    const left = asked.filter((pair) => !this.#settled.has(keyOf(pair)));
    const places = [...new Set(left.map(({ at }) => at.slice(0, 2).reduce<string>(pointer.append, "") || "the whole"))];
    const more = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : "";
    const done = `${asked.length - left.length} of ${asked.length} places where the versions differ were searched to the end`;
    return `${why}: ${done}, not yet ${places.slice(0, maxPlaces).join(", ")}${more}`;
  }

  #ask(pair: Pair, isRoot: boolean): ContainmentOutcome {
    const budget = isRoot ? budgets.whole : budgets.part;
    const solution = this.#solve(pair, { budget });
    if ("none" in solution) {
      this.#settled.add(keyOf(pair));
      return "same";
    }
    const value = "found" in solution ? solution.found : undefined;
    const message = value === undefined || isRoot ? value : wholeWith(this.#old, pair, value, this.#options.samples);
    if (message !== undefined && this.#isSuch(message)) return this.#record(this.#liked(pair, isRoot, message));
    if (isRoot)
      return { open: "gaveUp" in solution ? solution.gaveUp : "the found message is not certainly a difference" };
    this.#refuted.add(keyOf(pair));
    this.#settled = new Set();
    [this.#pairing, this.#both] = this.#join();
    return "changed";
  }

  /** A value that the old schema of a pair accepts and the new one refuses; its assertions are tried one by one if possible. */
  #solve(pair: Pair, options: { budget: number; hint?: Json }): Solution {
    const { model, old, body, part, isAlike } = this.#both;
    const ask = (refusing: Location): Solution =>
      solve(model, [formulaOf(old(pair.old), true), formulaOf(refusing, false)], options);
    const [before, now] = [nodeAt(this.#old, pair.old), nodeAt(this.#current, pair.new)];
    const granted = new Set(this.#granted.map(keyOf));
    const isWithin = (one: Location, other: Location): boolean =>
      isAlike(one, other) || granted.has(keyOf({ old: one, new: other }));
    const parts = openParts(before, now, isWithin, isAlike);
    if (parts === undefined) return ask(body(pair.new));
    let open: Solution = { none: true };
    for (const keyword of parts) {
      const solution = ask(part(pair.new, [keyword]));
      if ("found" in solution) return solution;
      if ("gaveUp" in solution) open = solution;
    }
    return open;
  }

  /** Whether, under every opinion on a doubtful format, the old model accepts the message and the new one refuses it. */
  #isSuch(message: Json): boolean {
    return (
      isValid(this.#old, message) &&
      !isValid(this.#current, message, { formatDoubt: true }) &&
      !isValid(this.#young, message, { formatDoubt: true })
    );
  }

  /** The message made from a sample instead, if there is one and such a message is found. */
  #liked(pair: Pair, isRoot: boolean, message: Json): Json {
    if (!isRoot) return message;
    for (const hint of this.#options.samples.slice(0, 3)) {
      const solution = this.#solve(pair, { budget: budgets.part, hint });
      if ("found" in solution && this.#isSuch(solution.found)) return solution.found;
    }
    return message;
  }

  #record(found: Json): ContainmentOutcome {
    const causes = causesOf(this.#current, this.#old, this.#pairing, found);
    const [first] = causes;
    if (first === undefined) {
      this.refused.push({ message: found, causes, old: this.#old.root });
      return { open: "no assertion was found without which the message is accepted" };
    }
    const sites = new Set(causes.map(({ site }) => site));
    const isOfCause = (message: Json): boolean =>
      this.#isSuch(message) &&
      (sites.size > 1
        ? isValid(this.#lifted(causes), message)
        : isValid(this.#current, message, { without: first.site }));
    const message = shrinkInstance(found, isOfCause, this.#options.samples.length > 0);
    const own = causesOf(this.#current, this.#old, this.#pairing, message);
    const last = own.length > 0 && own.every(({ site }) => sites.has(site)) ? own : causes;
    const main = last[0] as Cause;
    this.refused.push({ message, causes: last, old: this.#counterpart(main) });
    this.#counts.set(main.site, (this.#counts.get(main.site) ?? 0) + 1);
    // The others may refuse a message that this one accepts.
    const lifted = last.filter(({ site }) => site === main.site);
    this.#current = this.#lifted(lifted);
    const touched = lifted.map(({ node }) => node);
    if (touched.some((node) => this.#both.isShared(node))) [this.#pairing, this.#both] = this.#join();
    else this.#both = this.#both.replaced(this.#current, touched);
    return "changed";
  }

  /** The new model without the refusing parts of these causes; an assertion that was lifted too often is removed completely. */
  #lifted(causes: readonly Cause[]): Model {
    return relaxModel(this.#current, causes, this.#old, (cause) =>
      (this.#counts.get(cause.site) ?? 0) >= maxOfSite ? undefined : this.#twin(cause),
    );
  }

  #counterpart(cause: Cause): Location | undefined {
    return this.#twin(cause)?.site ?? this.#pairing.olds.get(cause.node);
  }

  /** The old assertion with the same keyword, or with another list of values. */
  #twin({ node, keyword }: Cause): Keyword | undefined {
    const there = this.#old.nodes.get(this.#pairing.olds.get(node) ?? "")?.keywords ?? [];
    const kind = keyword?.kind ?? "";
    const others =
      [
        ["enum", "const"],
        ["anyOf", "oneOf"],
      ].find((some) => some.includes(kind)) ?? [];
    return there.find((each) => each.kind === kind) ?? there.find((each) => others.includes(each.kind));
  }

  #join(): [Pairing, Joined] {
    const numbers = findEqualNumbers([this.#old, this.#current]);
    const found = pairing(this.#old, this.#current, numbers);
    this.#granted = findGrantable(found, this.#old, { young: this.#current, numbers, refuted: this.#refuted });
    return [found, joinModels(this.#old, this.#current, numbers, this.#granted)];
  }
}
