import { type Level, levels, type Vector, type VectorKind } from "../../schemas/index.ts";
import { contentKey } from "../rules/content.ts";

type VectorSets = Readonly<Record<VectorKind, readonly Vector[]>>;

/** The kinds in order of preference: vectors of the schema come before vectors that need more than the schema. */
const order: readonly VectorKind[] = ["valid", "invalid", "disputed", "semantic", "raw"];

/**
 * Removes vectors that have the same content and verdict as another. The schema's vector stays, or else that of the rule with the fewest other vectors.
 * Children of a removed vector get the remaining one as their parent.
 */
export function removeDuplicates(sets: VectorSets): Record<VectorKind, Vector[]> {
  const entries = order.flatMap((kind) => sets[kind].map((vector) => ({ kind, vector })));
  const groups = groupBy(entries, ({ vector }) => `${vector.valid} ${contentKey(vector)}`);
  const uniqueVectors = [...groups.values()].flatMap((group) => (group.length === 1 ? group : []));
  const uniqueByRule = groupBy(uniqueVectors, ({ vector }) => vector.rule);
  const representatives = new Map<string, string>();
  const keptVectors = new Map<string, Vector>();
  for (const group of groups.values()) {
    const representative = [...group].sort(
      (first, second) => rank(first) - rank(second) || countOfRule(first) - countOfRule(second),
    )[0] as (typeof entries)[number];
    for (const { vector } of group) representatives.set(vector.id, representative.vector.id);
    keptVectors.set(
      representative.vector.id,
      joinVectors(
        representative.vector,
        group.map(({ vector }) => vector),
      ),
    );
  }
  return Object.fromEntries(order.map((kind) => [kind, sets[kind].flatMap(({ id }) => findKept(id))])) as ReturnType<
    typeof removeDuplicates
  >;

  function countOfRule({ vector: { rule } }: (typeof entries)[number]): number {
    return uniqueByRule.get(rule)?.length ?? 0;
  }

  function findKept(id: string): Vector[] {
    const vector = keptVectors.get(id);
    if (vector?.parent === undefined) return vector === undefined ? [] : [vector];
    return [{ ...vector, parent: representatives.get(vector.parent) ?? vector.parent }];
  }
}

function rank({ kind }: { kind: VectorKind }): number {
  return kind === "semantic" || kind === "raw" ? 1 : 0;
}

/** Merges a group into one of its vectors, with a rule if any has one, and with the lowest level. */
function joinVectors(vector: Vector, group: readonly Vector[]): Vector {
  if (group.length === 1) return vector;
  const rule = vector.rule ?? group.find((member) => member.rule !== undefined)?.rule;
  const level = group
    .map((member): Level => member.level ?? "MUST")
    .sort((first, second) => levels.indexOf(second) - levels.indexOf(first))[0];
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

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): Map<string | undefined, T[]> {
  const groups = new Map<string | undefined, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
