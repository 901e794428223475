import {
  type Cases,
  type Change,
  type Checker,
  type DisputedCase,
  type Extension,
  type InvalidCase,
  isObject,
  type Json,
  type NameChange,
  namesOf,
  type PlacedRule,
  type Protocol,
  type RuleFamily,
  renamedData,
  type ValidCase,
  withCode,
} from "../../../schemas/index.ts";

/** The parent of a pack, with the pack's own permission to load code. */
export function parentOf({ extends: extension, code }: Protocol): Protocol | undefined {
  const parent = extension?.parent;
  return parent?.foreign === true && code !== undefined ? withCode(parent, code) : parent;
}

/** A pack's own parts of a rule. */
export interface OwnParts {
  checks: ReadonlySet<string>;
  cases: ReadonlySet<string>;
  /** By rule id, the names of the parent's cases that do not hold; its other cases stay. */
  lacks: ReadonlyMap<string, readonly string[]>;
}

/** Returns the changes that sign an inherited case again: `mine` is the case in the names of the pack, `before` the case of the parent. */
export type Resign = (mine: Json, before: Json, document: string) => Change[];

/** How to sign inherited cases again, and how to apply a change. */
export interface Resigning {
  resign: Resign;
  applyChanges(value: Json, changes: readonly Change[]): Json;
}

/** A pack's own parts of its rules, in files and in code, by rule id. */
export function ownParts(placed: readonly PlacedRule[], own: readonly RuleFamily[]): OwnParts {
  const caseMembers = ["valid", "invalid", "disputed", "permits", "yaml", "about", "needs", "cases"] as const;
  return {
    checks: new Set([
      ...placed.filter(({ check }) => check !== undefined).map(({ id }) => id),
      ...own.flatMap(({ checkers }) => checkers.map(({ rule }) => rule)),
    ]),
    cases: new Set([
      ...placed
        .filter((rule) => rule.lacks === undefined && caseMembers.some((name) => rule[name] !== undefined))
        .map(({ id }) => id),
      ...own.flatMap(({ cases }) => cases.map(({ rule }) => rule)),
    ]),
    lacks: new Map(placed.flatMap(({ id, lacks }) => (lacks === undefined ? [] : [[id, lacks]]))),
  };
}

/** The parent's families in the names of the pack, without the pack's own. A message is judged in the parent's names, and its findings have the pack's names. */
export function inheritedFamilies(
  extension: Extension,
  documents: ReadonlySet<string>,
  families: readonly RuleFamily[],
  own: OwnParts & { resigning?: Resigning | undefined },
): RuleFamily[] {
  const names = namesOf(extension);
  const { gone = {}, stated = [] } = extension;
  const left = new Set([...(gone.rules ?? []), ...stated.flatMap(({ rules }) => rules)]);
  const isTaken = (rule: string, taken: ReadonlySet<string>): boolean => !left.has(rule) && !taken.has(names.id(rule));
  return families.map((family) => {
    const { checkers, enforcedBy } = family;
    let cases: readonly Cases[] | undefined;
    return {
      name: family.name,
      ...(family.seals === undefined ? {} : { seals: true as const }),
      ...(enforcedBy === undefined ? {} : { enforcedBy: renamedData(enforcedBy, names) }),
      checkers: checkers
        .filter(({ rule }) => isTaken(rule, own.checks))
        .map((checker) => renamedChecker(checker, names, documents)),
      get cases() {
        cases ??= family.cases
          .filter(({ rule, document }) => isTaken(rule, own.cases) && documents.has(document))
          .map((each) => renamedCases(each, names, own.resigning))
          .map((each) => withoutCases(each, own.lacks.get(each.rule) ?? []));
        return cases;
      },
    };
  });
}

