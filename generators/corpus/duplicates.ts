import { type Level, levels, type Vector, type VectorKind } from "../../schemas/index.ts";
import { contentKey } from "../rules/content.ts";

type Sets = Readonly<Record<VectorKind, readonly Vector[]>>;

/** Drafts that kill a mutant of the schema come before drafts that need more than the schema. */
const order: readonly VectorKind[] = ["valid", "invalid", "disputed", "semantic", "raw"];

/**
 * The vectors of one document, each content once for each verdict. Of several equal ones, the schema's vector stays, or else the one of the rule with the
 * fewest others. Children of a removed vector get the remaining one as their parent.
 */
export function removeDuplicates(sets: Sets): Record<VectorKind, Vector[]> {
  const all = order.flatMap((kind) => sets[kind].map((vector) => ({ kind, vector })));
  const groups = groupBy(all, ({ vector }) => `${vector.valid} ${contentKey(vector)}`);
  const alone = [...groups.values()].flatMap((group) => (group.length === 1 ? group : []));
  const others = groupBy(alone, ({ vector }) => vector.rule);
  const representatives = new Map<string, string>();
  const kept = new Map<string, Vector>();
  for (const group of groups.values()) {
    const chosen = [...group].sort(
      (a, b) => rank(a) - rank(b) || countOfRule(a) - countOfRule(b),
    )[0] as (typeof all)[number];
    for (const { vector } of group) representatives.set(vector.id, chosen.vector.id);
    kept.set(
      chosen.vector.id,
      joinVectors(
        chosen.vector,
        group.map(({ vector }) => vector),
      ),
    );
  }
  return Object.fromEntries(
    order.map((kind) => [kind, sets[kind].flatMap(({ id }) => vectorsNamed(id))]),
  ) as ReturnType<typeof removeDuplicates>;

  function countOfRule({ vector: { rule } }: (typeof all)[number]): number {
    return others.get(rule)?.length ?? 0;
  }

  function vectorsNamed(id: string): Vector[] {
    const vector = kept.get(id);
    if (vector?.parent === undefined) return vector === undefined ? [] : [vector];
    return [{ ...vector, parent: representatives.get(vector.parent) ?? vector.parent }];
  }
}

function rank({ kind }: { kind: VectorKind }): number {
  return kind === "semantic" || kind === "raw" ? 1 : 0;
}

/** One vector for several: with a rule if any has one, and with the lowest of their levels. */
function joinVectors(vector: Vector, group: readonly Vector[]): Vector {
  if (group.length === 1) return vector;
  const rule = vector.rule ?? group.find((each) => each.rule !== undefined)?.rule;
  const level = group
    .map((each): Level => each.level ?? "MUST")
    .sort((a, b) => levels.indexOf(b) - levels.indexOf(a))[0];
  const { id, description, valid, readings, data, raw, base64, rule: _, level: __, ...rest } = vector;
  const head = {
    id,
    description,
    valid,
    readings,
    data,
    raw,
    base64,
    rule,
    level: level === "MUST" ? undefined : level,
  };
  return { ...Object.fromEntries(Object.entries(head).filter(([, value]) => value !== undefined)), ...rest } as Vector;
}

function groupBy<T>(items: readonly T[], keyOf: (thing: T) => string | undefined): Map<string | undefined, T[]> {
  const groups = new Map<string | undefined, T[]>();
  for (const thing of items) {
    const key = keyOf(thing);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [thing]);
    else known.push(thing);
  }
  return groups;
}
