import { spawnSync } from "node:child_process";
import { home } from "../schemas/index.ts";
import { attacks } from "./hostile/attacks.ts";
import { play } from "./hostile/play.ts";
import { soak } from "./hostile/soak.ts";

/**
 * Plays every attack, also those that take long, one after the other; then puts random texts to what reads files and answers, so many
 * to each; then runs the suite a hundred times in one process. Ends with 1 if anything got through.
 */
async function hostile(runs: number): Promise<number> {
  let survived = 0;
  for (const attack of attacks) {
    const { complaints, seconds, memory } = await play(attack);
    if (complaints.length === 0) survived += 1;
    const numbers = `${seconds.toFixed(1)} s, ${Math.round(memory / 2 ** 20)} MiB`;
    console.log(`${complaints.length === 0 ? "survived" : "FAILED  "}  ${attack.name} (${numbers})`);
    for (const complaint of complaints) console.log(`    ${complaint}`);
  }
  console.log(`${survived} of ${attacks.length} attacks survived`);
  const readers = ["vitest", "run", "--config", "scripts/vitest.config.ts", "suites/readers.property.test.ts"];
  const { status } = spawnSync("npx", [...readers, "--testTimeout", "7200000"], {
    cwd: home,
    env: { ...process.env, TOUCHSTONE_FUZZ_RUNS: String(runs) },
    stdio: "inherit",
  });
  const hasGrown = await soak(100, (line) => console.log(line));
  return survived === attacks.length && status === 0 && !hasGrown ? 0 : 1;
}

process.exitCode = await hostile(Number(process.argv[2] ?? 100_000));
