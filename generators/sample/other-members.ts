import type { JsonObject } from "../../schemas/index.ts";
import type { Formula, MemberTest, Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { combine } from "../regex/automaton.ts";
import { appliesTo } from "../solve/shape.ts";
import { anyName } from "./any.ts";
import type { Maker, Makers } from "./maker.ts";
import { putMember } from "./member.ts";
import { chanceOf, drawBelow, pick, type Random, randomFrom } from "./random.ts";
import { wordsOf } from "./word.ts";

/** Members of an object that no schema declares by name. */
export interface Others {
  /** A maker for the value of a new member. Undefined if the object allows no new member. */
  makerOfNewMember(): Maker | undefined;
  /** The number of members to try. */
  drawCount(random: Random): number;
  /** Adds a member. Returns false if none was found. */
  addMember(object: JsonObject, random: Random, room: number): boolean;
  /** Members that meet the demands of the form "some member …". Undefined if one was not found. */
  drawDemanded(random: Random): ReadonlyMap<string, Maker> | undefined;
}

const attempts = 40;
const longestName = 60;
/** Names drawn for each pattern. Their number is fixed, because JavaScript engines are slow with names that they have not seen before. */
const namesPerPattern = 100;

/** A name that hardly any pattern matches. */
const improbableName = "\u0000";

export function othersOf(shape: Shape, makers: Makers, declared: ReadonlySet<string>): Others {
  return new OtherMembers(shape, makers, declared);
}

class OtherMembers implements Others {
  private readonly rules: Shape["object"];
  private readonly makers: Makers;
  private readonly declared: ReadonlySet<string>;
  private readonly tests: readonly MemberTest[];
  private readonly patternNames: readonly string[];
  /** Whether undeclared members are the normal content of the object. */
  private readonly isMap: boolean;
  /** Makers by a bit mask of the tests that apply to a name. Names with the same tests share a maker. */
  private readonly makersByMask = new Map<number, Maker>();
  private isClosedToNewNames: boolean | undefined;

  constructor({ object }: Shape, makers: Makers, declared: ReadonlySet<string>) {
    const { each, some } = object;
    this.rules = object;
    this.makers = makers;
    this.declared = declared;
    this.tests = each.flatMap(({ test }) => (test.of === "name" ? [] : [test]));
    const sources = [...each, ...some].flatMap(({ test }) => (test.of === "pattern" ? [test.regexp.source] : []));
    this.patternNames = [...new Set(sources)].flatMap(namesOf);
    this.isMap = declared.size === 0 || this.tests.some(({ of }) => of === "rest");
  }

  makerOfNewMember(): Maker | undefined {
    const name = this.isClosed() ? this.patternNames[0] : improbableName;
    return name === undefined ? undefined : this.makerOf(name);
  }

  drawCount(random: Random): number {
    if (this.isMap) return drawBelow(random, 4);
    if (this.patternNames.length > 0) return drawBelow(random, 3);
    return chanceOf(random, 8) ? 1 + drawBelow(random, 2) : 0;
  }

  addMember(object: JsonObject, random: Random, room: number): boolean {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const name = this.newName(random);
      if (name === undefined || Object.hasOwn(object, name)) continue;
      if (putMember(object, name, { maker: this.makerOf(name), random, room })) return true;
    }
    return false;
  }

  drawDemanded(random: Random): ReadonlyMap<string, Maker> | undefined {
    const demandsByName = new Map<string, Formula[]>();
    for (const { test, formula } of this.rules.some) {
      const name = test.of === "name" ? test.name : this.nameFor(random, test);
      if (name === undefined) return undefined;
      demandsByName.set(name, [...(demandsByName.get(name) ?? []), formula]);
    }
    for (const formula of this.rules.someName) {
      const name = this.drawName(random, [formula]);
      if (name === undefined) return undefined;
      demandsByName.set(name, demandsByName.get(name) ?? []);
    }
    return new Map(
      [...demandsByName].map(([name, formulas]) => [
        name,
        this.makers.makerFor([...this.formulasOf(name), ...formulas]),
      ]),
    );
  }

  private formulasOf(name: string): Formula[] {
    return this.rules.each.filter(({ test }) => appliesTo(test, name)).map(({ formula }) => formula);
  }

  private makerOf(name: string): Maker {
    let mask = 0;
    for (const test of this.tests) mask = 2 * mask + (appliesTo(test, name) ? 1 : 0);
    const maker = this.makersByMask.get(mask) ?? this.makers.makerFor(this.formulasOf(name));
    this.makersByMask.set(mask, maker);
    return maker;
  }

  private isClosed(): boolean {
    this.isClosedToNewNames ??= !this.makers.isAlive(this.makerOf(improbableName));
    return this.isClosedToNewNames;
  }

  /** A name that fulfils the constraints on names and further formulas. */
  private drawName(random: Random, extraFormulas: readonly Formula[]): string | undefined {
    const formulas: Formula[] = [...this.rules.names, ...extraFormulas, { op: "kinds", kinds: kinds.string }];
    return this.makers.makerFor(formulas).draw(random, 0) as string | undefined;
  }

  private nameFrom(random: Random): string | undefined {
    if (this.rules.names.length > 0) return this.drawName(random, []);
    if (this.patternNames.length > 0 && (this.isClosed() || chanceOf(random, 2)))
      return pick(random, this.patternNames);
    return this.isClosed() ? undefined : anyName(random);
  }

  private newName(random: Random): string | undefined {
    const { names, forbidden } = this.rules;
    const name = this.nameFrom(random);
    if (name === undefined || this.declared.has(name) || forbidden.has(name)) return undefined;
    return names.length === 0 || this.makers.holds(names, name) ? name : undefined;
  }

  private nameFor(random: Random, test: MemberTest): string | undefined {
    const matchingNames = [...this.declared].filter((name) => appliesTo(test, name));
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const name = matchingNames.length > 0 && chanceOf(random, 3) ? pick(random, matchingNames) : this.newName(random);
      if (name !== undefined && appliesTo(test, name)) return name;
    }
    return matchingNames.length > 0 ? pick(random, matchingNames) : undefined;
  }
}

/** Names that a pattern matches. */
function namesOf(source: string): string[] {
  const automaton = combine([source], []);
  const words = automaton === undefined ? undefined : wordsOf(automaton, 0, longestName);
  if (words === undefined) return [];
  const random = randomFrom(1);
  return Array.from({ length: namesPerPattern }, () => words(random));
}
