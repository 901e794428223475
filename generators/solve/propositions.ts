import type { Json } from "../../schemas/index.ts";
import type { Collector, Formula, Shape } from "../formulas/formula.ts";
import { everyKind, kindOf, kinds } from "../formulas/kinds.ts";
import { intersectLists } from "../formulas/listed-values.ts";
import { nodeAt } from "../model/model.ts";
import { Clauses, type Literal } from "./clauses.ts";
import { addCollected, constrainUnevaluated, hasCollected, newCollector } from "./collect.ts";
import { equalityFact, type Fact, factsOf, type MemberConstraint, presenceFact } from "./facts.ts";
import { formulaKey, identity, schemaKey, scopeKey, valueKey } from "./keys.ts";
import { addSchema } from "./literal.ts";
import { type AlternativesNeed, needOf } from "./need.ts";
import type { Choice, Search } from "./search.ts";
import { openShape } from "./shape.ts";

/** The maximum length of a list for which each value has its own proposition. */
const maxValues = 64;

/**
 * The demands on one value, as propositions: one for each formula, and one for each fact that shapes may state. The meaning of a formula is added in clauses
 * when it is first needed, so that schemas may refer to themselves.
 */
export class Propositions {
  readonly clauses: Clauses = new Clauses();
  readonly facts: Map<Literal, Fact> = new Map();
  /** The needs with several alternatives, by the literal that has them if it is true. */
  readonly needs: Map<Literal, AlternativesNeed[]> = new Map();
  /** The formula of a literal, if there is one. */
  readonly formulas: Map<Literal, Formula> = new Map();
  /** Facts about members, by name: whether the member is present. */
  readonly members: Map<string, Literal> = new Map();
  readonly eachMember: MemberConstraint[] = [];
  /** The literals of facts that the value equals a certain one. */
  readonly values: Literal[] = [];
  /** The number of schemas with `unevaluated*`, which collect evaluated parts. */
  collectors = 0;
  #search: Search;
  readonly #literalsByKey = new Map<string, Literal>();
  readonly #meanings = new Map<Literal, (owner: Literal) => void>();
  readonly #trueLiteral: Literal;
  readonly #kinds = new Map<number, Literal>();
  /** A clause that was false when it was added. */
  #conflict: Literal[] | undefined;

