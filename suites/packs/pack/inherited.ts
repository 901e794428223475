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

/** Names the parts of rules that a pack defines itself, and so does not inherit. */
export interface OverriddenParts {
  checks: ReadonlySet<string>;
  cases: ReadonlySet<string>;
  /** By rule id, the names of the parent's cases that do not apply. The parent's other cases are inherited. */
  lacks: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns the changes that sign an inherited case again. `renamed` is the message of the case under the pack's names, and `original` the same
 * message under the parent's names.
 */
export type Resign = (renamed: Json, original: Json, document: string) => Change[];

/** The functions that sign inherited cases again. */
export interface Resigning {
  resign: Resign;
  applyChanges(value: Json, changes: readonly Change[]): Json;
}

/** Finds the parts of rules that a pack defines itself, in files and in code. */
export function overriddenParts(placed: readonly PlacedRule[], ownFamilies: readonly RuleFamily[]): OverriddenParts {
  const caseMembers = ["valid", "invalid", "disputed", "permits", "yaml", "about", "needs", "cases"] as const;
  return {
    checks: new Set([
      ...placed.filter(({ check }) => check !== undefined).map(({ id }) => id),
      ...ownFamilies.flatMap(({ checkers }) => checkers.map(({ rule }) => rule)),
    ]),
    cases: new Set([
      ...placed
        .filter((rule) => rule.lacks === undefined && caseMembers.some((name) => rule[name] !== undefined))
        .map(({ id }) => id),
      ...ownFamilies.flatMap(({ cases }) => cases.map(({ rule }) => rule)),
    ]),
    lacks: new Map(placed.flatMap(({ id, lacks }) => (lacks === undefined ? [] : [[id, lacks]]))),
  };
}

/** Returns the parent's families with the pack's names, without the parts that the pack overrides. Messages are judged under the parent's names, and findings use the pack's names. */
export function inheritedFamilies(
  extension: Extension,
  documents: ReadonlySet<string>,
  families: readonly RuleFamily[],
  overridden: OverriddenParts & { resigning?: Resigning | undefined },
): RuleFamily[] {
  const names = namesOf(extension);
  const { gone = {}, stated = [] } = extension;
  const notInherited = new Set([...(gone.rules ?? []), ...stated.flatMap(({ rules }) => rules)]);
  const isInherited = (rule: string, overriddenIds: ReadonlySet<string>): boolean =>
    !notInherited.has(rule) && !overriddenIds.has(names.id(rule));
  return families.map((family) => {
    const { checkers, enforcedBy } = family;
    let cases: readonly Cases[] | undefined;
    return {
      name: family.name,
      ...(family.seals === undefined ? {} : { seals: true as const }),
      ...(enforcedBy === undefined ? {} : { enforcedBy: renamedData(enforcedBy, names) }),
      checkers: checkers
        .filter(({ rule }) => isInherited(rule, overridden.checks))
        .map((checker) => renamedChecker(checker, names, documents)),
      get cases() {
        cases ??= family.cases
          .filter(({ rule, document }) => isInherited(rule, overridden.cases) && documents.has(document))
          .map((ruleCases) => renameCases(ruleCases, names, overridden.resigning))
          .map((ruleCases) => withoutCases(ruleCases, overridden.lacks.get(ruleCases.rule) ?? []));
        return cases;
      },
    };
  });
}

function renamedChecker(checker: Checker, names: NameChange, documents: ReadonlySet<string>): Checker {
  const { rule, check, read } = checker;
  const toParent = inverseOf(names);
  const renameBreaches = (
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
            renameBreaches(check.call(checker, inParentNames(instance, toParent), document)),
        }),
    ...(read === undefined
      ? {}
      : {
          read: (bytes: Uint8Array, document: string) =>
            renameBreaches(
              read.call(checker, Buffer.from(toParent.text(Buffer.from(bytes).toString("latin1")), "latin1"), document),
            ),
        }),
  };
}

const inverses = new WeakMap<NameChange, NameChange>();

function inverseOf(names: NameChange): NameChange {
  const inverse = inverses.get(names) ?? names.back();
  inverses.set(names, inverse);
  return inverse;
}

/** The last message that was judged, kept because many checkers judge the same message in turn. */
const lastMessage = new WeakMap<NameChange, { instance: Json; value: Json }>();

function inParentNames(instance: Json, toParent: NameChange): Json {
  const cached = lastMessage.get(toParent);
  if (cached?.instance === instance && (isObject(instance) || Array.isArray(instance))) return cached.value;
  const value = toParent.members(instance);
  lastMessage.set(toParent, { instance, value });
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

/** Renames the contents of cases. Their own names are kept, because they are parts of vector ids. */
function renameCases(cases: Cases, names: NameChange, resigning?: Resigning): Cases {
  const renameCase = <T extends { name: string; from?: string; text?: string | Uint8Array }>(oneCase: T): T => {
    const { text, name, from, ...otherMembers } = oneCase;
    const textMember = typeof text === "string" ? { text: names.text(text) } : text === undefined ? {} : { text };
    return {
      ...renamedData(otherMembers, names),
      ...textMember,
      ...(from === undefined ? {} : { from }),
      name,
    } as unknown as T;
  };
  const renamed = {
    ...cases,
    rule: names.id(cases.rule),
    valid: cases.valid.map(renameCase),
    invalid: cases.invalid.map(renameCase),
    ...(cases.disputed === undefined ? {} : { disputed: cases.disputed.map(renameCase) }),
  };
  return resigning === undefined ? renamed : signAgain(renamed, cases, resigning);
}

/** Signs the messages again, because the new names invalidate their signatures. */
function signAgain(renamed: Cases, original: Cases, { resign, applyChanges }: Resigning): Cases {
  const { document } = renamed;
  const valid = renamed.valid.map((validCase, index) => {
    const originalData = original.valid[index]?.data;
    if (validCase.data === undefined || originalData === undefined) return validCase;
    return { ...validCase, data: applyChanges(validCase.data, resign(validCase.data, originalData, document)) };
  });
  const signCase = <T extends InvalidCase | DisputedCase>(
    brokenCase: T,
    index: number,
    originals: readonly T[] = [],
  ): T => {
    const { change, from } = brokenCase;
    const place = from === undefined ? valid.findIndex(({ data }) => data !== undefined) : indexOfCase(valid, from);
    const [base, originalBase] = [valid[place]?.data, original.valid[place]?.data];
    const originalChange = originals[index]?.change;
    if (change === undefined || base === undefined || originalBase === undefined || originalChange === undefined)
      return brokenCase;
    const resigned = resign(applyChanges(base, change), applyChanges(originalBase, originalChange), document);
    const resignedPaths = new Set(resigned.map(({ path }) => path));
    return { ...brokenCase, change: [...change.filter(({ path }) => !resignedPaths.has(path)), ...resigned] };
  };
  return {
    ...renamed,
    valid,
    invalid: renamed.invalid.map((invalidCase, index) => signCase(invalidCase, index, original.invalid)),
    ...(renamed.disputed === undefined
      ? {}
      : { disputed: renamed.disputed.map((disputedCase, index) => signCase(disputedCase, index, original.disputed)) }),
  };
}

function indexOfCase(cases: readonly ValidCase[], name: string): number {
  return cases.findIndex((validCase) => validCase.name === name);
}
