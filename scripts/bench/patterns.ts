import { everydayPatterns } from "./patterns/everyday-patterns.ts";
import { type MeasuredPattern, measure } from "./patterns/measure.ts";
import { round, table } from "./table.ts";

/**
 * Asks the solver four questions about each of a hundred everyday patterns, and for near misses of a matching string.
 * Prints a row for each pattern, and then the number of decided questions, the processor time and the memory.
 */
export async function patterns(): Promise<void> {
  const measurements: [name: string, MeasuredPattern][] = [];
  // The first pattern warms up the program.
  await measure("^warm$");
  for (const [name, pattern] of everydayPatterns) measurements.push([name, await measure(pattern)]);
  const rows = measurements.map(([name, { questions, nearMisses, milliseconds }]) => [
    name,
    ...Object.values(questions),
    String(nearMisses.length),
    round(milliseconds),
  ]);
  console.log(
    table(["pattern", "matching", "not matching", "20 or longer", "3 or shorter", "near misses", "ms"], rows),
  );
  const outcomes = measurements.flatMap(([, { questions }]) => Object.values(questions));
  const decided = measurements.filter(([, { questions }]) =>
    Object.values(questions).every((question) => question === "found" || question === "none"),
  );
  const times = measurements.map(([, { milliseconds }]) => milliseconds);
  console.log(
    `\n${decided.length} of ${measurements.length} patterns are decided, ${outcomes.filter((outcome) => outcome === "wrong").length} of ${outcomes.length} answers are wrong`,
  );
  console.log(
    `longest ${round(Math.max(...times))} ms, all ${round(times.reduce((sum, time) => sum + time, 0))} ms, memory ${round(process.resourceUsage().maxRSS / 1024)} MB`,
  );
}
