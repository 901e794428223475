import { events, regressions } from "./gate/events.ts";
import { findBrokenRules, openGateWorld } from "./gate/gate-world.ts";
import { complaintsOf, playEvent, tableOf } from "./gate/life.ts";

/**
 * Plays every event in the life of a gate on a project, or only the events with all given words in their names. Prints the first line, the
 * exit code and the changes of the list for each. Then plays each mistake of the hub separately, and prints the rules that fail.
 * Exits with 1 if anything differs from the table in suites/guides/ci.md.
 */
async function playGate(nameParts: readonly string[]): Promise<number> {
  const world = await openGateWorld();
  const table = tableOf();
  let failedCount = 0;
  try {
    const chosenEvents = events.filter(({ name }) => nameParts.every((namePart) => name.includes(namePart)));
    for (const event of chosenEvents) {
      const outcome = await playEvent(world, event).catch((error: Error) => ({
        firstLine: error.message,
        code: -1,
        list: "",
      }));
      const complaints = complaintsOf(outcome, table.get(event.name));
      failedCount += complaints.length === 0 ? 0 : 1;
      console.log(`| ${event.name} | \`${outcome.firstLine}\` | ${outcome.code} | ${outcome.list} |`);
      for (const complaint of complaints) console.log(`    ${complaint}`);
    }
    console.log(`${chosenEvents.length - failedCount} of ${chosenEvents.length} events match the table`);
    if (nameParts.length > 0) return failedCount === 0 ? 0 : 1;
    let redCount = 0;
    for (const bug of regressions) {
      const brokenRules = await findBrokenRules(world, bug.name);
      const isAsExpected = brokenRules.join() === bug.rules.join();
      redCount += isAsExpected ? 1 : 0;
      console.log(`${isAsExpected ? "red" : "WRONG"}  ${bug.name}: ${brokenRules.join(", ")}`);
    }
    console.log(`${redCount} of ${regressions.length} regressions red, each for exactly its rules`);
    return failedCount === 0 && redCount === regressions.length ? 0 : 1;
  } finally {
    await world.close();
  }
}

process.exitCode = await playGate(process.argv.slice(2));