function renamedChecker(checker: Checker, names: NameChange, documents: ReadonlySet<string>): Checker {
  const { rule, check, read } = checker;
  const back = backOf(names);
  const tellBreaches = (
    breaches: ReturnType<NonNullable<Checker["check"]>>,
  ): ReturnType<NonNullable<Checker["check"]>> =>
    [...breaches].map((breach) => ({ ...breach, at: names.pointer(breach.at), why: names.text(breach.why) }));
  return {
    rule: names.id(rule),
    documents: checker.documents.filter((document) => documents.has(document)),
    ...(check === undefined
      ? {}
      : {
          check: (instance: Json, document: string) =>
            tellBreaches(check.call(checker, inParentNames(instance, back), document)),
        }),
    ...(read === undefined
      ? {}
      : {
          read: (bytes: Uint8Array, document: string) =>
            tellBreaches(
              read.call(checker, Buffer.from(back.text(Buffer.from(bytes).toString("latin1")), "latin1"), document),
            ),
        }),
  };
}

const backs = new WeakMap<NameChange, NameChange>();

function backOf(names: NameChange): NameChange {
  const known = backs.get(names) ?? names.back();
  backs.set(names, known);
  return known;
}

/** The message that was judged last: many checkers judge the same message in turn. */
const last = new WeakMap<NameChange, { instance: Json; value: Json }>();

function inParentNames(instance: Json, back: NameChange): Json {
  const known = last.get(back);
  if (known?.instance === instance && (isObject(instance) || Array.isArray(instance))) return known.value;
  const value = back.members(instance);
  last.set(back, { instance, value });
  return value;
}

function withoutCases(cases: Cases, lacks: readonly string[]): Cases {
  const isKept = ({ name }: { name: string }): boolean => !lacks.includes(name);
  return {
    ...cases,
    valid: cases.valid.filter(isKept),
    invalid: cases.invalid.filter(isKept),
    ...(cases.disputed === undefined ? {} : { disputed: cases.disputed.filter(isKept) }),
  };
}

/** Names of cases are parts of vector ids, so they stay. */
function renamedCases(cases: Cases, names: NameChange, resigning?: Resigning): Cases {
  const renameCase = <T extends { name: string; from?: string; text?: string | Uint8Array }>(each: T): T => {
    const { text, name, from, ...rest } = each;
    const more = typeof text === "string" ? { text: names.text(text) } : text === undefined ? {} : { text };
    return { ...renamedData(rest, names), ...more, ...(from === undefined ? {} : { from }), name } as unknown as T;
  };
  const renamed = {
    ...cases,
    rule: names.id(cases.rule),
    valid: cases.valid.map(renameCase),
    invalid: cases.invalid.map(renameCase),
    ...(cases.disputed === undefined ? {} : { disputed: cases.disputed.map(renameCase) }),
  };
  return resigning === undefined ? renamed : signedAgain(renamed, cases, resigning);
}

/** Adds the signatures that the messages need under other names. */
function signedAgain(mine: Cases, before: Cases, { resign, applyChanges }: Resigning): Cases {
  const { document } = mine;
  const valid = mine.valid.map((validCase, index) => {
    const was = before.valid[index]?.data;
    if (validCase.data === undefined || was === undefined) return validCase;
    return { ...validCase, data: applyChanges(validCase.data, resign(validCase.data, was, document)) };
  });
  const signCase = <T extends InvalidCase | DisputedCase>(each: T, index: number, all: readonly T[] = []): T => {
    const { change, from } = each;
    const place = from === undefined ? valid.findIndex(({ data }) => data !== undefined) : placeNamed(valid, from);
    const [base, baseBefore] = [valid[place]?.data, before.valid[place]?.data];
    const changeBefore = all[index]?.change;
    if (change === undefined || base === undefined || baseBefore === undefined || changeBefore === undefined)
      return each;
    const more = resign(applyChanges(base, change), applyChanges(baseBefore, changeBefore), document);
    const again = new Set(more.map(({ path }) => path));
    return { ...each, change: [...change.filter(({ path }) => !again.has(path)), ...more] };
  };
  return {
    ...mine,
    valid,
    invalid: mine.invalid.map((invalidCase, index) => signCase(invalidCase, index, before.invalid)),
    ...(mine.disputed === undefined
      ? {}
      : { disputed: mine.disputed.map((disputedCase, index) => signCase(disputedCase, index, before.disputed)) }),
  };
}

function placeNamed(cases: readonly ValidCase[], name: string): number {
  return cases.findIndex((validCase) => validCase.name === name);
}
