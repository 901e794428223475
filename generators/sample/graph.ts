import { equal, type Json } from "../../schemas/index.ts";
import { holdsAt } from "../evaluate/evaluate.ts";
import type { Formula } from "../formulas/formula.ts";
import { kindOf } from "../formulas/kinds.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import { solutions } from "../solve/solve.ts";
import { anyJson } from "./any.ts";
import { explore } from "./explore.ts";
import { keyOf } from "./key.ts";
import type { Maker, Makers, Part } from "./maker.ts";
import { partsFor } from "./part.ts";
import { pick, type Random } from "./random.ts";

/** Realistic scalars, by the location of the schema that they fulfil. */
export type Stock = ReadonlyMap<Location, readonly Json[]>;

const attempts = 6;
const budget = 30_000;
const maxSolutions = 8;
const anyDepth = 2;

/** Below this room, an error ends the draw. From room 0 down, no optional part is drawn, so only an endless value gets this far. */
const minRoom = -40;

/** Thrown if a value unexpectedly turns out to be nested endlessly. */
export class TooDeep extends Error {}

/** A part, with its probability and size. */
interface WeightedPart extends Part {
  weight: number;
  /** The nesting of the part's smallest value. */
  least: number;
}

interface GraphChoice {
  forms: readonly WeightedPart[];
  sums: readonly number[];
}

interface GrownMaker extends Maker {
  formulas: readonly Formula[];
  state: "new" | "growing" | "grown";
  /** Whether the nesting of its values is known. */
  isSettled: boolean;
  forms: WeightedPart[];
  least: number;
  /** By room: the forms that fit into it, with their cumulative weights. */
  byRoom: GraphChoice[];
  solutions: readonly Json[] | undefined;
}

/** Returns the makers of a model. Each is computed when it is first needed, with the makers that it needs. */
export function makersOf(model: Model, stock: Stock): Makers {
  return new MakerGraph(model, stock);
}

class MakerGraph implements Makers {
  readonly #model: Model;
  readonly #stock: Stock;
  readonly #makers = new Map<string, GrownMaker>();
  readonly #anyMaker: Maker = { draw: (random, room) => anyJson(random, Math.min(room, anyDepth)) };

  constructor(model: Model, stock: Stock) {
    this.#model = model;
    this.#stock = stock;
  }

  makerFor(formulas: readonly Formula[]): Maker {
    const formulaByKey = new Map(
      formulas.filter((formula) => !isTrivial(this.#model, formula)).map((formula) => [keyOf(formula), formula]),
    );
    if (formulaByKey.size === 0) return this.#anyMaker;
    // The order is fixed, so that the order of requests does not matter.
    const keys = [...formulaByKey.keys()].sort();
    const key = keys.join(" & ");
    let maker = this.#makers.get(key);
    if (maker === undefined) {
      maker = this.#newMaker(keys.map((formulaKey) => formulaByKey.get(formulaKey) as Formula));
      this.#makers.set(key, maker);
    }
    return maker;
  }

  leastNesting(maker: Maker): number {
    return maker === this.#anyMaker ? 0 : (maker as GrownMaker).least;
  }

  isAlive(maker: Maker): boolean {
    if (maker === this.#anyMaker) return true;
    const grown = maker as GrownMaker;
    this.#grow(grown);
    return grown.state === "growing" || grown.forms.length > 0 || this.#solutionsOf(grown).length > 0;
  }

  holds(formulas: readonly Formula[], value: Json): boolean {
    return formulas.every((formula) => holdsFor(this.#model, formula, value));
  }

  drawSolution(maker: Maker, random: Random): Json | undefined {
    const values = this.#solutionsOf(maker as GrownMaker);
    return values.length === 0 ? undefined : pick(random, values);
  }

  #newMaker(formulas: readonly Formula[]): GrownMaker {
    const maker: GrownMaker = {
      formulas,
      state: "new",
      isSettled: false,
      forms: [],
      least: Infinity,
      byRoom: [],
      solutions: undefined,
      draw: (random, room) => this.#draw(maker, random, room),
    };
    return maker;
  }

  #draw(maker: GrownMaker, random: Random, room: number): Json | undefined {
    if (!maker.isSettled) this.#settle(maker);
    if (room < minRoom) throw new TooDeep();
    if (maker.least < Infinity) {
      const { forms, sums } = choiceWithin(maker, Math.max(0, room));
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const form = forms.length === 1 ? (forms[0] as WeightedPart) : drawForm(random, forms, sums);
        const value = form.draw(random, room);
        if (value !== undefined && (form.isCertain || this.holds(maker.formulas, value))) return value;
      }
    }
    return this.drawSolution(maker, random);
  }

  #grow(maker: GrownMaker): void {
    if (maker.state !== "new") return;
    maker.state = "growing";
    const realistic = this.#stockFor(maker.formulas);
    const explored = explore(this.#model, maker.formulas, (shape, impossibleMembers) => {
      const parts = partsFor(shape, this, impossibleMembers, realistic);
      return parts.length === 0 ? undefined : parts;
    });
    maker.forms = explored.flatMap(({ result: parts, weight }) =>
      parts.map((part) => ({ ...part, weight: weight / parts.length, least: Infinity })),
    );
    maker.state = "grown";
  }

