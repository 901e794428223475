import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { home } from "../schemas/index.ts";
import { attacks } from "./hostile/attacks.ts";
import { play } from "./hostile/play.ts";
import { soak } from "./hostile/soak.ts";

/**
 * Plays every row of `suites/cli/hostile/`, or the remaining ones after a stopped call. Then plays every attack on a process in sequence,
 * even slow ones; gives this many random strings to each reader of files and answers; and runs the suite a hundred times in one process.
 * `rows` plays only the rows. Exits with 1 if anything failed.
 */
async function playAttacks(runs: number): Promise<number> {
  const rowsPassed = playRows() === 0;
  let survivedCount = 0;
  for (const attack of attacks) {
    const { complaints, seconds, memory } = await play(attack);
    if (complaints.length === 0) survivedCount += 1;
    const numbers = `${seconds.toFixed(1)} s, ${Math.round(memory / 2 ** 20)} MiB`;
    console.log(`${complaints.length === 0 ? "survived" : "FAILED  "}  ${attack.name} (${numbers})`);
    for (const complaint of complaints) console.log(`    ${complaint}`);
  }
  console.log(`${survivedCount} of ${attacks.length} attacks survived`);
  const properties = ["suites/cli/hostile/readers.property.test.ts", "suites/base/secrets/formats.property.test.ts"];
  const vitestArgs = ["vitest", "run", "--config", "scripts/vitest.config.ts", ...properties];
  const { status } = spawnSync("npx", [...vitestArgs, "--testTimeout", "7200000"], {
    cwd: home,
    env: { ...process.env, TOUCHSTONE_FUZZ_RUNS: String(runs), TOUCHSTONE_DRAWS: String(Math.ceil(runs / 2)) },
    stdio: "inherit",
  });
  const hasGrown = await soak(100, (line) => console.log(line));
  return rowsPassed && survivedCount === attacks.length && status === 0 && !hasGrown ? 0 : 1;
}

/** Plays the rows in a separate process, which prints how many of each kind passed. */
function playRows(): number {
  const rows = ["--import", "tsx", join(home, "suites", "cli", "hostile", "resumed.fixture.ts")];
  return spawnSync(process.execPath, rows, { cwd: home, stdio: "inherit" }).status ?? 1;
}

const [runsArgument = "100000"] = process.argv.slice(2);
process.exitCode = runsArgument === "rows" ? playRows() : await playAttacks(Number(runsArgument));
