import type fc from "fast-check";
import { type Document, type Protocol, TouchstoneError } from "../../../schemas/index.ts";

type Generators = typeof import("../../../generators/index.ts");
type Arbitrary<T> = T extends Promise<fc.Arbitrary<infer Value>> ? Value : never;
type FaultyDraw = Arbitrary<ReturnType<Generators["faultyArbitraryFor"]>>;

/** A random message, either valid (drawn by our own sampler, with values at a bound, or by json-schema-faker) or with one fault. */
export type FuzzDraw =
  | { source: "valid" | "edge" | "realistic"; data: FaultyDraw["data"] }
  | ({ source: "faulty" } & FaultyDraw);

/** How often each source is used. The realistic source is slow, but draws messages that our own sampler never makes. */
const weights = { faulty: 4, valid: 2, edge: 2, realistic: 1 } as const;

/** Draws random messages of one document, which shrink to smaller ones of the same kind. Undefined if none can be drawn. */
export async function drawsFor(protocol: Protocol, document: Document): Promise<fc.Arbitrary<FuzzDraw> | undefined> {
  const { arbitraryFor, edgeArbitraryFor, faultyArbitraryFor, realisticArbitraryFor } = await import(
    "../../../generators/index.ts"
  );
  const { default: fc } = await import("fast-check");
  const { schemas } = protocol;
  const { schema, samples = [] } = document;
  const valid = await undefinedIfUnsupported(arbitraryFor(schemas, schema, { samples }));
  if (valid === undefined) return undefined;
  const edge = await edgeArbitraryFor(schemas, schema, { samples });
  const faulty = await undefinedIfUnsupported(faultyArbitraryFor(schemas, schema, { samples }));
  const realistic = (
    await undefinedIfUnsupported(realisticArbitraryFor(schemas, schema, protocol.foreign ? "lenient" : "strict"))
  )?.arbitrary;
  const sources: fc.MaybeWeightedArbitrary<FuzzDraw>[] = [
    { weight: weights.valid, arbitrary: valid.map((data): FuzzDraw => ({ source: "valid", data })) },
    { weight: weights.edge, arbitrary: edge.map((data): FuzzDraw => ({ source: "edge", data })) },
  ];
  if (faulty !== undefined && (await canDraw(faulty)))
    sources.push({
      weight: weights.faulty,
      arbitrary: faulty.map((faultyDraw): FuzzDraw => ({ source: "faulty", ...faultyDraw })),
    });
  if (realistic !== undefined)
    sources.push({
      weight: weights.realistic,
      arbitrary: realistic.map((data): FuzzDraw => ({ source: "realistic", data })),
    });
  return fc.oneof(...sources);
}

/** Undefined if a source does not support the schema: no fault can be injected, or the schema is too complex for json-schema-faker. */
async function undefinedIfUnsupported<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof TouchstoneError) return undefined;
    throw error;
  }
}

async function canDraw(arbitrary: fc.Arbitrary<unknown>): Promise<boolean> {
  const { default: fc } = await import("fast-check");
  return (
    (await undefinedIfUnsupported(new Promise((resolve) => resolve(fc.sample(arbitrary, { seed: 0, numRuns: 1 }))))) !==
    undefined
  );
}
