import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, checkOne, forgetOutput, partitionOperations, smallestIllegal } from "./index.ts";
import { areLegal, isLegal, models, type register, type Small, subsets } from "./models.fixture.ts";

const runs = 2500;
const open = { weight: 1, arbitrary: fc.constant(undefined) };

/** Up to five operations at few instants, so that many overlap, with few values, so that many orders explain them. */
const histories: fc.Arbitrary<Small> = fc.array(
  fc
    .record({
      process: fc.constantFrom("p", "q", "r"),
      act: fc.constantFrom("write", "read"),
      value: fc.integer({ min: 1, max: 2 }),
      call: fc.integer({ min: 0, max: 8 }),
      lasts: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 4 }) }, open),
      output: fc.oneof({ weight: 7, arbitrary: fc.integer({ min: 0, max: 2 }) }, open),
    })
    .map(({ process, act, value, call, lasts, output }) => ({
      process,
      input: { do: act, value },
      call,
      ...(lasts === undefined ? {} : { end: { at: call + lasts, ...(output === undefined ? {} : { output }) } }),
    })),
  { minLength: 1, maxLength: 5 },
);

/** Returns the history with the answers that a correct object gives if each operation takes effect at the given instant. */
function observedHistory(model: typeof register, history: Small, instants: readonly number[]): Small {
  const at = history.map(({ call, end }, index) => call + ((instants[index] ?? 0) % 1) * ((end?.at ?? call) - call));
  const states = new Map<string, number | boolean>();
  const events = [...history];
  for (const index of [...history.keys()].sort((a, b) => (at[a] as number) - (at[b] as number))) {
    const { input, end } = history[index] as Small[number];
    if (end?.output === undefined) continue;
    const name = model.partition?.(input) ?? "";
    const state = (states.get(name) ?? model.init()) as number;
    const [output, next] = [0, 1, 2, 3, 4, 5, 6]
      .flatMap((output) => model.step(state, input, output).map((next) => [output, next] as const))
      .at(index % 2 === 0 ? 0 : -1) as [number, number];
    states.set(name, next);
    events[index] = { ...(history[index] as Small[number]), end: { at: end.at, output } };
  }
  return events;
}

describe.each(Object.entries(models))("the check of a %s", (_, model) => {
  it("agrees with a checker that tries every order; both verdicts occur often", () => {
    const counts = { legal: 0, illegal: 0 };
    fc.assert(
      fc.property(histories, (history) => {
        const isLegalHistory = areLegal(model, history);
        counts[isLegalHistory ? "legal" : "illegal"] += 1;
        expect(check(model, history).verdict).toBe(isLegalHistory ? "legal" : "illegal");
      }),
      { seed: 1, numRuns: runs },
    );
    expect(Math.min(counts.legal, counts.illegal)).toBeGreaterThan(runs / 20);
  });

  it("finds the history of a correct object legal, and reports an order that explains it", () => {
    const instants = fc.array(fc.double({ min: 0, max: 0.99, noNaN: true }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(histories, instants, (history, at) => {
        for (const part of partitionOperations(model, observedHistory(model, history, at)).values()) {
          const { verdict, order = [] } = checkOne(model, part);
          expect(verdict).toBe("legal");
          const sequential = order.map((index, position) => ({ ...(part[index] as Small[number]), call: position }));
          const inOrder = sequential.map((operation) =>
            operation.end === undefined
              ? operation
              : { ...operation, end: { ...operation.end, at: operation.call + 0.5 } },
          );
          expect(isLegal(model, inOrder)).toBe(true);
        }
      }),
      { seed: 2, numRuns: runs },
    );
  });

  it("finds an illegal part that has no smaller illegal part", () => {
    let illegalCount = 0;
    fc.assert(
      fc.property(histories, (history) => {
        for (const part of partitionOperations(model, history).values()) {
          const smallest = smallestIllegal(model, part);
          expect(smallest === undefined).toBe(isLegal(model, part));
          if (smallest === undefined) continue;
          illegalCount += 1;
          expect(isLegal(model, smallest.operations)).toBe(false);
          const sizes = subsets([...part.keys()].filter((index) => part[index]?.end?.output !== undefined))
            .filter(
              (keptOperations) =>
                !isLegal(
                  model,
                  part.map((historyOperation, index) =>
                    keptOperations.includes(index) ? historyOperation : forgetOutput(historyOperation),
                  ),
                ),
            )
            .map(({ length }) => length);
          expect(smallest.operations).toHaveLength(Math.min(...sizes));
          expect(smallestIllegal(model, part)).toEqual(smallest);
        }
      }),
      { seed: 3, numRuns: 200 },
    );
    expect(illegalCount).toBeGreaterThan(20);
  });
});
