import type { Run } from "../../../schemas/index.ts";

/** The maximum number of scenarios named, and the milliseconds from which a scenario counts as slow. */
const [maxNamed, slowMs] = [5, 1000];

/** The slowest scenarios of some runs, the slowest first, on one line; empty if all were quick. */
export function slowestLines(runs: readonly Run[]): string[] {
  const slowScenarios = runs
    .flatMap(({ results }) => results)
    .flatMap(({ id, durationMs = 0 }) => (durationMs < slowMs ? [] : [{ id, durationMs }]))
    .sort((first, second) => second.durationMs - first.durationMs)
    .slice(0, maxNamed);
  if (slowScenarios.length === 0) return [];
  const scenarioTexts = slowScenarios.map(
    ({ id, durationMs }) => `${id.split("/").at(-2)} ${(durationMs / 1000).toFixed(1)} s`,
  );
  return [`took longest: ${scenarioTexts.join(", ")}`];
}
