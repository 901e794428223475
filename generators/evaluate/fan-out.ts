import { TouchstoneError } from "../../schemas/index.ts";
import { childrenOf, handlerOf } from "../keywords/table.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";

/** More evaluations than any realistic schema needs, but still fast for a validator. */
const maxEvaluations = 100_000;

/** Throws a usage error for a schema that applies others to the same value so often that no validator finishes. Each doubled reference on a path doubles the work. */
export function refuseFanOut(model: Model): void {
  const counts = new Map<Location, number>();
  for (const location of model.nodes.keys()) {
    const count = countEvaluations(model, location, counts);
    if (count <= maxEvaluations) continue;
    throw new TouchstoneError(
      "usage",
      `it applies ${count.toPrecision(2)} schemas to one value, more than any validator can finish`,
      {
        where: location,
        hint: "refer to the same schema once, not twice, at each step of the recursion",
      },
    );
  }
}

/** How many schemas are evaluated for a value. A schema that is reached several times counts each time. */
function countEvaluations(model: Model, location: Location, counts: Map<Location, number>): number {
  const cached = counts.get(location);
  if (cached !== undefined) return cached;
  // This ends the count on a cycle. The loader refuses cycles, except those with dynamic references.
  counts.set(location, 1);
  let count = 1;
  for (const keyword of nodeAt(model, location).keywords)
    for (const child of childrenInPlace(keyword)) count += countEvaluations(model, child, counts);
  counts.set(location, count);
  return count;
}

/** Lists the schemas that a keyword applies to the value itself, not to a part of it. */
function childrenInPlace(keyword: Keyword): Location[] {
  return handlerOf(keyword).inPlace ? childrenOf(keyword) : [];
}
