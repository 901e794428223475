import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAdmission } from "./admission.ts";

/** Creates trials that end on demand, in a process whose load can be set. */
function createStage() {
  const process = { busy: 0 };
  const begunTrials: number[] = [];
  const ends: (() => void)[] = [];
  const run = createAdmission(async () => {
    await setImmediate();
    return process.busy;
  });
  const trials = [0, 1, 2].map((trialNumber) =>
    run(() => {
      begunTrials.push(trialNumber);
      return new Promise<number>((resolve) => ends.push(() => resolve(trialNumber)));
    }),
  );
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  };
  return { begun: begunTrials, ends, trials, settle, process };
}

describe("createAdmission", () => {
  it("begins all trials of a process that only waits", async () => {
    const { begun, settle } = createStage();
    await settle();
    expect(begun).toEqual([0, 1, 2]);
  });

  it("does not begin a second trial in a busy process until the first ends or the load falls", async () => {
    const { begun, ends, trials, settle, process } = createStage();
    process.busy = 1;
    await settle();
    expect(begun).toEqual([0]);
    ends[0]?.();
    await settle();
    expect(begun).toEqual([0, 1]);
    process.busy = 0.2;
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    for (const end of ends) end();
    expect(await Promise.all(trials)).toEqual([0, 1, 2]);
  });

  it("begins the next trial after a failed trial", async () => {
    const run = createAdmission(async () => 1);
    await expect(run(() => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(await run(() => 7)).toBe(7);
  });
});
