import {
  equal,
  type Json,
  type NameChange,
  namesOf,
  type Protocol,
  type Renames,
  type Rule,
  renamedData,
  renameKinds,
} from "../../../schemas/index.ts";

/** Parts of a rule that concern implementers if they change. */
export const ruleParts = ["statement", "level", "verdict", "position", "binds", "tier", "check", "sites"] as const;
export type RuleDifference = (typeof ruleParts)[number];

/** A rule that an implementer of the old version has to review. */
export interface ComparedRule {
  rule: string;
  /** The old version's id for it, if that differs. */
  was?: string;
  state: "changed" | "new" | "gone";
  level: Rule["level"];
  /** The statement in the new version; for a removed rule, in the old one. */
  statement: string;
  /** The changed parts, in the names of the new version. */
  parts?: RuleDifference[];
}

/** Two versions of a pack, rule by rule. */
export interface ComparedRules {
  same: number;
  /** How many of these rules have another id. */
  renamed: number;
  /** The new names in the new version; absent if neither version extends the other. */
  rename?: Renames;
  rules: ComparedRule[];
}

/** How the names of one version become those of another; empty if neither extends the other. */
export function namesBetween(old: Protocol, young: Protocol): { rename?: Renames; names?: NameChange } {
  const { extends: up } = young;
  const { extends: down } = old;
  if (up !== undefined && isSame(up.parent, old)) return { rename: up.rename ?? {}, names: namesOf(up) };
  if (down === undefined || !isSame(down.parent, young)) return {};
  const turned = renameKinds.map((kind) => [
    kind,
    Object.fromEntries(Object.entries(down.rename?.[kind] ?? {}).map(([one, other]) => [other, one])),
  ]);
  const rename = Object.fromEntries(turned.filter(([, names]) => Object.keys(names as object).length > 0)) as Renames;
  return { rename, names: namesOf(down).back() };
}

function isSame(one: Protocol, other: Protocol): boolean {
  return one.folder === other.folder && one.version === other.version;
}

/** The rules of two versions of a pack; undefined if neither has any. */
export function compareRules(old: Protocol, young: Protocol): ComparedRules | undefined {
  if (old.rules.length + young.rules.length === 0) return undefined;
  const { rename, names } = namesBetween(old, young);
  const before = new Map(
    old.rules.map((rule) => {
      const named = names === undefined ? rule : renamedData(rule, names);
      return [named.id, { named, id: rule.id }] as const;
    }),
  );
  const rules: ComparedRule[] = [];
  let same = 0;
  let renamed = 0;
  for (const { id, level, statement, ...rule } of young.rules) {
    const known = before.get(id);
    before.delete(id);
    const was = known === undefined || known.id === id ? {} : { was: known.id };
    const parts = known === undefined ? [] : differences(known.named, { id, level, statement, ...rule });
    if (known !== undefined && parts.length === 0) {
      same += 1;
      if (known.id !== id) renamed += 1;
    } else if (known === undefined) rules.push({ rule: id, state: "new", level, statement });
    else rules.push({ rule: id, ...was, state: "changed", level, statement, parts });
  }
  for (const { id, named } of before.values())
    rules.push({ rule: id, state: "gone", level: named.level, statement: named.statement });
  return { same, renamed, ...(rename === undefined ? {} : { rename }), rules };
}

function differences(one: Rule, other: Rule): RuleDifference[] {
  const partOf = (rule: Rule, part: RuleDifference): Json => (rule[part] as Json | undefined) ?? null;
  return ruleParts.filter((part) => !equal(partOf(one, part), partOf(other, part)));
}

const nouns: Readonly<Record<keyof Renames, string>> = {
  ids: "rule ids",
  members: "members",
  headers: "headers",
  paths: "paths",
  texts: "texts",
};

/** `members old → new; headers …`, or nothing. */
export function describeRenames({ rename = {} }: ComparedRules): string {
  return renameKinds
    .toReversed()
    .flatMap((kind) => {
      const names = Object.entries(rename[kind] ?? {});
      return names.length === 0 ? [] : [`${nouns[kind]} ${names.map((pair) => pair.join(" → ")).join(", ")}`];
    })
    .join("; ");
}

/** The number of rules in each state: `216 rules are the same, 23 changed, 2 new`. */
export function describeCounts({ same, renamed, rules }: ComparedRules): string {
  const counts = (["changed", "new", "gone"] as const).flatMap((state) => {
    const count = rules.filter((rule) => rule.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const shown = `${same} ${same === 1 ? "rule is" : "rules are"} the same${renamed === 0 ? "" : ` (${renamed} under another id)`}`;
  return [shown, ...counts].join(", ");
}

/** A rule for an implementer of the old version, in one line. */
export function describeRule({ rule, was, state, level, parts = [], statement }: ComparedRule): string {
  const id = was === undefined ? rule : `${rule} (was ${was})`;
  return `${state} ${level} ${id}${parts.length === 0 ? "" : ` [${parts.join(", ")}]`}: ${statement}`;
}
