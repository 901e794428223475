import type { Json } from "../../schemas/index.ts";
import type { Formula, Shape } from "../formulas/formula.ts";
import { kindOf, kinds } from "../formulas/kinds.ts";
import type { Literal } from "./clauses.ts";
import type { MemberConstraint } from "./facts.ts";
import { isFulfilled } from "./need.ts";
import { preferredKinds } from "./preference.ts";
import type { Propositions } from "./propositions.ts";
import type { LearntFacts, Search, SearchOutcome } from "./search.ts";
import { appliesTo, fitsShape, isEmpty } from "./shape.ts";

/** The additional functions of a search that learning needs. */
export interface LearningSearch extends Search {
  /** Finds the first value, or formulas that exclude every value. */
  outcome(formulas: readonly Formula[], hint: Json | undefined, depth: number): SearchOutcome;
  /** Makes values of a shape. */
  valuesOfShape(shape: Shape, hint: Json | undefined, depth: number, learnt: LearntFacts): Iterable<Json>;
  /** Runs a part of the search separately, and reports whether the part left something untried. */
  runSeparately<T>(run: () => T): SeparateResult<T>;
  /** The propositions with which the search begins. */
  propositions(): Propositions;
  /** Declares that clauses learnt from now on hold only for this search. */
  keepFromSharing(): void;
  /** Records in the search that something was left untried. */
  recordUntried(untried: Untried): void;
}

/** Whether a search left something untried: the reason why it proves nothing, and whether the depth limit stopped it. */
export interface Untried {
  reason: string | undefined;
  isCutOff: boolean;
}

interface SeparateResult<T> extends Untried {
  result: T;
}

/** The known facts about a member. */
interface LearntMember {
  /** The constraints on the member, among the first `seen` constraints on members. */
  constraints: MemberConstraint[];
  seen: number;
  /** For each set of constraints: formulas that exclude every value, or undefined if there was a value. */
  coresByKey: Map<string, readonly Formula[] | undefined>;
  last: Json | undefined;
}

/** The maximum number of attempts to reduce a set of facts that exclude every value. */
const maxAttempts = 64;

/**
 * Makes the shapes of a conjunction, like `expand`, but with conflict-driven learning: a conflict revokes choices and does not occur again. The caller reports
 * whether a shape had no value. At the end, the generator returns formulas of the conjunction that exclude every value.
 */
export function* learnedShapes(
  search: LearningSearch,
  formulas: readonly Formula[],
  { hint, depth, learnt }: { hint: Json | undefined; depth: number; learnt: LearntFacts },
): Generator<Shape, readonly Formula[], boolean> {
  const run = new Learning(search, hint, depth, learnt);
  const { propositions } = run;
  const { clauses } = propositions;
  const assumptions = formulas.map((formula) => propositions.literal(formula));
  const coreOf = (literals: readonly Literal[]) =>
    formulas.filter((_, index) => literals.includes(assumptions[index] as Literal));
  while (true) {
    let conflict = run.propagateAll();
    if (conflict === undefined && clauses.level < assumptions.length) {
      const assumption = assumptions[clauses.level] as Literal;
      const value = clauses.value(assumption);
      if (value < 0) return coreOf([assumption, ...clauses.decisionsBehind(assumption)]);
      clauses.decide(value === 0 ? assumption : undefined);
      continue;
    }
    if (conflict === undefined) {
      const decision = run.nextDecision();
      if (decision !== undefined) {
        search.spend();
        if (Array.isArray(decision)) conflict = decision;
        else {
          clauses.decide(decision);
          continue;
        }
      }
    }
    if (conflict === undefined) {
      const { shape, literals, kind } = run.shape();
      const hasNoValue = isEmpty(shape) || (yield shape);
      conflict = hasNoValue ? run.explainEmptyShape(literals, kind) : undefined;
      if (conflict === undefined) search.keepFromSharing();
      conflict ??= clauses.decisions.map((decision) => -decision);
    }
    search.spend();
    if (!clauses.learn(conflict)) {
      search.keepFromSharing();
      return [];
    }
  }
}

class Learning {
  readonly propositions: Propositions;
  readonly #search: LearningSearch;
  readonly #hint: Json | undefined;
  readonly #depth: number;
  readonly #learnt: LearntFacts;
  readonly #members = new Map<string, LearntMember>();

