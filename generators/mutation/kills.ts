import type { Json } from "../../schemas/index.ts";
import { holdsAt, isValid } from "../evaluate/evaluate.ts";
import { childrenOf } from "../keywords/table.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import { type Mutant, mutateModel } from "./mutant.ts";

/** An instance with its verdict, and the values that each schema judged during its evaluation. */
export interface Witness {
  data: Json;
  valid: boolean;
  judgedValues: ReadonlyMap<Location, readonly JudgedValue[]>;
}

/** A value that a schema judged, and whether it was valid every time. */
interface JudgedValue {
  value: Json;
  wasValid: boolean;
}

export function witnessOf(model: Model, data: Json): Witness {
  const valuesByLocation = new Map<Location, Map<Json, JudgedValue>>();
  const valid = isValid(model, data, {
    observe: (_keyword, _at, value, holds, { location }) => {
      let values = valuesByLocation.get(location);
      if (values === undefined) {
        values = new Map();
        valuesByLocation.set(location, values);
      }
      const judgedValue = values.get(value);
      if (judgedValue === undefined) values.set(value, { value, wasValid: holds });
      else if (!holds) judgedValue.wasValid = false;
    },
  });
  const judgedValues = new Map(
    [...valuesByLocation].map(([location, values]) => [location, [...values.values()]] as const),
  );
  return { data, valid, judgedValues };
}

/** A value that a schema judged in some witnesses, with their numbers in ascending order. Equal values share one entry. */
interface SharedValue extends JudgedValue {
  witnessNumbers: number[];
}

/** The values of one schema that a mutant may judge differently, among those examined so far. */
interface CandidateValues {
  location: Location;
  examined: number;
  differing: SharedValue[];
}

export interface WitnessFilter<W> {
  /** The number of the first witness to examine. */
  from?: number;
  isEligible?: (witness: W) => boolean;
}

/** The number of witnesses in the first block. Each block is twice as large as the one before, because one of the first witnesses usually kills. */
const firstBlock = 8;

/** Witnesses, and the kills of mutants among them. Witnesses share most of their values, and a mutant judges each value once. */
export class Witnesses<W extends Witness = Witness> {
  readonly all: W[] = [];
  readonly #model: Model;
  /** Whether a schema gives the same verdict on a value at every place, because nothing depends on the path or on evaluated parts. */
  readonly #isLocal: boolean;
  readonly #values = new Map<Location, Map<string, SharedValue>>();
  readonly #valuesInOrder = new Map<Location, SharedValue[]>();
  /** Cached texts of values: instances share the parts around a change. */
  readonly #texts = new WeakMap<object, string>();
  readonly #candidatesOf = new WeakMap<Mutant, readonly CandidateValues[]>();
  /** The last mutant that was requested, and the model with it. */
  #lastMutated: { mutant: Mutant; changed: Model } | undefined;

  constructor(model: Model, witnesses: readonly W[] = []) {
    this.#model = model;
    this.#isLocal = isLocal(model);
    for (const witness of witnesses) this.add(witness);
  }

  add(witness: W): void {
    const number = this.all.push(witness) - 1;
    for (const [location, judgedValues] of witness.judgedValues) {
      const values = this.#values.get(location) ?? new Map<string, SharedValue>();
      const valuesInOrder = this.#valuesInOrder.get(location) ?? [];
      this.#values.set(location, values);
      this.#valuesInOrder.set(location, valuesInOrder);
      for (const { value, wasValid } of judgedValues) {
        const key = this.#isLocal ? this.#textOf(value) : String(wasValid);
        const sharedValue = values.get(key);
        if (sharedValue !== undefined) {
          if (sharedValue.witnessNumbers.at(-1) !== number) sharedValue.witnessNumbers.push(number);
          continue;
        }
        const newValue = { value, wasValid, witnessNumbers: [number] };
        values.set(key, newValue);
        valuesInOrder.push(newValue);
      }
    }
  }

