import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { protocolsNamed } from "../../schemas/index.ts";
import { type BenchPlay, deviationsIn, type PlayResults } from "./play.ts";
import { round } from "./table.ts";

/** One process for each of two cores, and several plays at once in each: more than the cores can do, so that waits are tested. */
const [processes, atOnce] = [2, 4];

/** Plays all scenarios against the right references, each seed twice, and reports every result that varies. */
export async function flakes(args: readonly string[]): Promise<void> {
  const [seeds = 20, rounds = 2] = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
  const names = args.filter((arg) => !/^\d+$/.test(arg));
  const protocols = (names.length === 0 ? ["all"] : names).flatMap((name) => protocolsNamed(name));
  const waitingPlays = Array.from({ length: seeds * rounds }, (_, index) => 1 + (index % seeds)).flatMap((seed) =>
    protocols.map(({ name }): BenchPlay => ({ protocol: name, seed })),
  );
  const playCount = waitingPlays.length;
  const started = performance.now();
  const played = (await Promise.all(Array.from({ length: processes }, () => playInProcess(waitingPlays)))).flat();
  const differences = deviationsIn(played);
  for (const { id, seed, outcome, why, usual } of differences)
    console.log(`${id} with seed ${seed}: ${outcome} instead of ${usual}${why === undefined ? "" : `: ${why}`}`);
  const results = played.reduce((sum, benchPlayed) => sum + benchPlayed.results.length, 0);
  const minutes = round((performance.now() - started) / 60_000);
  console.log(
    `${played.length} of ${playCount} plays, ${results} results, ${differences.length} differences, ${minutes} minutes`,
  );
  if (differences.length > 0 || played.length < playCount) process.exitCode = 1;
}

/** Starts a process that plays until no play waits. */
async function playInProcess(waitingPlays: BenchPlay[]): Promise<PlayResults[]> {
  const worker = spawn(process.execPath, ["--import", "tsx", join(import.meta.dirname, "flakes-worker.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let runningCount = 0;
  const sendNext = (): void => {
    const play = waitingPlays.shift();
    if (play !== undefined) worker.stdin.write(`${JSON.stringify(play)}\n`);
    else if (runningCount === 0) worker.stdin.end();
    runningCount += play === undefined ? 0 : 1;
  };
  for (let index = 0; index < atOnce; index++) sendNext();
  const played: PlayResults[] = [];
  for await (const line of createInterface({ input: worker.stdout })) {
    const finishedPlay = JSON.parse(line) as PlayResults;
    played.push(finishedPlay);
    console.error(`${finishedPlay.protocol}, seed ${finishedPlay.seed}: ${round(finishedPlay.seconds)} s`);
    runningCount -= 1;
    sendNext();
  }
  return played;
}
