import fc from "fast-check";
import type { Change, Json, JsonObject, Vector } from "../../schemas/index.ts";
import { oneFaultLaw, parentLaw, verdictLaw } from "../laws.ts";
import { oracleFor } from "../oracle/oracle.ts";

// For tests: the laws that every generator obeys. The instances of a generator are converted to vectors, which the laws of the published set
// judge.

/** An instance from a generator: valid, or breaking one site. */
export type GeneratedInstance =
  | { data: Json; site?: never }
  | { data: Json; site: string; parent: Json; change: readonly Change[] };

/** A generator for one schema. */
export interface Generator {
  schemas: readonly JsonObject[];
  schema: string;
  /** Starts over, as in another process; the same seed must produce the same instances. */
  start(): Promise<(seed: number) => GeneratedInstance[] | Promise<GeneratedInstance[]>>;
  /** The instances that are tried, in order, while the first one drawn from the seed is shrunk. */
  shrunk?(seed: number): Promise<GeneratedInstance[]>;
}

const seeds = [1, 7];

/** Lists the breaches of laws by a generator, in one line each. */
export async function breaches(generator: Generator): Promise<string[]> {
  const { schemas, schema } = generator;
  const [firstRun, secondRun] = [await generator.start(), await generator.start()];
  const breachLines: string[] = [];
  const generated: GeneratedInstance[] = [];
  for (const seed of seeds) {
    const made = await firstRun(seed);
    generated.push(...made);
    // The second run draws once more before, because an earlier draw must not influence a later one.
    if (seed === seeds[0]) await secondRun(99);
    if (JSON.stringify(await secondRun(seed)) !== JSON.stringify(made))
      breachLines.push(`seed: ${seed} returns different instances`);
  }
  const shrunk = (await generator.shrunk?.(seeds[0] as number)) ?? [];
  const [first] = shrunk;
  for (const made of shrunk)
    if (made.site !== first?.site) breachLines.push(`shrinking: leads from ${first?.site} to ${made.site}`);
  const oracle = await oracleFor(schemas, schema);
  for (const [prefix, instances] of [["", generated] as const, ["shrinking: ", shrunk] as const]) {
    const { vectors, parents } = vectorsOf(instances);
    const broken = [
      ...verdictLaw(oracle, vectors),
      ...parentLaw(oracle, parents, vectors),
      ...oneFaultLaw(schemas, schema, vectors),
    ];
    breachLines.push(...broken.map(({ law, why }) => `${prefix}${law}: ${why}`));
  }
  return breachLines;
}

function vectorsOf(instances: readonly GeneratedInstance[]): { vectors: Vector[]; parents: Map<string, Json> } {
  const parents = new Map<string, Json>();
  const vectors = instances.map((made, index): Vector => {
    const common = { id: `made/${index}`, description: "", data: made.data, needs: [], tags: [] };
    if (made.site === undefined) return { ...common, valid: true };
    const parent = `parent/${index}`;
    parents.set(parent, made.parent);
    return { ...common, valid: false, site: made.site, parent, change: [...made.change] };
  });
  return { vectors, parents };
}

/** Makes a generator from a fast-check arbitrary. */
export function ofArbitrary<T>(
  schemas: readonly JsonObject[],
  schema: string,
  arbitrary: () => Promise<fc.Arbitrary<T>>,
  made: (value: T) => GeneratedInstance,
): Generator {
  return {
    schemas,
    schema,
    async start() {
      const arbitraryValue = await arbitrary();
      return (seed) => fc.sample(arbitraryValue, { seed, numRuns: 12 }).map(made);
    },
    async shrunk(seed) {
      const triedValues: T[] = [];
      const property = fc.property(await arbitrary(), (value) => {
        triedValues.push(value);
        return false;
      });
      fc.check(property, { seed, numRuns: 1 });
      return [...triedValues.slice(0, 25), ...triedValues.slice(-5)].map(made);
    },
  };
}
