import { describe, expect, it } from "vitest";
import { runInTurns, type WorkTurn } from "./work-turns.ts";

/** Runs tasks of these durations, in milliseconds, on a clock that only they advance. Each returns how much of it was done. */
async function runTasks(durations: readonly number[], milliseconds: number, least = 0): Promise<unknown> {
  let time = 0;
  const work = async (duration: number, { isOver }: { isOver(part: number): boolean }): Promise<number> => {
    for (let step = 0; step < duration; step += 1) {
      if (isOver(1)) return step;
      time += 1;
    }
    return duration;
  };
  const { results, late } = await runInTurns(durations, milliseconds, work, { now: () => time, least });
  return { results, late, isInTime: time <= milliseconds + durations.length };
}

describe("tasks in turns", () => {
  it("all finish if there is time for all, in any order", async () => {
    expect(await runTasks([150, 1, 1, 1], 300)).toEqual({ results: [150, 1, 1, 1], late: [], isInTime: true });
    expect(await runTasks([1, 1, 1, 150], 300)).toEqual({ results: [1, 1, 1, 150], late: [], isInTime: true });
  });

  it("share the time if there is not enough, and are reported if they ended early", async () => {
    expect(await runTasks([1000, 1000, 10], 300)).toMatchObject({ late: [1000, 1000], isInTime: true });
    expect(await runTasks([], 300)).toMatchObject({ results: [], late: [] });
  });

  it("run again if the remaining time is enough", async () => {
    expect(await runTasks([50, 60, 5, 5], 130)).toMatchObject({ results: [50, 33, 5, 5], late: [60], isInTime: true });
  });

  it("finish in part if there is only time to begin all of them", async () => {
    expect(await runTasks([50, 50, 50, 50], 100)).toMatchObject({ late: [50, 50, 50, 50] });
    expect(await runTasks([50, 50, 50, 50], 104, 50)).toMatchObject({ late: [50, 50], isInTime: true });
    expect(await runTasks([1, 1, 1, 1, 1, 1], 104, 100)).toMatchObject({ late: [] });
  });

  it("know whether they had a turn before", async () => {
    let time = 0;
    const turns: [name: string, isAgain: boolean][] = [];
    const work = async (name: string, { isAgain, isOver }: WorkTurn): Promise<void> => {
      turns.push([name, isAgain]);
      if (name === "slow") time += 80;
      isOver(1);
    };
    await runInTurns(["slow", "quick", "fast", "brief"], 300, work, { now: () => time });
    expect(turns.slice(0, 2).concat(turns.slice(4))).toEqual([
      ["slow", false],
      ["quick", false],
      ["slow", true],
    ]);
  });

  it("may continue with their next part when the time of one part is over", async () => {
    let time = 0;
    const work = async (_: string, { isOver }: { isOver(part: number): boolean }): Promise<boolean[]> => {
      time = 60;
      return [isOver(0.5), isOver(1)];
    };
    expect(await runInTurns(["one"], 100, work, { now: () => time })).toEqual({
      results: [[true, false]],
      late: ["one"],
    });
  });

  it("have at least one turn each, even if the time is over", async () => {
    expect(await runTasks([5, 5], 0)).toMatchObject({ late: [5, 5] });
  });
});
