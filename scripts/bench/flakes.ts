import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { protocolsNamed } from "../../schemas/index.ts";
import { type BenchPlay, type BenchPlayed, oddOnes } from "./play.ts";
import { round } from "./table.ts";

/** One process for each of two cores, and several plays at once in each: more than the cores can do, so that waits are tested. */
const [processes, atOnce] = [2, 4];

/** Plays all scenarios against the right references, each seed twice, and reports every result that varies. */
export async function flakes(args: readonly string[]): Promise<void> {
  const [seeds = 20, rounds = 2] = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
  const named = args.filter((arg) => !/^\d+$/.test(arg));
  const protocols = (named.length === 0 ? ["all"] : named).flatMap((name) => protocolsNamed(name));
  const left = Array.from({ length: seeds * rounds }, (_, index) => 1 + (index % seeds)).flatMap((seed) =>
    protocols.map(({ name }): BenchPlay => ({ protocol: name, seed })),
  );
  const wanted = left.length;
  const started = performance.now();
  const played = (await Promise.all(Array.from({ length: processes }, () => playLeft(left)))).flat();
  const found = oddOnes(played);
  for (const { id, seed, outcome, why, usual } of found)
    console.log(`${id} with seed ${seed}: ${outcome} instead of ${usual}${why === undefined ? "" : `: ${why}`}`);
  const results = played.reduce((sum, benchPlayed) => sum + benchPlayed.results.length, 0);
  const minutes = round((performance.now() - started) / 60_000);
  console.log(
    `${played.length} of ${wanted} plays, ${results} results, ${found.length} differences, ${minutes} minutes`,
  );
  if (found.length > 0 || played.length < wanted) process.exitCode = 1;
}

/** Lets a process play the rest, until nothing is left. */
async function playLeft(left: BenchPlay[]): Promise<BenchPlayed[]> {
  const worker = spawn(process.execPath, ["--import", "tsx", join(import.meta.dirname, "flakes-worker.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let out = 0;
  const give = (): void => {
    const play = left.shift();
    if (play !== undefined) worker.stdin.write(`${JSON.stringify(play)}\n`);
    else if (out === 0) worker.stdin.end();
    out += play === undefined ? 0 : 1;
  };
  for (let index = 0; index < atOnce; index++) give();
  const played: BenchPlayed[] = [];
  for await (const line of createInterface({ input: worker.stdout })) {
    const one = JSON.parse(line) as BenchPlayed;
    played.push(one);
    console.error(`${one.protocol}, seed ${one.seed}: ${round(one.seconds)} s`);
    out -= 1;
    give();
  }
  return played;
}
