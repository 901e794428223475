import { events, regressions } from "./gate/events.ts";
import { brokenBy, openWorld } from "./gate/gate-world.ts";
import { complaintsOf, playEvent, tableOf } from "./gate/life.ts";

/**
 * Plays every event in the life of a gate on a project (or only events whose names contain the given words), and prints for each the first lines, the exit code, and
 * the changes of the list; then each mistake of the hub alone, and the rules that turn red. Exits with 1 if anything differs from the table in
 * suites/guides/ci.md.
 */
async function life(words: readonly string[]): Promise<number> {
  const world = await openWorld();
  const table = tableOf();
  let failed = 0;
  try {
    const chosen = events.filter(({ name }) => words.every((word) => name.includes(word)));
    for (const event of chosen) {
      const outcome = await playEvent(world, event).catch((error: Error) => ({
        said: error.message,
        code: -1,
        list: "",
      }));
      const complaints = complaintsOf(outcome, table.get(event.name));
      failed += complaints.length === 0 ? 0 : 1;
      console.log(`| ${event.name} | \`${outcome.said}\` | ${outcome.code} | ${outcome.list} |`);
      for (const complaint of complaints) console.log(`    ${complaint}`);
    }
    console.log(`${chosen.length - failed} of ${chosen.length} events as the table says`);
    if (words.length > 0) return failed === 0 ? 0 : 1;
    let red = 0;
    for (const bug of regressions) {
      const broken = await brokenBy(world, bug.name);
      const isRight = broken.join() === bug.rules.join();
      red += isRight ? 1 : 0;
      console.log(`${isRight ? "red" : "WRONG"}  ${bug.name}: ${broken.join(", ")}`);
    }
    console.log(`${red} of ${regressions.length} regressions red, each for its rules alone`);
    return failed === 0 && red === regressions.length ? 0 : 1;
  } finally {
    await world.close();
  }
}

process.exitCode = await life(process.argv.slice(2));
