import type { LiveReference, Protocol, Scenario } from "../../../schemas/index.ts";
import { ofSide, sidesOf } from "../scenarios/sides.ts";
import { factorsOf } from "./choices.ts";
import type { CorrectParty } from "./party.ts";

/** Returns the sides that have choices, or the only side. */
function sidesWithChoices(protocol: Protocol, live: LiveReference): (string | undefined)[] {
  const sides = sidesOf(protocol);
  if (sides.length < 2) return [sides[0]];
  return sides.filter((side) => factorsOf(protocol, live, side).length > 0);
}

/** Draws correct parties with all factors at once: each factor is left alone or has one of its choices, with equal probability. Sides alternate. The same seed and count give the same parties, and a larger count begins with those of a smaller one. */
export async function drawParties(
  protocol: Protocol,
  live: LiveReference,
  count: number,
  seed: number,
): Promise<CorrectParty[]> {
  const fc = await import("fast-check");
  const sides = sidesWithChoices(protocol, live);
  const partiesBySide = sides.map((side, sideIndex) => {
    const choicesOfFactor = factorsOf(protocol, live, side).map(({ choices }) =>
      fc.constantFrom(undefined, ...choices.map(({ name }) => name)),
    );
    const numRuns = Math.ceil((count - sideIndex) / sides.length);
    return numRuns <= 0 ? [] : fc.sample(fc.tuple(...choicesOfFactor), { seed, numRuns });
  });
  return Array.from({ length: sides.length === 0 ? 0 : count }, (_, index) => {
    const side = sides[index % sides.length];
    const choices = partiesBySide[index % sides.length]?.[Math.floor(index / sides.length)] ?? [];
    return {
      index,
      ...(side === undefined ? {} : { side }),
      choices: choices.filter((choice) => choice !== undefined),
    };
  });
}

/** Limits a party to this many scenarios of its side, drawn by the seed and the party. Each party is then played in less time, but in a large population each scenario is still played with many different parties. */
export async function drawScenarios(
  protocol: Protocol,
  scenarios: readonly Scenario[],
  party: CorrectParty,
  { count, seed }: { count: number; seed: number },
): Promise<CorrectParty> {
  const names = ofSide(protocol, scenarios, party.side).map(({ name }) => name);
  if (count >= names.length) return party;
  const fc = await import("fast-check");
  const subsets = fc.subarray(names, { minLength: count, maxLength: count });
  const [plays = []] = fc.sample(subsets, { seed: seed + party.index, numRuns: 1 });
  return { ...party, plays };
}

/** Draws, for each of this many correct implementations, the freedoms of judgement that it uses to refuse; the same seed gives the same result. */
export async function drawStrictness(freedoms: readonly string[], count: number, seed: number): Promise<string[][]> {
  const fc = await import("fast-check");
  return fc.sample(fc.subarray([...freedoms]), { seed, numRuns: count });
}
