/** The number of a variable, 1 or more, or its negative for "not". */
export type Literal = number;

type Clause = Literal[];

/** Each conflict adds this much more activity than the one before, so that recent conflicts count more. */
const activityGrowth = 1.05;

/** Activities are scaled down before they exceed the range of numbers. */
const maxActivityStep = 1e100;
const activityScale = 1e-100;

/**
 * A set of propositional clauses with unit propagation by two watched literals, and conflict-driven clause learning: the cause of a conflict becomes a clause
 * that prevents the same conflict. Clauses may be added at any time.
 */
export class Clauses {
  /** The assigned literals, in order. */
  readonly trail: Literal[] = [];
  /** The start of the unprocessed part of the trail. The reader of the trail moves it forward. */
  changedFrom = 0;
  /** For each level, the length of the trail before its decision. */
  readonly #limits: number[] = [];
  /** The value of each variable: 1, -1 or 0. Index 0 of this and the next arrays is unused. */
  readonly #values: number[] = [0];
  readonly #levels: number[] = [0];
  readonly #reasons: (Clause | undefined)[] = [undefined];
  readonly #activity: number[] = [0];
  /** The clauses to examine when a literal becomes false, by literal. */
  readonly #watches: Clause[][] = [[], []];
  /** Clauses with a single literal that were added after a decision. */
  readonly #unitClauses: Clause[] = [];
  #next = 0;
  #activityStep = 1;

  addVariable(): Literal {
    this.#values.push(0);
    this.#levels.push(0);
    this.#reasons.push(undefined);
    this.#activity.push(0);
    this.#watches.push([], []);
    return this.#values.length - 1;
  }

  /** The number of variables. */
  get variableCount(): number {
    return this.#values.length - 1;
  }

