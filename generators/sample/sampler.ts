import { type Json, TouchstoneError } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Location, Model } from "../model/model.ts";
import { makersOf, type Stock, TooDeep } from "./graph.ts";
import { drawBelow, type Random, randomFrom } from "./random.ts";

/** The maximum room for optional parts. */
const maxRoom = 9;

/** Draws valid instances of one schema, quickly. */
export interface Sampler {
  /** The next instance. It depends only on the source of randomness. */
  next(random: Random): Json;
}

export interface SamplerOptions {
  /** Realistic valid instances. Their strings and numbers are drawn occasionally. */
  samples?: readonly Json[];
}

/**
 * Compiles a model to a sampler. Values are valid by construction, or checked if the construction cannot guarantee it. Throws a usage error if no valid
 * instance is found.
 */
export function samplerFor(model: Model, { samples = [] }: SamplerOptions = {}): Sampler {
  const makers = makersOf(model, stockFrom(model, samples));
  const root = makers.makerFor([{ op: "schema", node: model.root, sign: true, scope: {} }]);
  const draw = (random: Random, room: number): Json | undefined => {
    try {
      return root.draw(random, room);
    } catch (error) {
      if (error instanceof TooDeep) return makers.drawSolution(root, random);
      throw error;
    }
  };
  const next = (random: Random): Json => {
    const value = draw(random, 1 + drawBelow(random, maxRoom));
    if (value === undefined) throw noInstance(model);
    return value;
  };
  next(randomFrom(0));
  return { next };
}

function noInstance(model: Model): TouchstoneError {
  return new TouchstoneError("usage", "no valid instance was found", {
    where: model.root,
    hint: "the schema may contradict itself, or need a value that the search does not find: add an example or a sample",
  });
}

/** Returns the strings and numbers of the samples, by the schemas that were applied to them. */
function stockFrom(model: Model, samples: readonly Json[]): Stock {
  const stock = new Map<Location, Set<Json>>();
  for (const sample of samples) {
    isValid(model, sample, {
      observe(_keyword, _at, value, _holds, { location }) {
        if (typeof value !== "string" && typeof value !== "number") return;
        const values = stock.get(location);
        if (values === undefined) stock.set(location, new Set([value]));
        else values.add(value);
      },
    });
  }
  return new Map([...stock].map(([location, values]) => [location, [...values]]));
}
