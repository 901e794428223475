import { equal, type Json } from "../../schemas/index.ts";
import { holdsAt } from "../evaluate/evaluate.ts";
import { checkLater, type Formula, type Shape } from "../formulas/formula.ts";
import { kindOf, kinds } from "../formulas/kinds.ts";
import { isListed } from "../formulas/listed-values.ts";
import type { Model } from "../model/model.ts";
import { makeArrays } from "./array.ts";
import { expand } from "./expand.ts";
import { type Goal, goalOf, implies } from "./goal.ts";
import { type LearningSearch, learnedShapes, type Untried } from "./learning.ts";
import { createMemberMaker } from "./member-making.ts";
import { numbersOf } from "./number.ts";
import { makeObjects } from "./object.ts";
import { preferredKinds } from "./preference.ts";
import { Propositions } from "./propositions.ts";
import type { LearntFacts, SearchOutcome } from "./search.ts";
import { fitsShape } from "./shape.ts";
import { borrowPropositions, returnPropositions } from "./shared-propositions.ts";
import { makeTexts } from "./text.ts";

export interface SolveOptions {
  /** A value, such as a sample, with parts that are used if they fit. */
  hint?: Json;
  /** Whether objects get all optional members that can be made. */
  full?: boolean;
  /** The nesting that is allowed from the start, such as the depth of a part that must exist. */
  depth?: number;
  /** The number of steps after which the search gives up. */
  budget?: number;
  /** The only manner of search to use; by default all are tried in turn. */
  manner?: Manner;
}

/** The manner of a search: shape by shape, the same but checking negated schemas only afterwards, or learning from conflicts. */
export type Manner = "plain" | "hopeful" | "learning";

export interface Limits extends SolveOptions {
  limit: number;
  budget: number;
  manner: Manner;
  /** Whether the search ends early if there are many choices. */
  isShort: boolean;
}

/** Thrown when the budget is used up. There is only one instance, because capturing a stack trace is slower than most searches. */
export class OutOfBudget extends Error {}
const outOfBudget = new OutOfBudget();

/** One search with one depth limit. */
export class Solver implements LearningSearch {
  readonly model: Model;
  readonly full: boolean;
  /** Whether schemas occurred that must not hold. */
  hasNegations = false;
  /** Whether many choices were open together. */
  isCrowded = false;
  /** Whether the depth limit left something untried. */
  isCutOff = false;
  reason: string | undefined;
  readonly #manner: Manner;
  readonly #isShort: boolean;
  /** Whether the next propositions are for the whole question, so that other searches may use them later. */
  #mayShare = false;
  #borrowed: Propositions | undefined;
  /** Whether something was learnt that holds only for this question. */
  #isQuestionSpecific = false;
  #stepsLeft: number;
  #hint: Json | undefined;
  /** The goals of the values that surround the current one. */
  readonly #goals: Goal[] = [];

  constructor(model: Model, { full, manner, budget, isShort }: Limits) {
    this.model = model;
    this.full = full ?? false;
    this.#manner = manner;
    this.#isShort = isShort;
    this.#stepsLeft = budget;
  }

  avoid(formula: Formula): Formula {
    this.hasNegations = true;
    return this.#manner === "hopeful" ? checkLater(formula) : formula;
  }

  giveUp(target: string): void {
    this.reason ??= `gave up on ${target}`;
  }

