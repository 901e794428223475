import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { home } from "../schemas/index.ts";
import { attacks } from "./hostile/attacks.ts";
import { play } from "./hostile/play.ts";
import { soak } from "./hostile/soak.ts";

/**
 * Plays every row of `suites/cli/hostile/`, after a stopped call only the rest; then every attack on a process, even slow ones, one after the other; then gives this many random texts
 * to each reader of files and answers; then runs the suite a hundred times in one process. `rows` plays only the rows. Exits with 1 if anything got through.
 */
async function playAttacks(runs: number): Promise<number> {
  const isSurvived = playRows() === 0;
  let survived = 0;
  for (const attack of attacks) {
    const { complaints, seconds, memory } = await play(attack);
    if (complaints.length === 0) survived += 1;
    const numbers = `${seconds.toFixed(1)} s, ${Math.round(memory / 2 ** 20)} MiB`;
    console.log(`${complaints.length === 0 ? "survived" : "FAILED  "}  ${attack.name} (${numbers})`);
    for (const complaint of complaints) console.log(`    ${complaint}`);
  }
  console.log(`${survived} of ${attacks.length} attacks survived`);
  const properties = ["suites/cli/hostile/readers.property.test.ts", "suites/base/secrets/formats.property.test.ts"];
  const readers = ["vitest", "run", "--config", "scripts/vitest.config.ts", ...properties];
  const { status } = spawnSync("npx", [...readers, "--testTimeout", "7200000"], {
    cwd: home,
    env: { ...process.env, TOUCHSTONE_FUZZ_RUNS: String(runs), TOUCHSTONE_DRAWS: String(Math.ceil(runs / 2)) },
    stdio: "inherit",
  });
  const hasGrown = await soak(100, (line) => console.log(line));
  return isSurvived && survived === attacks.length && status === 0 && !hasGrown ? 0 : 1;
}

/** Plays the rows in a separate process, which prints how many of each kind were survived. */
function playRows(): number {
  const rows = ["--import", "tsx", join(home, "suites", "cli", "hostile", "resumed.fixture.ts")];
  return spawnSync(process.execPath, rows, { cwd: home, stdio: "inherit" }).status ?? 1;
}

const [what = "100000"] = process.argv.slice(2);
process.exitCode = what === "rows" ? playRows() : await playAttacks(Number(what));
