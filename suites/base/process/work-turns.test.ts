import { describe, expect, it } from "vitest";
import { inTurns, type WorkTurn } from "./work-turns.ts";

/** Runs tasks that need these numbers of milliseconds, on a clock that only they advance; each returns how much of it was done. */
async function done(needs: readonly number[], milliseconds: number, least = 0): Promise<unknown> {
  let time = 0;
  const work = async (need: number, { isOver }: { isOver(part: number): boolean }): Promise<number> => {
    for (let step = 0; step < need; step += 1) {
      if (isOver(1)) return step;
      time += 1;
    }
    return need;
  };
  const { results, late } = await inTurns(needs, milliseconds, work, { now: () => time, least });
  return { results, late, isInTime: time <= milliseconds + needs.length };
}

describe("tasks in turns", () => {
  it("all run to the end if there is time for all, no matter which needs most of it", async () => {
    expect(await done([150, 1, 1, 1], 300)).toEqual({ results: [150, 1, 1, 1], late: [], isInTime: true });
    expect(await done([1, 1, 1, 150], 300)).toEqual({ results: [1, 1, 1, 150], late: [], isInTime: true });
  });

  it("each get their share of the time if there is not enough, and those that ended early are named", async () => {
    expect(await done([1000, 1000, 10], 300)).toMatchObject({ late: [1000, 1000], isInTime: true });
    expect(await done([], 300)).toMatchObject({ results: [], late: [] });
  });

  it("run again if the remaining time is enough", async () => {
    expect(await done([50, 60, 5, 5], 130)).toMatchObject({ results: [50, 33, 5, 5], late: [60], isInTime: true });
  });

  it("are done for some documents if all could only be begun, and for others with the time left", async () => {
    expect(await done([50, 50, 50, 50], 100)).toMatchObject({ late: [50, 50, 50, 50] });
    expect(await done([50, 50, 50, 50], 104, 50)).toMatchObject({ late: [50, 50], isInTime: true });
    expect(await done([1, 1, 1, 1, 1, 1], 104, 100)).toMatchObject({ late: [] });
  });

  it("know whether they had a turn before", async () => {
    let time = 0;
    const turns: [name: string, isAgain: boolean][] = [];
    const work = async (name: string, { isAgain, isOver }: WorkTurn): Promise<void> => {
      turns.push([name, isAgain]);
      if (name === "slow") time += 80;
      isOver(1);
    };
    await inTurns(["slow", "quick", "fast", "brief"], 300, work, { now: () => time });
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
    expect(await inTurns(["one"], 100, work, { now: () => time })).toEqual({ results: [[true, false]], late: ["one"] });
  });

  it("have at least one turn each, even after the time", async () => {
    expect(await done([5, 5], 0)).toMatchObject({ late: [5, 5] });
  });
});