  constructor(search: Search) {
    this.#search = search;
    this.#trueLiteral = this.clauses.addVariable();
    this.clauses.add([this.#trueLiteral]);
    const allKinds = Object.values(kinds);
    for (const kind of allKinds) this.#kinds.set(kind, this.clauses.addVariable());
    this.clauses.add(this.#kinds.values());
    for (const first of allKinds)
      for (const second of allKinds)
        if (first < second) this.clauses.add([-this.literalOfKind(first), -this.literalOfKind(second)]);
  }

  /** Prepares the propositions for another search. Clauses are kept. */
  restartFor(search: Search): void {
    this.#search = search;
    this.clauses.backtrackTo(0);
  }

  literalOfKind(kind: number): Literal {
    return this.#kinds.get(kind) as Literal;
  }

  /** The kinds that are not excluded. */
  get kindsLeft(): number {
    let possibleKinds = 0;
    for (const [kind, literal] of this.#kinds) if (this.clauses.value(literal) >= 0) possibleKinds |= kind;
    return possibleKinds;
  }

  /** Adds the meaning of a true literal as clauses, once. Returns a clause that is already false, if there is one. */
  expand(literal: Literal): Literal[] | undefined {
    const meaning = this.#meanings.get(literal);
    if (meaning === undefined) return undefined;
    this.#meanings.delete(literal);
    this.#search.spend();
    this.#conflict = undefined;
    meaning(literal);
    return this.#conflict;
  }

  /** The shape that the facts describe. */
  shape(literals: Iterable<Literal>, mask: number): Shape {
    const shape = openShape();
    shape.kinds = mask;
    for (let id = 0; id < this.collectors; id += 1) shape.collectors.set(id, newCollector());
    for (const literal of literals) {
      const fact = this.facts.get(Math.abs(literal));
      if (fact === undefined) continue;
      if (literal < 0) fact.deny?.(shape);
      else fact.assert(shape);
    }
    constrainUnevaluated(shape);
    return shape;
  }

  /** The true or false facts about values of one kind, in the order of their creation. */
  factsAbout(kind: number): Literal[] {
    return [...this.facts].flatMap(([literal, fact]) => {
      const value = this.clauses.value(literal);
      if (value === 0 || (fact.kinds & kind) === 0) return [];
      if (value > 0) return [literal];
      return fact.deny === undefined ? [] : [-literal];
    });
  }

  literal(formula: Formula): Literal {
    const literal = this.#literal(formula);
    if (!this.formulas.has(literal)) this.formulas.set(literal, formula);
    return literal;
  }

  #literal(formula: Formula): Literal {
    switch (formula.op) {
      case "and":
        return this.#allOf(formula.of.map((each) => this.literal(each)));
      case "or":
        return this.#anyOf(formula.of.map((each) => this.literal(each)));
      case "kinds":
        return this.#kindsLiteral(formula.kinds);
      case "in":
        if (formula.values.length > maxValues) return this.#listLiteral(formula);
        return this.#anyOf(formula.values.map((value) => this.#equalityLiteral(value)));
      case "out":
        if (formula.values.length > maxValues) return this.#listLiteral(formula);
        return this.#allOf(formula.values.map((value) => -this.#equalityLiteral(value)));
      case "facet":
        return this.#facetLiteral(formula);
      case "schema":
        return this.#schemaLiteral(formula);
    }
  }

  #literalForKey(key: string): [literal: Literal, isNew: boolean] {
    const knownLiteral = this.#literalsByKey.get(key);
    if (knownLiteral !== undefined) return [knownLiteral, false];
    const literal = this.clauses.addVariable();
    this.#literalsByKey.set(key, literal);
    return [literal, true];
  }

  /** Requires that one of the alternatives holds if the owner does. */
  #addNeed(owner: Literal, alternatives: readonly Literal[]): void {
    if (alternatives.includes(this.#trueLiteral)) return;
    const rest = alternatives.filter((alternative) => alternative !== -this.#trueLiteral);
    if (rest.length > 1) {
      const needs = this.needs.get(owner) ?? [];
      needs.push(needOf(rest));
      this.needs.set(owner, needs);
    }
    this.#conflict = this.clauses.add([-owner, ...rest]) ?? this.#conflict;
  }

  #allOf(literals: readonly Literal[]): Literal {
    if (literals.includes(-this.#trueLiteral)) return -this.#trueLiteral;
    const rest = [...new Set(literals)].filter((each) => each !== this.#trueLiteral);
    if (rest.length === 0) return this.#trueLiteral;
    if (rest.length === 1) return rest[0] as Literal;
    const [literal, isNew] = this.#literalForKey(`and ${rest}`);
    if (isNew)
      this.#meanings.set(literal, () => {
        for (const each of rest) this.#addNeed(literal, [each]);
      });
    return literal;
  }

  #anyOf(literals: readonly Literal[]): Literal {
    if (literals.includes(this.#trueLiteral)) return this.#trueLiteral;
    const rest = [...new Set(literals)].filter((each) => each !== -this.#trueLiteral);
    if (rest.length === 0) return -this.#trueLiteral;
    if (rest.length === 1) return rest[0] as Literal;
    const [literal, isNew] = this.#literalForKey(`or ${rest}`);
    if (isNew) this.#meanings.set(literal, () => this.#addNeed(literal, rest));
    return literal;
  }

  #kindsLiteral(mask: number): Literal {
    const single = this.#kinds.get(mask);
    if (single !== undefined) return single;
    const excludedKinds = [...this.#kinds].filter(([kind]) => (kind & mask) === 0).map(([, literal]) => -literal);
    return this.#allOf(excludedKinds);
  }

  #equalityLiteral(value: Json): Literal {
    const fact = equalityFact(value, valueKey(value));
    const [literal, isNew] = this.#literalForKey(fact.key);
    if (!isNew) return literal;
    this.facts.set(literal, fact);
    this.values.push(literal);
    this.#conflict = this.clauses.add([-literal, this.literalOfKind(kindOf(value))]) ?? this.#conflict;
    return literal;
  }

  /** Makes one fact of a long list of values. */
  #listLiteral({ op, values }: Extract<Formula, { op: "in" | "out" }>): Literal {
    const isIn = op === "in";
    const [literal, isNew] = this.#literalForKey(`${op} ${identity(values)}`);
    const mask = isIn ? values.reduce((sum: number, value) => sum | kindOf(value), 0) : everyKind;
    if (isNew) {
      this.facts.set(literal, {
        key: "",
        kinds: everyKind,
        assert: (shape) => {
          if (!isIn) shape.out = [...shape.out, ...values];
          else shape.in = shape.in === undefined ? values : intersectLists(shape.in, values);
        },
      });
      this.#meanings.set(literal, () => this.#addNeed(literal, [this.#kindsLiteral(mask)]));
    }
    return literal;
  }

  #facetLiteral(formula: Extract<Formula, { op: "facet" }>): Literal {
    const shape = openShape();
    shape.kinds = formula.kinds;
    formula.constrain(shape);
    return this.#allOf([this.#kindsLiteral(shape.kinds), ...this.#statedFacts(shape)]);
  }

  #statedFacts(shape: Shape): Literal[] {
    return factsOf(shape, (formula) => formulaKey(this.#search.model, formula)).map(([fact, isTrue]) =>
      isTrue ? this.#factLiteral(fact) : -this.#factLiteral(fact),
    );
  }

  #factLiteral(fact: Fact): Literal {
    const [literal, isNew] = this.#literalForKey(fact.key);
    if (isNew) this.#stateFact(literal, fact);
    return literal;
  }

  #stateFact(literal: Literal, fact: Fact): void {
    this.facts.set(literal, fact);
    // Values of other kinds satisfy the fact.
    this.#conflict = this.clauses.add([literal, this.#kindsLiteral(fact.kinds)]) ?? this.#conflict;
    if (fact.name !== undefined) this.members.set(fact.name, literal);
    if (fact.each === undefined) return;
    const { test, formula } = fact.each;
    const opposite: Formula | undefined =
      fact.deny !== undefined && test.of === "name" && formula.op === "schema"
        ? { ...formula, sign: false }
        : undefined;
    this.eachMember.push({ literal, test, formula, opposite });
    if (test.of !== "name") return;
    this.#conflict = this.clauses.add([literal, this.#factLiteral(presenceFact(test.name))]) ?? this.#conflict;
  }

  #schemaLiteral(formula: Extract<Formula, { op: "schema" }>): Literal {
    const { model } = this.#search;
    const { always } = nodeAt(model, formula.node);
    if (always !== undefined && formula.focus === undefined)
      return always === formula.sign ? this.#trueLiteral : -this.#trueLiteral;
    const into = formula.into ?? [];
    const isPlain = formula.focus === undefined && into.length === 0;
    const content = `${schemaKey(model, formula.node)}${scopeKey(formula.scope)}`;
    const contentKey = isPlain ? content : `${content} into ${into}`;
    const key = formula.focus === undefined ? contentKey : identity(formula);
    const [literal, isNew] = this.#literalForKey(`schema ${key}`);
    if (isNew) {
      const positive: Formula = { ...formula, sign: true };
      this.#meanings.set(literal, () => this.#assertSchema(literal, positive));
      if (isPlain) {
        const negative: Formula = { ...formula, sign: false };
        this.#meanings.set(-literal, () => this.#assertSchema(-literal, negative));
      } else if (formula.focus === undefined) {
        const plain = this.#schemaLiteral({ ...positive, into: [] });
        this.#conflict = this.clauses.add([-literal, plain]) ?? this.#conflict;
      }
    }
    return formula.sign ? literal : -literal;
  }