  constructor(search: LearningSearch, hint: Json | undefined, depth: number, learnt: LearntFacts) {
    this.propositions = search.propositions();
    this.#search = search;
    this.#hint = hint;
    this.#depth = depth;
    this.#learnt = learnt;
  }

  /** Assigns all consequences, and checks values and members. Returns a conflict as a false clause, if there is one. */
  propagateAll(): Literal[] | undefined {
    const { clauses } = this.propositions;
    while (true) {
      const conflict = clauses.propagate();
      if (conflict !== undefined) return conflict;
      const trailLength = clauses.trail.length;
      for (; clauses.changedFrom < trailLength; clauses.changedFrom += 1) {
        const falseClause = this.propositions.expand(clauses.trail[clauses.changedFrom] as Literal);
        if (falseClause !== undefined) return falseClause;
      }
      if (clauses.trail.length === trailLength) return this.#findValueConflict() ?? this.#findMemberConflict();
    }
  }

  /** The next decision: an unassigned literal that fulfils a need, or a need without alternatives as a false clause. Undefined if all needs are fulfilled. */
  nextDecision(): Literal | Literal[] | undefined {
    const { clauses, needs } = this.propositions;
    const kind = this.#nextKind();
    if (clauses.value(kind) === 0) return kind;
    let best: Literal[] | undefined;
    let fewest = Infinity;
    let highestActivity = 0;
    for (const owner of clauses.trail) {
      for (const need of needs.get(owner) ?? []) {
        if (isFulfilled(need, clauses)) continue;
        let openLiterals = 0;
        let activity = 0;
        for (const alternative of need.alternatives) {
          if (clauses.value(alternative) < 0) continue;
          openLiterals += 1;
          activity = Math.max(activity, clauses.activity(alternative));
        }
        if (openLiterals === 0) return [-owner, ...need.alternatives];
        if (openLiterals > fewest || (openLiterals === fewest && activity <= highestActivity)) continue;
        best = need.alternatives;
        fewest = openLiterals;
        highestActivity = activity;
      }
    }
    best = best?.filter((each) => clauses.value(each) === 0);
    const hint = this.#hint;
    if (best === undefined || hint === undefined) return best?.[0];
    const holdsForHint = (literal: Literal) => {
      const formula = this.propositions.formulas.get(literal);
      return formula !== undefined && this.#search.holds(formula, hint);
    };
    return best.find(holdsForHint) ?? best[0];
  }

  #nextKind(): Literal {
    const { propositions } = this;
    const kindsLeft = propositions.kindsLeft;
    const possibleKinds = Object.values(kinds).filter((kind) => (kindsLeft & kind) !== 0);
    if (possibleKinds.length === 1) return propositions.literalOfKind(possibleKinds[0] as number);
    const shape = propositions.shape(
      possibleKinds.flatMap((kind) => propositions.factsAbout(kind)),
      kindsLeft,
    );
    return propositions.literalOfKind(preferredKinds(shape, this.#hint)[0] as number);
  }

  shape(): { shape: Shape; literals: Literal[]; kind: number } {
    const kind = this.propositions.kindsLeft;
    const literals = this.propositions.factsAbout(kind);
    return { shape: this.propositions.shape(literals, kind), literals, kind };
  }

  /** Finds a conflict between two values, or between a value and a fact. */
  #findValueConflict(): Literal[] | undefined {
    const { clauses, facts, values } = this.propositions;
    const [first, second] = values.filter((each) => clauses.value(each) > 0);
    if (first === undefined) return undefined;
    if (second !== undefined) return [-first, -second];
    const value = facts.get(first)?.value?.of;
    if (typeof value !== "number" && typeof value !== "string") return undefined;
    for (const literal of this.propositions.factsAbout(kindOf(value))) {
      if (facts.get(Math.abs(literal))?.collects) continue;
      const shape = this.propositions.shape([literal], kindOf(value));
      if (!fitsShape(shape, value, () => true)) return [-first, -literal];
    }
    return undefined;
  }

