import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { protocolsNamed } from "../../schemas/index.ts";
import { type BenchPlay, deviationsIn, type PlayResults } from "./play.ts";
import { round } from "./table.ts";

/** One process for each of two cores. */
const processCount = 2;

/** The concurrent plays in each process: more than the cores can handle, so that waits are tested. */
const playsPerProcess = 4;

/** Plays all scenarios against the references, each seed twice, and reports every result that varies. */
export async function flakes(args: readonly string[]): Promise<void> {
  const [seeds = 20, rounds = 2] = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
  const names = args.filter((arg) => !/^\d+$/.test(arg));
  const protocols = (names.length === 0 ? ["all"] : names).flatMap((name) => protocolsNamed(name));
  const waitingPlays = Array.from({ length: seeds * rounds }, (_, index) => 1 + (index % seeds)).flatMap((seed) =>
    protocols.map(({ name }): BenchPlay => ({ protocol: name, seed })),
  );
  const playCount = waitingPlays.length;
  const startedAt = performance.now();
  const finishedPlays = (
    await Promise.all(Array.from({ length: processCount }, () => playInProcess(waitingPlays)))
  ).flat();
  const differences = deviationsIn(finishedPlays);
  for (const { id, seed, outcome, why, usual } of differences)
    console.log(`${id} with seed ${seed}: ${outcome} instead of ${usual}${why === undefined ? "" : `: ${why}`}`);
  const results = finishedPlays.reduce((sum, play) => sum + play.results.length, 0);
  const minutes = round((performance.now() - startedAt) / 60_000);
  console.log(
    `${finishedPlays.length} of ${playCount} plays, ${results} results, ${differences.length} differences, ${minutes} minutes`,
  );
  if (differences.length > 0 || finishedPlays.length < playCount) process.exitCode = 1;
}

/** Starts a process that plays until the queue is empty. */
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
  for (let index = 0; index < playsPerProcess; index++) sendNext();
  const finishedPlays: PlayResults[] = [];
  for await (const line of createInterface({ input: worker.stdout })) {
    const finishedPlay = JSON.parse(line) as PlayResults;
    finishedPlays.push(finishedPlay);
    console.error(`${finishedPlay.protocol}, seed ${finishedPlay.seed}: ${round(finishedPlay.seconds)} s`);
    runningCount -= 1;
    sendNext();
  }
  return finishedPlays;
}