  #assertSchema(owner: Literal, formula: Extract<Formula, { op: "schema" }>): void {
    const shape = openShape();
    for (let id = 0; id < this.collectors; id += 1) shape.collectors.set(id, newCollector());
    const todo: Formula[] = [];
    const choices: Choice[] = [];
    if (!addSchema(this.#search, shape, { formula, todo, choices })) {
      this.#addNeed(owner, []);
      return;
    }
    this.collectors = shape.collectors.size;
    this.#addNeed(owner, [this.#kindsLiteral(shape.kinds)]);
    for (const each of this.#statedFacts(shape)) this.#addNeed(owner, [each]);
    for (const each of todo.reverse()) this.#addNeed(owner, [this.literal(each)]);
    for (const choice of choices)
      this.#addNeed(
        owner,
        choice.map((each) => this.literal(each)),
      );
    const collected = [...shape.collectors].filter(([, collector]) => hasCollected(collector));
    if (collected.length === 0) return;
    const literal = this.clauses.addVariable();
    this.facts.set(literal, {
      key: "",
      kinds: everyKind,
      collects: true,
      assert: (whole) => {
        for (const [id, collector] of collected) addCollected(whole.collectors.get(id) as Collector, collector);
      },
    });
    this.#addNeed(owner, [literal]);
  }
}
