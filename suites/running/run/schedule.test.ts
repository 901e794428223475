import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ItemDeadline, schedule } from "./schedule.ts";

const never = new Promise<never>(() => {});

function describeFailure(_: unknown, failure: unknown): string {
  return failure instanceof ItemDeadline ? "late" : `failed: ${failure}`;
}

const pace = { concurrency: 4, timeoutMs: 60_000 };

describe("schedule", () => {
  it("returns the outcomes in the order of the items, whatever the order of completion", async () => {
    const completed: number[] = [];
    const ask = async (item: number): Promise<string> => {
      for (let turn = 0; turn < 10 - item; turn++) await null;
      completed.push(item);
      return String(item);
    };
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(await schedule(items, ask, describeFailure, { ...pace, concurrency: 8 })).toEqual(items.map(String));
    expect(completed).not.toEqual(items);
  });

  it("has exactly as many open questions as allowed", async () => {
    let openCount = 0;
    let maxOpen = 0;
    const ask = async (): Promise<string> => {
      maxOpen = Math.max(maxOpen, ++openCount);
      await sleep(1);
      openCount -= 1;
      return "";
    };
    await schedule(Array(20).fill(0), ask, describeFailure, { ...pace, concurrency: 3 });
    expect(maxOpen).toBe(3);
  });

  it("does not count time while the target holds all questions", async () => {
    let isHeld = true;
    const ask = async (_: number, signal: AbortSignal): Promise<string> => {
      await sleep(120);
      isHeld = false;
      return signal.aborted ? "aborted" : "answered";
    };
    const heldPace = { ...pace, timeoutMs: 30, graceMs: 30, isHeld: () => isHeld };
    expect(await schedule([1], ask, describeFailure, heldPace)).toEqual(["answered"]);
  });

  it("turns any thrown value into an outcome of that item alone", async () => {
    const ask = async (item: number): Promise<string> => {
      if (item === 2) throw new Error("rejected");
      return "fine";
    };
    const throwText = (item: number): Promise<string> => {
      if (item === 2) throw "thrown";
      return Promise.resolve("fine");
    };
    expect(await schedule([1, 2, 3], ask, describeFailure, pace)).toEqual(["fine", "failed: Error: rejected", "fine"]);
    expect(await schedule([1, 2, 3], throwText, describeFailure, pace)).toEqual(["fine", "failed: thrown", "fine"]);
  });

  it("signals an item that its time is over, and counts a later outcome as late", async () => {
    const ask = async (item: number, signal: AbortSignal): Promise<string> => {
      if (item === 1) return "fine";
      await sleep(60_000, undefined, { signal });
      return "slow";
    };
    expect(await schedule([1, 2], ask, describeFailure, { ...pace, timeoutMs: 10 })).toEqual(["fine", "late"]);
  });

  it("gives up a question that does not stop, and continues with the next", async () => {
    const ask = (item: number): Promise<string> => (item === 1 ? never : Promise.resolve("fine"));
    expect(await schedule([1, 2], ask, describeFailure, { concurrency: 1, timeoutMs: 5, graceMs: 5 })).toEqual([
      "late",
      "fine",
    ]);
  });

  it("accepts an answer that was held up until another question's deadline", async () => {
    let stop: (() => void) | undefined;
    const ask = (item: number, signal: AbortSignal): Promise<string> =>
      new Promise((answer, fail) => {
        if (item === 2) stop = () => answer("innocent");
        else signal.addEventListener("abort", () => setTimeout(() => [fail(signal.reason), stop?.()], 20));
      });
    expect(await schedule([1, 2], ask, describeFailure, { ...pace, timeoutMs: 5 })).toEqual(["late", "innocent"]);
  });

  it("ends early when it is stopped, and keeps the outcomes so far", async () => {
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const askedItems: number[] = [];
    const ask = (item: number, signal: AbortSignal): Promise<string> => {
      askedItems.push(item);
      signals.push(signal);
      return item === 1 ? Promise.resolve("fine") : never;
    };
    const onDone = (): void => void setImmediate(() => controller.abort());
    const outcomes = await schedule([1, 2, 3, 4], ask, describeFailure, {
      ...pace,
      concurrency: 2,
      signal: controller.signal,
      onDone,
    });
    expect(outcomes).toEqual(["fine", undefined, undefined, undefined]);
    expect(askedItems).toEqual([1, 2, 3]);
    expect(signals.slice(1).map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("accepts immediate answers and errors, and can still be aborted", async () => {
    const ask = (item: number): string => {
      if (item === 2) throw new Error("no");
      return `${item}`;
    };
    const describeSettled = (item: number, failure: unknown): string => `${item}: ${(failure as Error).message}`;
    expect(await schedule([1, 2, 3], ask, describeSettled, pace)).toEqual(["1", "2: no", "3"]);
    const controller = new AbortController();
    const onDone = (output: string): void => {
      if (output === "3") controller.abort();
    };
    const options = { ...pace, signal: controller.signal, onDone };
    expect(await schedule([1, 3, 4], ask, describeSettled, options)).toEqual(["1", "3", undefined]);
  });

  it("never hands out a signal that has already aborted", async () => {
    const signals: AbortSignal[] = [];
    const ask = (_: number, signal: AbortSignal): Promise<string> => {
      expect(signal.aborted).toBe(false);
      signals.push(signal);
      return signals.length % 2 === 0 ? Promise.resolve("fine") : untilEnd(signal);
    };
    const untilEnd = (signal: AbortSignal): Promise<string> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
    const outcomes = await schedule([1, 2, 3, 4], ask, describeFailure, { ...pace, concurrency: 1, timeoutMs: 1 });
    expect(outcomes.map((outcome) => outcome === "fine")).toEqual([false, true, false, true]);
  });

  it("does not ask anything if it was stopped before it began", async () => {
    const outcomes = await schedule([1], () => Promise.resolve("fine"), describeFailure, {
      ...pace,
      signal: AbortSignal.abort(),
    });
    expect(outcomes).toEqual([undefined]);
  });

  it("lets timers run between immediate answers", async () => {
    let hasRun = false;
    setTimeout(() => (hasRun = true), 1);
    const answerAfterWork = (): Promise<boolean> => {
      for (const start = performance.now(); performance.now() - start < 10; );
      return Promise.resolve(hasRun);
    };
    const outcomes = await schedule(Array(20).fill(0), answerAfterWork, () => false, { ...pace, concurrency: 1 });
    expect(outcomes.at(-1)).toBe(true);
  });

  it("returns an empty array if there are no items", async () => {
    expect(await schedule([], () => Promise.resolve(""), describeFailure, pace)).toEqual([]);
  });
});