  /** The realistic values known for any of the formulas' schemas. */
  #stockFor(formulas: readonly Formula[]): Json[] {
    return formulas.flatMap((formula) =>
      formula.op === "schema" && formula.sign ? (this.#stock.get(formula.node) ?? []) : [],
    );
  }

  #solutionsOf(maker: GrownMaker): readonly Json[] {
    maker.solutions ??= [...solutions(this.#model, maker.formulas, { limit: maxSolutions, budget })].flatMap(
      (solution) => ("found" in solution ? [solution.found] : []),
    );
    return maker.solutions;
  }

  /** Computes how deep the smallest values of a maker are. Grows the maker and all parts that it needs. */
  #settle(maker: GrownMaker): void {
    const makersToSettle = new Set<GrownMaker>([maker]);
    for (const grownMaker of makersToSettle) {
      this.#grow(grownMaker);
      grownMaker.isSettled = true;
      for (const { needs, either } of grownMaker.forms)
        for (const need of [...needs, ...(either?.makers ?? [])])
          if (need !== this.#anyMaker) makersToSettle.add(need as GrownMaker);
    }
    let isChanged = true;
    while (isChanged) isChanged = [...makersToSettle].map((grownMaker) => this.#lowerSizes(grownMaker)).some(Boolean);
  }

  /** Recomputes the sizes of a maker from its parts. Returns whether one of them decreases. */
  #lowerSizes(maker: GrownMaker): boolean {
    let hasDecreased = false;
    for (const form of maker.forms) {
      const least = this.#nestingOf(form);
      if (least >= form.least) continue;
      form.least = least;
      maker.least = Math.min(maker.least, least);
      maker.byRoom = [];
      hasDecreased = true;
    }
    return hasDecreased;
  }

  #nestingOf({ needs, either }: Part): number {
    const sizes = needs.map((maker) => this.leastNesting(maker));
    if (either !== undefined) {
      const alternativeSizes = either.makers.map((maker) => this.leastNesting(maker)).sort((a, b) => a - b);
      sizes.push(alternativeSizes[either.count - 1] ?? Infinity);
    }
    return sizes.reduce((most, least) => Math.max(most, least + 1), 0);
  }
}

/** Returns the forms that fit into a room, or the smallest ones if none fits. */
function choiceWithin(maker: GrownMaker, room: number): GraphChoice {
  let choice = maker.byRoom[room];
  if (choice === undefined) {
    const forms = maker.forms.filter(({ least }) => least <= Math.max(room, maker.least));
    let sum = 0;
    const sums = forms.map(({ weight }) => {
      sum += weight;
      return sum;
    });
    choice = { forms, sums };
    maker.byRoom[room] = choice;
  }
  return choice;
}

function drawForm(random: Random, forms: readonly WeightedPart[], sums: readonly number[]): WeightedPart {
  const point = (random.next() >>> 0) * 2 ** -32 * (sums.at(-1) as number);
  let index = 0;
  while (index < forms.length - 1 && point >= (sums[index] as number)) index += 1;
  return forms[index] as WeightedPart;
}

/** Whether every value fulfils a formula. */
function isTrivial(model: Model, formula: Formula): boolean {
  if (formula.op !== "schema" || !formula.sign || formula.focus !== undefined) return false;
  const node = nodeAt(model, formula.node);
  return node.always ?? node.keywords.length === 0;
}

function holdsFor(model: Model, formula: Formula, value: Json): boolean {
  switch (formula.op) {
    case "and":
      return formula.of.every((operand) => holdsFor(model, operand, value));
    case "or":
      return formula.of.some((operand) => holdsFor(model, operand, value));
    case "in":
      return formula.values.some((listed) => equal(listed, value));
    case "out":
      return !formula.values.some((listed) => equal(listed, value));
    case "kinds":
      return (formula.kinds & kindOf(value)) !== 0;
    case "facet":
      throw new Error("a facet only occurs inside a choice");
    case "schema":
      return holdsAt(model, formula.node, value, {}, formula.scope) === formula.sign;
  }
}