  spend(): void {
    const { effort } = this.model;
    effort?.spend(2);
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0 || effort?.isSpent) throw outOfBudget;
  }

  noteOpenChoices(choices: number): void {
    if (!this.#isShort || choices <= manyChoices) return;
    // A search that makes good choices needs a few steps for each; with many more, it goes back and forth.
    if (!this.isCrowded) this.#stepsLeft = Math.min(this.#stepsLeft, stepsPerChoice * choices);
    this.isCrowded = true;
    this.#stepsLeft -= choices >> 3;
  }

  /** Makes values for the whole question; if the limit is 1, only the first is searched for. */
  *answers(
    formulas: readonly Formula[],
    { hint, limit }: SolveOptions & { limit: number },
    depth: number,
  ): Generator<Json> {
    if (limit > 1) return yield* this.values(formulas, hint, depth);
    this.#mayShare = true;
    const first = this.first(formulas, hint, depth);
    if (this.#borrowed !== undefined && !this.#isQuestionSpecific && this.reason === undefined)
      returnPropositions(this.model, this.#borrowed);
    if (first !== undefined) yield first;
  }

  /** Puts alternatives that the hint fulfils first. */
  order(alternatives: readonly Formula[]): readonly Formula[] {
    const hint = this.#hint;
    if (hint === undefined) return alternatives;
    const preferredAlternatives = alternatives.filter((alternative) => this.holds(alternative, hint));
    return preferredAlternatives.length === 0 || preferredAlternatives.length === alternatives.length
      ? alternatives
      : [
          ...preferredAlternatives,
          ...alternatives.filter((alternative) => !preferredAlternatives.includes(alternative)),
        ];
  }

  /** Makes values for a conjunction, lazily, best first. Returns the formulas that exclude all further values. */
  *values(
    formulas: readonly Formula[],
    hint: Json | undefined,
    depth: number,
  ): Generator<Json, readonly Formula[], unknown> {
    if (depth < 0) {
      this.isCutOff = true;
      this.giveUp("deeper nesting");
      return formulas;
    }
    const outerHint = this.#hint;
    this.#hint = hint;
    const isLearning = this.#manner === "learning";
    const learnt: LearntFacts = {
      impossibleMembers: [],
      ...(isLearning ? { makeMember: createMemberMaker(this) } : {}),
    };
    const shapes: Generator<Shape, unknown, boolean> = isLearning
      ? learnedShapes(this, formulas, { hint, depth, learnt })
      : expand(this, formulas, learnt.impossibleMembers);
    let hasNoValue = true;
    while (true) {
      this.#hint = hint;
      const next = shapes.next(hasNoValue);
      this.#hint = outerHint;
      if (next.done === true) return (next.value as readonly Formula[] | undefined) ?? formulas;
      const { out, checks } = next.value;
      let refusedCount = 0;
      hasNoValue = true;
      for (const value of this.valuesOfShape(next.value, hint, depth, learnt)) {
        if (isListed(value, out)) continue;
        hasNoValue = false;
        if (checks.every((formula) => this.holds(formula, value))) yield value;
        else refusedCount += 1;
        if (refusedCount > maxRefused) break;
      }
      if (checks.length > 0) this.giveUp("what would have to be avoided");
    }
  }

  /**
   * The first value, or undefined. A value with the least depth for a goal has no part that fulfils the same goal, because that part would be less deep. So no
   * such part is tried, and a value that would have to contain itself infinitely often is proven impossible.
   */
  first(formulas: readonly Formula[], hint: Json | undefined, depth: number): Json | undefined {
    const outcome = this.outcome(formulas, hint, depth);
    return "found" in outcome ? outcome.found : undefined;
  }

  outcome(formulas: readonly Formula[], hint: Json | undefined, depth: number): SearchOutcome {
    const goal = this.full || hint !== undefined ? undefined : goalOf(formulas);
    if (goal === undefined) return firstOf(this.values(formulas, hint, depth));
    if (this.#goals.some((outer) => implies(goal, outer))) {
      this.keepFromSharing();
      return { core: formulas };
    }
    this.#goals.push(goal);
    try {
      return firstOf(this.values(formulas, hint, depth));
    } finally {
      this.#goals.pop();
    }
  }

  propositions(): Propositions {
    if (!this.#mayShare) return new Propositions(this);
    this.#mayShare = false;
    this.#borrowed = borrowPropositions(this);
    return this.#borrowed;
  }

  keepFromSharing(): void {
    this.#isQuestionSpecific = true;
  }

  runSeparately<T>(run: () => T): Untried & { result: T } {
    const { reason, isCutOff } = this;
    this.reason = undefined;
    this.isCutOff = false;
    try {
      const result = run();
      return { result, reason: this.reason, isCutOff: this.isCutOff };
    } finally {
      this.reason = reason;
      this.isCutOff = isCutOff;
    }
  }

  recordUntried({ reason, isCutOff }: Untried): void {
    this.reason ??= reason;
    this.isCutOff ||= isCutOff;
  }

  /** Whether a value fulfils a formula, ignoring its focus. */
  holds(formula: Formula, value: Json): boolean {
    switch (formula.op) {
      case "and":
        return formula.of.every((each) => this.holds(each, value));
      case "or":
        return formula.of.some((each) => this.holds(each, value));
      case "in":
        return isListed(value, formula.values);
      case "out":
        return !isListed(value, formula.values);
      case "kinds":
        return (formula.kinds & kindOf(value)) !== 0;
      case "facet":
        return (formula.kinds & kindOf(value)) !== 0 && this.#facetHolds(formula, value);
      case "schema":
        return holdsAt(this.model, formula.node, value, {}, formula.scope) === formula.sign;
    }
  }

  /** Whether a value fulfils a formula, including its focus. */
  #fulfils(formula: Formula, value: Json, depth: number): boolean {
    if (formula.op === "and") return formula.of.every((each) => this.#fulfils(each, value, depth));
    if (formula.op === "or") return formula.of.some((each) => this.#fulfils(each, value, depth));
    if (formula.op !== "schema" || formula.focus === undefined) return this.holds(formula, value);
    return this.first([formula, { op: "in", values: [value] }], undefined, depth) !== undefined;
  }

  #facetHolds(formula: Formula, value: Json): boolean {
    for (const shape of expand(this, [formula]))
      if (fitsShape(shape, value, (inner, part) => this.holds(inner, part))) return true;
    return false;
  }

  *valuesOfShape(shape: Shape, hint: Json | undefined, depth: number, learnt: LearntFacts): Generator<Json> {
    if (shape.in !== undefined) {
      const preferred = hint === undefined ? -1 : shape.in.findIndex((value) => equal(value, hint));
      const rest = preferred > 0 ? shape.in.toSpliced(preferred, 1) : shape.in;
      // The values are checked lazily: the list may be long, and usually the first value is enough.
      for (const value of preferred > 0 ? [shape.in[preferred] as Json, ...rest] : rest)
        if (fitsShape(shape, value, (inner, part) => this.#fulfils(inner, part, depth))) yield value;
      return;
    }
    for (const kind of preferredKinds(shape, hint)) yield* this.#valuesOfKind(shape, kind, hint, depth, learnt);
  }

  *#valuesOfKind(
    shape: Shape,
    kind: number,
    hint: Json | undefined,
    depth: number,
    learnt: LearntFacts,
  ): Generator<Json> {
    switch (kind) {
      case kinds.null:
        yield null;
        return;
      case kinds.boolean:
        yield* hint === false ? [false, true] : [true, false];
        return;
      case kinds.integer:
      case kinds.fraction:
        yield* numbersOf(shape, kind, hint, this);
        return;
      case kinds.string:
        yield* makeTexts(shape, hint, this);
        return;
      case kinds.array:
        yield* makeArrays(this, shape, hint, depth);
        return;
      default:
        yield* makeObjects(this, shape, { hint, depth, learnt });
    }
  }
}

/** With more open choices than this, a plain search is limited. */
const manyChoices = 24;

/** The limit of steps for each open choice. */
const stepsPerChoice = 40;

/** The maximum number of values of one shape that may fail the deferred checks. */
const maxRefused = 20;

function firstOf(values: Generator<Json, readonly Formula[], unknown>): SearchOutcome {
  const { done, value } = values.next();
  return done === true ? { core: value } : { found: value };
}
