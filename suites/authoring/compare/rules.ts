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
  /** How many of these rules have a new id. */
  renamed: number;
  /** The new names in the new version; absent if neither version extends the other. */
  rename?: Renames;
  rules: ComparedRule[];
}

/** How names of the old version become names of the new one; empty if neither version extends the other. */
export function namesBetween(old: Protocol, next: Protocol): { rename?: Renames; names?: NameChange } {
  const { extends: newExtends } = next;
  const { extends: oldExtends } = old;
  if (newExtends !== undefined && isSameProtocol(newExtends.parent, old))
    return { rename: newExtends.rename ?? {}, names: namesOf(newExtends) };
  if (oldExtends === undefined || !isSameProtocol(oldExtends.parent, next)) return {};
  const reversed = renameKinds.map((kind) => [
    kind,
    Object.fromEntries(Object.entries(oldExtends.rename?.[kind] ?? {}).map(([from, to]) => [to, from])),
  ]);
  const rename = Object.fromEntries(reversed.filter(([, names]) => Object.keys(names as object).length > 0)) as Renames;
  return { rename, names: namesOf(oldExtends).back() };
}

function isSameProtocol(protocol: Protocol, otherProtocol: Protocol): boolean {
  return protocol.folder === otherProtocol.folder && protocol.version === otherProtocol.version;
}

/** The rules of two versions of a pack; undefined if neither has any. */
export function compareRules(old: Protocol, next: Protocol): ComparedRules | undefined {
  if (old.rules.length + next.rules.length === 0) return undefined;
  const { rename, names } = namesBetween(old, next);
  const oldRules = new Map(
    old.rules.map((rule) => {
      const renamedRule = names === undefined ? rule : renamedData(rule, names);
      return [renamedRule.id, { named: renamedRule, id: rule.id }] as const;
    }),
  );
  const rules: ComparedRule[] = [];
  let same = 0;
  let renamed = 0;
  for (const { id, level, statement, ...rule } of next.rules) {
    const oldRule = oldRules.get(id);
    oldRules.delete(id);
    const formerId = oldRule === undefined || oldRule.id === id ? {} : { was: oldRule.id };
    const parts = oldRule === undefined ? [] : changedParts(oldRule.named, { id, level, statement, ...rule });
    if (oldRule !== undefined && parts.length === 0) {
      same += 1;
      if (oldRule.id !== id) renamed += 1;
    } else if (oldRule === undefined) rules.push({ rule: id, state: "new", level, statement });
    else rules.push({ rule: id, ...formerId, state: "changed", level, statement, parts });
  }
  for (const { id, named } of oldRules.values())
    rules.push({ rule: id, state: "gone", level: named.level, statement: named.statement });
  return { same, renamed, ...(rename === undefined ? {} : { rename }), rules };
}

function changedParts(oldRule: Rule, newRule: Rule): RuleDifference[] {
  const partOf = (rule: Rule, part: RuleDifference): Json => (rule[part] as Json | undefined) ?? null;
  return ruleParts.filter((part) => !equal(partOf(oldRule, part), partOf(newRule, part)));
}

const nouns: Readonly<Record<keyof Renames, string>> = {
  ids: "rule ids",
  members: "members",
  headers: "headers",
  paths: "paths",
  texts: "texts",
};

/** Formats the renames as `members old → new; headers …`; empty if there are none. */
export function describeRenames({ rename = {} }: ComparedRules): string {
  return renameKinds
    .toReversed()
    .flatMap((kind) => {
      const names = Object.entries(rename[kind] ?? {});
      return names.length === 0 ? [] : [`${nouns[kind]} ${names.map((pair) => pair.join(" → ")).join(", ")}`];
    })
    .join("; ");
}

/** Formats the number of rules in each state, such as `216 rules are the same, 23 changed, 2 new`. */
export function describeCounts({ same, renamed, rules }: ComparedRules): string {
  const counts = (["changed", "new", "gone"] as const).flatMap((state) => {
    const count = rules.filter((rule) => rule.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const sameText = `${same} ${same === 1 ? "rule is" : "rules are"} the same${renamed === 0 ? "" : ` (${renamed} under another id)`}`;
  return [sameText, ...counts].join(", ");
}

/** Describes a rule in one line, for an implementer of the old version. */
export function describeRule({ rule, was, state, level, parts = [], statement }: ComparedRule): string {
  const id = was === undefined ? rule : `${rule} (was ${was})`;
  return `${state} ${level} ${id}${parts.length === 0 ? "" : ` [${parts.join(", ")}]`}: ${statement}`;
}
