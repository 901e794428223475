import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LoopWatch, watchLoop } from "./loop-watch.ts";

describe("a watch of the event loop", () => {
  let now = 0;
  let watch: LoopWatch;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    now = 0;
    watch = watchLoop(() => now);
  });
  afterEach(() => {
    watch.stop();
    vi.useRealTimers();
  });
  /** Makes the next beat this many milliseconds late. */
  const beatLate = (milliseconds: number): void => {
    now += 20 + milliseconds;
    vi.advanceTimersByTime(20);
  };

  it("does not count timers that are merely inexact", () => {
    for (let beats = 0; beats < 100; beats++) beatLate(40);
    expect(watch.longestDelay()).toBe(0);
  });

  it("counts a delay that is still going on, and counts it once", () => {
    now += 620;
    expect(watch.longestDelay()).toBe(600);
    vi.advanceTimersByTime(20);
    expect(watch.longestDelay()).toBe(600);
  });

  it("adds the delays within one second, and only those", () => {
    for (let beats = 0; beats < 4; beats++) beatLate(75);
    expect(watch.longestDelay()).toBe(300);
    for (let beats = 0; beats < 60; beats++) beatLate(0);
    beatLate(280);
    expect(watch.longestDelay()).toBe(300);
  });
});

it("reports a delay for a busy loop, and none for an idle one", async () => {
  const watch = watchLoop();
  await sleep(60);
  const idle = watch.longestDelay();
  const end = performance.now() + 300;
  while (performance.now() < end);
  const busy = watch.longestDelay();
  watch.stop();
  expect(busy - idle).toBeGreaterThan(250);
});