  /** 1 if the literal is true, -1 if it is false, 0 if it is unassigned. */
  value(literal: Literal): number {
    return literal > 0 ? (this.#values[literal] as number) : -(this.#values[-literal] as number);
  }

  /** The number of decisions. */
  get level(): number {
    return this.#limits.length;
  }

  /** The decisions, in order. */
  get decisions(): Literal[] {
    return this.trail.filter((literal) => this.#levelOf(literal) > 0 && this.#reasonOf(literal) === undefined);
  }

  /** How often the literal was involved in recent conflicts. */
  activity(literal: Literal): number {
    return this.#activity[Math.abs(literal)] as number;
  }

  /** Adds a clause and its direct consequences. Returns the clause if all its literals are false. */
  add(literals: Iterable<Literal>): Clause | undefined {
    const clause = [...new Set(literals)];
    if (clause.some((literal) => clause.includes(-literal))) return undefined;
    const rank = (literal: Literal) => (this.value(literal) >= 0 ? Infinity : this.#levelOf(literal));
    // Two infinite ranks are equal, but their difference is not a number.
    clause.sort((first, second) => (rank(first) === rank(second) ? 0 : rank(second) - rank(first)));
    const [first, second] = clause;
    if (first === undefined || this.value(first) < 0) {
      if (clause.length > 1) this.#watch(clause);
      return clause;
    }
    if (clause.length > 1) this.#watch(clause);
    else if (this.level > 0) this.#unitClauses.push(clause);
    if (this.value(first) === 0 && (second === undefined || this.value(second) < 0)) this.imply(first, clause);
    return undefined;
  }

  /** Enters a new level, and assigns the literal there if there is one. */
  decide(literal?: Literal): void {
    this.#limits.push(this.trail.length);
    if (literal !== undefined) this.imply(literal, undefined);
  }

  /** Assigns a literal, because all other literals of a clause are false. */
  imply(literal: Literal, reason: Clause | undefined): void {
    const variable = Math.abs(literal);
    this.#values[variable] = literal > 0 ? 1 : -1;
    this.#levels[variable] = this.level;
    this.#reasons[variable] = reason;
    this.trail.push(literal);
  }

  /** Assigns all consequences. Returns a false clause, if there is one. */
  propagate(): Clause | undefined {
    while (this.#next < this.trail.length) {
      const falsified = -(this.trail[this.#next] as Literal);
      this.#next += 1;
      const watching = this.#watchesOf(falsified);
      let keptCount = 0;
      for (let position = 0; position < watching.length; position += 1) {
        const clause = watching[position] as Clause;
        if (clause[0] === falsified) [clause[0], clause[1]] = [clause[1] as Literal, falsified];
        const first = clause[0] as Literal;
        const replacement =
          this.value(first) > 0 ? -1 : clause.findIndex((each, index) => index > 1 && this.value(each) >= 0);
        if (replacement > 0) {
          [clause[1], clause[replacement]] = [clause[replacement] as Literal, falsified];
          this.#watchesOf(clause[1] as Literal).push(clause);
          continue;
        }
        watching[keptCount] = clause;
        keptCount += 1;
        if (this.value(first) > 0) continue;
        if (this.value(first) < 0) {
          // Keep the unexamined clauses.
          while (++position < watching.length) watching[keptCount++] = watching[position] as Clause;
          watching.length = keptCount;
          this.#next = this.trail.length;
          return clause;
        }
        this.imply(first, clause);
      }
      watching.length = keptCount;
    }
    return undefined;
  }

  /** Learns a clause from a false one, and backtracks to the level at which it decides something. Returns false if the conflict does not depend on a decision. */
  learn(conflict: readonly Literal[]): boolean {
    const conflictLevel = conflict.reduce((most, each) => Math.max(most, this.#levelOf(each)), 0);
    if (conflictLevel === 0) return false;
    this.backtrackTo(conflictLevel);
    const seenVariables = new Set<number>();
    const learnt: Clause = [];
    let openCount = 0;
    const addLiterals = (literals: readonly Literal[]) => {
      for (const literal of literals) {
        const variable = Math.abs(literal);
        if (seenVariables.has(variable) || this.#levelOf(literal) === 0) continue;
        seenVariables.add(variable);
        this.#activity[variable] = (this.#activity[variable] as number) + this.#activityStep;
        if (this.#levelOf(literal) === conflictLevel) openCount += 1;
        else learnt.push(literal);
      }
    };
    addLiterals(conflict);
    let position = this.trail.length - 1;
    let assertedLiteral = 0;
    while (true) {
      while (!seenVariables.has(Math.abs(this.trail[position] as Literal))) position -= 1;
      assertedLiteral = this.trail[position] as Literal;
      position -= 1;
      openCount -= 1;
      if (openCount === 0) break;
      addLiterals(this.#reasonOf(assertedLiteral) as Clause);
    }
    // Literals that the others imply are left out.
    const minimalClause = learnt.filter(
      (literal) =>
        this.#reasonOf(literal)?.every((each) => seenVariables.has(Math.abs(each)) || this.#levelOf(each) === 0) !==
        true,
    );
    const backtrackLevel = minimalClause.reduce((most, each) => Math.max(most, this.#levelOf(each)), 0);
    this.backtrackTo(backtrackLevel);
    this.#activityStep *= activityGrowth;
    if (this.#activityStep > maxActivityStep) this.#rescale();
    this.add([-assertedLiteral, ...minimalClause]);
    return true;
  }

  backtrackTo(level: number): void {
    if (level >= this.level) return;
    const length = this.#limits[level] as number;
    while (this.trail.length > length) {
      const variable = Math.abs(this.trail.pop() as Literal);
      this.#values[variable] = 0;
      this.#reasons[variable] = undefined;
    }
    this.#limits.length = level;
    this.#next = Math.min(this.#next, length);
    this.changedFrom = Math.min(this.changedFrom, length);
    for (const clause of this.#unitClauses)
      if (this.value(clause[0] as Literal) === 0) this.imply(clause[0] as Literal, clause);
  }

  /** The decisions that make a literal false. */
  decisionsBehind(literal: Literal): Literal[] {
    const seenVariables = new Set([Math.abs(literal)]);
    const decisions: Literal[] = [];
    for (let position = this.trail.length - 1; position >= 0; position -= 1) {
      const each = this.trail[position] as Literal;
      if (!seenVariables.has(Math.abs(each)) || this.#levelOf(each) === 0) continue;
      const reason = this.#reasonOf(each);
      if (reason === undefined) decisions.push(each);
      else for (const other of reason) seenVariables.add(Math.abs(other));
    }
    return decisions;
  }

  #rescale(): void {
    for (let index = 0; index < this.#activity.length; index += 1)
      this.#activity[index] = (this.#activity[index] as number) * activityScale;
    this.#activityStep *= activityScale;
  }

  #watch(clause: Clause): void {
    this.#watchesOf(clause[0] as Literal).push(clause);
    this.#watchesOf(clause[1] as Literal).push(clause);
  }

  #watchesOf(literal: Literal): Clause[] {
    return this.#watches[literal > 0 ? 2 * literal : -2 * literal + 1] as Clause[];
  }

  #levelOf(literal: Literal): number {
    return this.#levels[Math.abs(literal)] as number;
  }

  #reasonOf(literal: Literal): Clause | undefined {
    return this.#reasons[Math.abs(literal)];
  }
}