  /** Finds the first witnesses that a mutant judges differently than the schema, at most `limit` of them. */
  findKillers(mutant: Mutant, limit: number, { from = 0, isEligible = () => true }: WitnessFilter<W> = {}): W[] {
    const killers: W[] = [];
    for (const number of this.#findCandidates(mutant, from)) {
      const witness = this.all[number] as W;
      if (!isEligible(witness) || isValid(this.#mutatedModel(mutant), witness.data) === witness.valid) continue;
      killers.push(witness);
      if (killers.length >= limit) break;
    }
    return killers;
  }

  /** Whether a mutant judges an instance differently than the schema, which gives it the verdict `valid`. */
  isKiller(mutant: Mutant, data: Json, valid: boolean): boolean {
    return isValid(this.#mutatedModel(mutant), data) !== valid;
  }

  /** The numbers of the witnesses that a mutant may judge differently, in ascending order, searched block by block. */
  *#findCandidates(mutant: Mutant, from: number): Generator<number> {
    // A mistake in all places changes at least the verdicts that the same mistake in one place changes.
    const source = this.#isLocal ? (mutant.wholeMutant ?? mutant) : mutant;
    const candidates =
      this.#candidatesOf.get(source) ??
      source.nodes.map(({ location }): CandidateValues => ({ location, examined: 0, differing: [] }));
    this.#candidatesOf.set(source, candidates);
    for (let [start, size] = [from, firstBlock]; start < this.all.length; start += size, size *= 2) {
      const candidateNumbers = new Set<number>();
      for (const candidate of candidates) {
        this.#examine(source, candidate, start + size);
        for (const { witnessNumbers: numbers } of candidate.differing)
          for (let index = indexFrom(numbers, start); (numbers[index] ?? Infinity) < start + size; index += 1)
            candidateNumbers.add(numbers[index] as number);
      }
      yield* [...candidateNumbers].sort((first, second) => first - second);
    }
  }

  /** Examines the values of witnesses with a lower number. */
  #examine(mutant: Mutant, candidates: CandidateValues, end: number): void {
    const values = this.#valuesInOrder.get(candidates.location) ?? [];
    for (; candidates.examined < values.length; candidates.examined += 1) {
      const value = values[candidates.examined] as SharedValue;
      if ((value.witnessNumbers[0] as number) >= end) return;
      if (this.#mayDiffer(mutant, candidates.location, value)) candidates.differing.push(value);
    }
  }

  #mayDiffer(mutant: Mutant, location: Location, { value, wasValid }: SharedValue): boolean {
    if (this.#isLocal) return holdsAt(this.#mutatedModel(mutant), location, value) !== wasValid;
    // A weaker mutant can differ only on an invalid value, unless other keywords depend on its evaluated parts.
    return !wasValid || mutant.effect !== "weaker" || this.#evaluatesLess(mutant, location);
  }

  /** Whether a keyword that may have evaluated members or items is removed or replaced. */
  #evaluatesLess(mutant: Mutant, location: Location): boolean {
    const remainingKeywords = nodeAt(this.#mutatedModel(mutant), location).keywords;
    const ownKeywords = this.#model.nodes.get(location)?.keywords ?? [];
    return ownKeywords.some((keyword) => !remainingKeywords.includes(keyword) && childrenOf(keyword).length > 0);
  }

  #mutatedModel(mutant: Mutant): Model {
    if (this.#lastMutated?.mutant !== mutant) this.#lastMutated = { mutant, changed: mutateModel(this.#model, mutant) };
    return this.#lastMutated.changed;
  }

  #textOf(value: Json): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const text = this.#texts.get(value) ?? JSON.stringify(value);
    this.#texts.set(value, text);
    return text;
  }
}

/** Whether a schema's verdict on a value is the same at every place. */
function isLocal({ nodes, anchors }: Model): boolean {
  for (const { marks } of nodes.values()) if (marks) return false;
  return Object.values(anchors).every((names) => Object.keys(names).length === 0);
}

/** Finds the index of the first ascending number that is not below another number. */
function indexFrom(numbers: readonly number[], minimum: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < minimum) low = middle + 1;
    else high = middle;
  }
  return low;
}
