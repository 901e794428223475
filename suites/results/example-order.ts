import { type Change, withoutMistake } from "../../schemas/index.ts";

/** The parts of a vector or result that decide which examples are chosen. */
interface Example {
  id: string;
  description: string;
  fault?: string;
  change?: readonly Change[];
  vector?: { change?: readonly Change[] };
}

/** Orders examples for a reader: clear faults precede faults that only an unusual implementation misses. Otherwise the order is kept. */
export function plainestFirst<T extends Example>(examples: readonly T[]): T[] {
  return examples
    .map((example) => ({ example, weight: oddityOf(example) }))
    .sort((a, b) => a.weight - b.weight)
    .map(({ example }) => example);
}

/** Keeps the positions of the groups, but puts the plainest examples first within each group. */
export function plainestFirstWithin<T extends Example>(examples: readonly T[], groupOf: (example: T) => string): T[] {
  const groups = new Map<string, T[]>();
  for (const example of examples) {
    const name = groupOf(example);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [example]);
    else group.push(example);
  }
  const iterators = new Map([...groups].map(([name, part]) => [name, plainestFirst(part).values()]));
  return examples.map((example) => iterators.get(groupOf(example))?.next().value ?? example);
}

/** Chooses the plainest example and, if possible, an equally plain one with a different fault. */
export function chooseTwo<T extends Example>(examples: readonly T[]): T[] {
  const [plainest, ...otherExamples] = plainestFirst(examples);
  if (plainest === undefined) return [];
  const plainExamples = otherExamples.filter((other) => oddityOf(other) === oddityOf(plainest));
  const secondExample =
    plainExamples.find(({ fault }) => fault !== plainest.fault) ??
    plainExamples[Math.floor(plainExamples.length / 2)] ??
    otherExamples[0];
  return secondExample === undefined ? [plainest] : [plainest, secondExample];
}

/** Names that every JavaScript object inherits. They are correct examples, but not what a reader would expect. */
const inheritedNames = /constructor|__proto__|prototype|toString|valueOf|hasOwnProperty/;

/** The longest change that is understood at a glance, in characters of JSON. */
const maxPlainLength = 200;

/** Weighs how odd an example is. Each weight exceeds the sum of the smaller ones, so the gravest reason decides. */
function oddityOf({ id, description, fault = "", change, vector }: Example): number {
  const changes = change ?? vector?.change ?? [];
  const replacesDocument = changes.some(({ path }) => path === "");
  return (
    (inheritedNames.test(id) || inheritedNames.test(fault) ? 4 : 0) +
    // Descriptions of vectors that distinguish mutants name the mistake.
    (withoutMistake(description).namesMistake ? 2 : 0) +
    (replacesDocument || JSON.stringify(changes).length > maxPlainLength ? 1 : 0)
  );
}