  /** Finds a required member that is impossible, as a conflict. */
  #findMemberConflict(): Literal[] | undefined {
    const { clauses, members } = this.propositions;
    const isObject = this.propositions.literalOfKind(kinds.object);
    if (clauses.value(isObject) <= 0) return undefined;
    for (const [name, presence] of members) {
      if (clauses.value(presence) <= 0) continue;
      const core = this.#findImpossibleDemands(name);
      if (core !== undefined) return [-isObject, -presence, ...core.map((each) => -each)];
    }
    return undefined;
  }

  #memberOf(name: string): LearntMember {
    const { eachMember } = this.propositions;
    let member = this.#members.get(name);
    if (member === undefined) {
      member = { constraints: [], seen: 0, coresByKey: new Map(), last: undefined };
      this.#members.set(name, member);
    }
    for (; member.seen < eachMember.length; member.seen += 1) {
      const each = eachMember[member.seen] as MemberConstraint;
      if (appliesTo(each.test, name)) member.constraints.push(each);
    }
    return member;
  }

  /** The true literals with demands that together make a member impossible. Undefined if it can be made. */
  #findImpossibleDemands(name: string): Literal[] | undefined {
    const { clauses } = this.propositions;
    const member = this.#memberOf(name);
    const constraints: [Literal, Formula][] = [];
    for (const { literal, formula, opposite } of member.constraints) {
      const value = clauses.value(literal);
      if (value > 0) constraints.push([literal, formula]);
      else if (value < 0 && opposite !== undefined) constraints.push([-literal, opposite]);
    }
    if (constraints.length === 0) return undefined;
    const key = constraints.map(([literal]) => literal).join(" ");
    if (!member.coresByKey.has(key)) {
      const { last } = member;
      const isPlain = ([, formula]: [Literal, Formula]) => formula.op === "schema" && formula.focus === undefined;
      if (
        last !== undefined &&
        constraints.every(isPlain) &&
        constraints.every(([, formula]) => this.#search.holds(formula, last))
      )
        return undefined;
      const demands = constraints.map(([, formula]) => formula);
      const hint = hintFor(this.#hint, name);
      const outcome =
        this.#learnt.makeMember?.(name, demands, hint, this.#depth - 1) ??
        this.#search.outcome(demands, hint, this.#depth - 1);
      if ("found" in outcome) member.last = outcome.found;
      member.coresByKey.set(key, "found" in outcome ? undefined : outcome.core);
    }
    const core = member.coresByKey.get(key);
    return core === undefined
      ? undefined
      : constraints.filter(([, formula]) => core.includes(formula)).map(([each]) => each);
  }

  /** Finds a few facts of a shape that exclude every value, and returns them as a false clause. Undefined if that is not certain. */
  explainEmptyShape(literals: readonly Literal[], kind: number): Literal[] | undefined {
    const { propositions } = this;
    // With fewer facts, more parts may be unevaluated.
    if (propositions.collectors > 0) return undefined;
    const isShapeEmpty = (someLiterals: readonly Literal[]): boolean => isEmpty(propositions.shape(someLiterals, kind));
    const hasNoValue = (someLiterals: readonly Literal[]): boolean => {
      const { result, reason } = this.#search.runSeparately(() => {
        const shape = propositions.shape(someLiterals, kind);
        if (isEmpty(shape)) return true;
        for (const _ of this.#search.valuesOfShape(shape, undefined, this.#depth, this.#learnt)) return false;
        return true;
      });
      return result && reason === undefined;
    };
    const isEmptyShape = isShapeEmpty(literals);
    const excludesEveryValue = isEmptyShape ? isShapeEmpty : hasNoValue;
    if (!isEmptyShape && !hasNoValue(literals)) return undefined;
    let core = [...literals];
    let attempts = isEmptyShape ? Infinity : maxAttempts;
    for (let size = core.length >> 1; size > 0; size >>= 1) {
      for (let from = 0; from < core.length && attempts > 0; attempts -= 1) {
        const fewer = [...core.slice(0, from), ...core.slice(from + size)];
        if (excludesEveryValue(fewer)) core = fewer;
        else from += size;
      }
    }
    return [-propositions.literalOfKind(kind), ...core.map((each) => -each)];
  }
}

function hintFor(hint: Json | undefined, name: string): Json | undefined {
  return typeof hint === "object" && hint !== null && !Array.isArray(hint) && Object.hasOwn(hint, name)
    ? (hint[name] as Json)
    : undefined;
}
