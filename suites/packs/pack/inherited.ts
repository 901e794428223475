import {
  type Cases,
  type Checker,
  type Extension,
  isObject,
  type Json,
  type NameChange,
  namesOf,
  type PlacedRule,
  type Protocol,
  type RuleFamily,
  renamedData,
  withCode,
} from "../../../schemas/index.ts";

/** The parent of a pack, with the right to load its code that the pack itself has. */
export function parentOf({ extends: extension, code }: Protocol): Protocol | undefined {
  const parent = extension?.parent;
  return parent?.foreign === true && code !== undefined ? withCode(parent, code) : parent;
}

/** A pack's own parts of a rule. */
export interface OwnParts {
  checks: ReadonlySet<string>;
  cases: ReadonlySet<string>;
}

/** The own parts of the rules of a pack in files and in code, by the ids of rules. */
export function ownParts(placed: readonly PlacedRule[], own: readonly RuleFamily[]): OwnParts {
  const caseMembers = ["valid", "invalid", "disputed", "permits", "yaml", "about", "needs", "cases"] as const;
  return {
    checks: new Set([
      ...placed.filter(({ check }) => check !== undefined).map(({ id }) => id),
      ...own.flatMap(({ checkers }) => checkers.map(({ rule }) => rule)),
    ]),
    cases: new Set([
      ...placed.filter((rule) => caseMembers.some((name) => rule[name] !== undefined)).map(({ id }) => id),
      ...own.flatMap(({ cases }) => cases.map(({ rule }) => rule)),
    ]),
  };
}

/**
 * The families of the parent in the names of the pack, without the pack's own ones: a message is judged in the names of the parent, and its findings
 * have the names of the pack.
 */
export function inheritedFamilies(
  extension: Extension,
  documents: ReadonlySet<string>,
  families: readonly RuleFamily[],
  own: OwnParts,
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
        .map((each) => renamedChecker(each, names, documents)),
      get cases() {
        cases ??= family.cases
          .filter(({ rule, document }) => isTaken(rule, own.cases) && documents.has(document))
          .map((each) => renamedCases(each, names));
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
    [...breaches].map((each) => ({ ...each, at: names.pointer(each.at), why: names.text(each.why) }));
  return {
    rule: names.id(rule),
    documents: checker.documents.filter((each) => documents.has(each)),
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

/** Of the message that was judged last, which one checker after another judges. */
const last = new WeakMap<NameChange, { instance: Json; value: Json }>();

function inParentNames(instance: Json, back: NameChange): Json {
  const known = last.get(back);
  if (known?.instance === instance && (isObject(instance) || Array.isArray(instance))) return known.value;
  const value = back.members(instance);
  last.set(back, { instance, value });
  return value;
}

/** Names of cases are parts of the ids of vectors, and stay. */
function renamedCases(cases: Cases, names: NameChange): Cases {
  const renameCase = <T extends { name: string; from?: string; text?: string | Uint8Array }>(each: T): T => {
    const { text, name, from, ...rest } = each;
    const more = typeof text === "string" ? { text: names.text(text) } : text === undefined ? {} : { text };
    return { ...renamedData(rest, names), ...more, ...(from === undefined ? {} : { from }), name } as unknown as T;
  };
  return {
    ...cases,
    rule: names.id(cases.rule),
    valid: cases.valid.map(renameCase),
    invalid: cases.invalid.map(renameCase),
    ...(cases.disputed === undefined ? {} : { disputed: cases.disputed.map(renameCase) }),
  };
}
