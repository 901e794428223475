import fc from "fast-check";
import type { Change, Json, JsonObject, Vector } from "../../schemas/index.ts";
import { oneFaultLaw, parentLaw, verdictLaw } from "../laws.ts";
import { oracleFor } from "../oracle/oracle.ts";

// For tests: the laws that every generator obeys. The instances of a generator are converted to vectors, which the laws of the published set
// judge.

/** An instance from a generator: valid, or breaking one site. */
export type Made = { data: Json; site?: never } | { data: Json; site: string; parent: Json; change: readonly Change[] };

/** A generator for one schema. */
export interface Generator {
  schemas: readonly JsonObject[];
  schema: string;
  /** Starts over, as in another process; the same seed must give the same instances. */
  start(): Promise<(seed: number) => Made[] | Promise<Made[]>>;
  /** The instances that are tried, in order, while the first one drawn from the seed is shrunk. */
  shrunk?(seed: number): Promise<Made[]>;
}

const seeds = [1, 7];

/** The laws that a generator breaks, as one line for each breach. */
export async function breaches(generator: Generator): Promise<string[]> {
  const { schemas, schema } = generator;
  const [one, other] = [await generator.start(), await generator.start()];
  const found: string[] = [];
  const all: Made[] = [];
  for (const seed of seeds) {
    const made = await one(seed);
    all.push(...made);
    // The other one has drawn before, because an earlier draw must not influence a later one.
    if (seed === seeds[0]) await other(99);
    if (JSON.stringify(await other(seed)) !== JSON.stringify(made)) found.push(`seed: ${seed} gives different things`);
  }
  const shrunk = (await generator.shrunk?.(seeds[0] as number)) ?? [];
  const [first] = shrunk;
  for (const made of shrunk)
    if (made.site !== first?.site) found.push(`shrinking: leads from ${first?.site} to ${made.site}`);
  const oracle = await oracleFor(schemas, schema);
  for (const [from, things] of [["", all] as const, ["shrinking: ", shrunk] as const]) {
    const { vectors, parents } = vectorsOf(things);
    const broken = [
      ...verdictLaw(oracle, vectors),
      ...parentLaw(oracle, parents, vectors),
      ...oneFaultLaw(schemas, schema, vectors),
    ];
    found.push(...broken.map(({ law, why }) => `${from}${law}: ${why}`));
  }
  return found;
}

function vectorsOf(things: readonly Made[]): { vectors: Vector[]; parents: Map<string, Json> } {
  const parents = new Map<string, Json>();
  const vectors = things.map((made, index): Vector => {
    const common = { id: `made/${index}`, description: "", data: made.data, needs: [], tags: [] };
    if (made.site === undefined) return { ...common, valid: true };
    const parent = `parent/${index}`;
    parents.set(parent, made.parent);
    return { ...common, valid: false, site: made.site, parent, change: [...made.change] };
  });
  return { vectors, parents };
}

/** Makes a generator of a fast-check arbitrary. */
export function ofArbitrary<T>(
  schemas: readonly JsonObject[],
  schema: string,
  arbitrary: () => Promise<fc.Arbitrary<T>>,
  made: (value: T) => Made,
): Generator {
  return {
    schemas,
    schema,
    async start() {
      const mine = await arbitrary();
      return (seed) => fc.sample(mine, { seed, numRuns: 12 }).map(made);
    },
    async shrunk(seed) {
      const tried: T[] = [];
      const property = fc.property(await arbitrary(), (value) => {
        tried.push(value);
        return false;
      });
      fc.check(property, { seed, numRuns: 1 });
      return [...tried.slice(0, 25), ...tried.slice(-5)].map(made);
    },
  };
}
