import { describe, expect, it, onTestFinished, vi } from "vitest";
import { whileLimited } from "../../base/http/rate-limit.ts";
import { result } from "../../results/sample.fixture.ts";
import { formatDuration, progressOn, resultProgressOn, trackLimitWaits } from "./progress.ts";

function capture(isTTY: boolean) {
  let time = 0;
  const writes: string[] = [];
  const stream = { isTTY, columns: 60, write: (text: string) => writes.push(text) > 0 };
  const progress = progressOn(stream as never, false, () => time);
  return { writes, progress, pass: (milliseconds: number) => (time += milliseconds) };
}

describe("progressOn", () => {
  it("shows nothing for work of less than two seconds", () => {
    for (const isTTY of [true, false]) {
      const { writes, progress, pass } = capture(isTTY);
      for (let done = 0; done < 19; done += 1) {
        progress.show("ahcp", done, 20);
        pass(100);
      }
      progress.stop();
      expect(writes).toEqual([]);
    }
  });

  it("reports the rate limit that the run waits for, whether or not the output is a terminal", async () => {
    // Real time that passes on a busy machine would count as waiting.
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    for (const isTTY of [true, false]) {
      const { writes, progress, pass } = capture(isTTY);
      let endWait = (): void => {};
      const answer = { status: 429, headers: { "retry-after": "6" } };
      const wait = whileLimited(answer, () => new Promise<void>((done) => (endWait = done)));
      pass(10_000);
      progress.show("ahcp", 1, 20);
      endWait();
      await wait;
      pass(10_000);
      progress.show("ahcp", 2, 20);
      progress.clear();
      const protocolLines = writes.filter((text) => text.startsWith("ahcp"));
      expect(protocolLines[0]).toMatch(/^ahcp: 1 of 20 · waiting for the server's limit \(429, Re/);
      expect(protocolLines[1]).toMatch(/^ahcp: 2 of 20 · 20 s/);
    }
  });

  it("reports at the end how long the run waited for the server's rate limit, if it waited long", async () => {
    vi.useFakeTimers();
    try {
      await whileLimited({ status: 429, headers: {} }, () => vi.advanceTimersByTimeAsync(30_000));
      const limits = trackLimitWaits();
      expect(limits()).toBe("");
      const answer = { status: 429, headers: { "retry-after": "60" } };
      const waits = [60_000, 40_000].map((time) =>
        whileLimited(answer, () => new Promise<void>((done) => void setTimeout(done, time))),
      );
      await vi.advanceTimersByTimeAsync(50_000);
      expect(limits()).toMatch(/^waited 50 s for the server's limit \(429, Retry-After 60\): raise /);
      await vi.advanceTimersByTimeAsync(50_000);
      await Promise.all(waits);
      expect(limits()).toMatch(/^waited 1 min 0 s for /);
    } finally {
      vi.useRealTimers();
    }
  });

  it("rewrites one line on a terminal, with an estimate, and removes it at the end", () => {
    const { writes, progress, pass } = capture(true);
    progress.show("ahcp", 0, 100);
    pass(3000);
    progress.show("ahcp", 25, 100, { more: "2 violated" });
    progress.show("ahcp", 26, 100, { more: "2 violated" });
    expect(writes).toEqual(["ahcp: 25 of 100, about 9.0 s left · 2 violated · 3.0 s"]);
    pass(100);
    progress.show(`a${"字".repeat(60)}`, 1, 2);
    expect(writes.slice(1)).toEqual(["\r\u001b[K", expect.stringMatching(/^a字{28}…$/)]);
    progress.stop();
    progress.stop();
    expect(writes.slice(3)).toEqual(["\r\u001b[K", "took 3.1 s\n"]);
  });

  it("prints the elapsed time after the result", () => {
    const { writes, progress, pass } = capture(false);
    progress.show("ahcp", 1, 2);
    pass(3000);
    progress.clear();
    writes.push("the result");
    pass(1000);
    progress.stop();
    progress.stop();
    expect(writes).toEqual(["the result", "took 3.0 s\n"]);
  });

  it("writes a line every ten seconds if the output is not a terminal", () => {
    const { writes, progress, pass } = capture(false);
    for (let done = 0; done < 250; done += 1) {
      progress.show("snap", done, 500);
      pass(100);
    }
    progress.stop();
    expect(writes).toEqual([
      "snap: 100 of 500, about 40 s left · 10 s\n",
      "snap: 200 of 500, about 30 s left · 20 s\n",
      "took 25 s\n",
    ]);
  });

  it("prints immediately why the work is slow, and estimates the remaining time from then on", () => {
    const { writes, progress, pass } = capture(false);
    progress.show("ahcp", 400, 1000);
    progress.slow("the program ends after each answer");
    for (let done = 400; done < 404; done += 1) {
      progress.show("ahcp", done, 1000);
      pass(5000);
    }
    progress.show("ahcp", 404, 1000);
    progress.stop();
    expect(writes.slice(0, 3)).toEqual([
      "the program ends after each answer\n",
      "ahcp: 402 of 1000, about 49 min 50 s left · 10 s\n",
      "ahcp: 404 of 1000, about 49 min 40 s left · 20 s\n",
    ]);
  });

  it("removes the progress line before it prints why the work is slow", () => {
    const { writes, progress, pass } = capture(true);
    pass(3000);
    progress.show("ahcp", 1, 2);
    progress.slow("the program ends");
    expect(writes.slice(1)).toEqual(["\r\u001b[K", "the program ends\n"]);
    progress.stop();
  });

  it("does not estimate the remaining time if results arrive more and more slowly", () => {
    const { writes, progress, pass } = capture(false);
    progress.show("ahcp", 0, 200);
    pass(10_000);
    progress.show("ahcp", 100, 200);
    pass(10_000);
    progress.show("ahcp", 104, 200);
    pass(10_000);
    progress.show("ahcp", 105, 200);
    progress.stop();
    expect(writes.slice(0, 3)).toEqual([
      "ahcp: 100 of 200, about 10 s left · 10 s\n",
      "ahcp: 104 of 200 · 20 s\n",
      "ahcp: 105 of 200 · 30 s\n",
    ]);
  });

  it("does not estimate the remaining time of a stage that has just begun or is nearly over", () => {
    const { writes, progress, pass } = capture(true);
    const steps: [stage: string, done: number, total: number][] = [
      ["mutants", 0, 500],
      // The first items need no time, and a later one needs all of it.
      ...[0, 1, 2, 3, 4].map((done): [string, number, number] => ["texts", done, 26]),
      ["judging", 0, 1000],
      ...[250, 500, 750, 995].map((done): [string, number, number] => ["judging", done, 1000]),
    ];
    const durations = [0, 49_900, 100, 100, 100, 100, 10_000, 5000, 5000, 5000, 4900];
    for (const [index, step] of steps.entries()) {
      pass(durations[index] as number);
      progress.show(...step);
    }
    progress.stop();
    expect(writes.filter((text) => /: (?!0 )/.test(text))).toEqual([
      ...[1, 2, 3, 4].map((done) => `texts: ${done} of 26 · 50 s`),
      "judging: 250 of 1000, about 15 s left · 1 min 5 s",
      "judging: 500 of 1000, about 10 s left · 1 min 10 s",
      "judging: 750 of 1000, about 5.0 s left · 1 min 15 s",
      "judging: 995 of 1000 · 1 min 20 s",
    ]);
  });

  it("starts a new estimate for the same stage of the next document", () => {
    const { writes, progress, pass } = capture(false);
    for (const [total, pace] of [
      [100, 90],
      [200, 1000],
    ] as const)
      for (let done = 0; done < total; done += 1) {
        progress.show("judging", done, total);
        pass(pace);
      }
    progress.stop();
    const [first] = writes.filter((text) => text.includes("of 200, about"));
    expect(first).toBe("judging: 21 of 200, about 2 min 59 s left · 30 s\n");
  });

  it("keeps printing if no progress is reported for a long time", () => {
    vi.useFakeTimers();
    try {
      const { writes, progress, pass } = capture(false);
      progress.show("waiting", 1, 2);
      pass(11_000);
      vi.advanceTimersByTime(11_000);
      expect(writes).toEqual(["waiting: 1 of 2 · 11 s\n"]);
      progress.stop();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

it.each([
  [400, "0.4 s"],
  [59_400, "59 s"],
  [200_000, "3 min 20 s"],
])("writes %s ms as %s", (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

it("estimates steady work to within 50 %, and does not estimate work that slows down or speeds up", () => {
  const total = 400;
  const paces: Record<string, (done: number) => number> = {
    even: () => 250,
    uneven: (done) => 200 + 100 * (done % 2),
    slower: (done) => done ** 2 / 100,
    faster: (done) => 1e5 / (done + 10),
  };
  const output = Object.fromEntries(
    Object.entries(paces).map(([name, pace]) => {
      const { writes, progress, pass } = capture(false);
      let end = 0;
      for (let done = 0; done < total; done += 1) {
        progress.show("ahcp", done, total);
        pass(pace(done));
        end += pace(done);
      }
      progress.stop();
      const errors = writes.flatMap((text) => {
        const [, done = "", min = "0", seconds = ""] =
          /: (\d+) of \d+, about (?:(\d+) min )?([\d.]+) s left/.exec(text) ?? [];
        if (done === "") return [];
        const elapsed = Array.from({ length: Number(done) }, (_, index) => pace(index)).reduce(
          (sum, duration) => sum + duration,
          0,
        );
        return [(Number(min) * 60 + Number(seconds)) / ((end - elapsed) / 1000)];
      });
      return [name, errors];
    }),
  );
  for (const name of ["even", "uneven"]) {
    expect(output[name]?.length).toBeGreaterThan(5);
    expect(output[name]?.every((error) => error > 0.5 && error < 1.5)).toBe(true);
  }
  for (const name of ["slower", "faster"])
    expect(output[name]?.filter((error) => error < 0.5 || error > 1.5)).toEqual([]);
});

it("does not estimate the time of scenarios", () => {
  let time = 0;
  const writes: string[] = [];
  const stream = { isTTY: true, columns: 80, write: (text: string) => writes.push(text) > 0 };
  const bar = resultProgressOn(stream as never, { hasScenarios: true }, () => time);
  const show = (id: string, done: number) => bar.show({ protocol: "ahcp", result: result({ id }), done, total: 110 });
  for (let done = 1; done <= 99; done += 1) show("v", done);
  time += 3000;
  show("v", 100);
  expect(writes.at(-1)).toBe("ahcp: 100 of 110 · 3.0 s");
  show("p/1/scenarios/a/S-1", 101);
  time += 5000;
  show("p/1/scenarios/b/S-1", 102);
  expect(writes.at(-1)).toBe("ahcp, results of scenarios: 102 of 110 · 8.0 s");
  bar.stop();
});

it("shows the name of the current scenario", () => {
  for (const isTTY of [true, false]) {
    let time = 0;
    const writes: string[] = [];
    const stream = { isTTY, columns: 100, write: (text: string) => writes.push(text) > 0 };
    const bar = resultProgressOn(stream as never, { hasScenarios: true }, () => time);
    time += 11_000;
    bar.showScenario("ahcp", "envelope-good");
    expect(writes.at(-1)?.trim()).toBe("ahcp, results of scenarios · envelope-good · 11 s");
    const violated = result({ id: "p/1/scenarios/envelope-good/S-1", outcome: "violates" });
    bar.show({ protocol: "ahcp", result: violated, done: 101, total: 110 });
    time += 11_000;
    bar.showScenario("ahcp", "delivery-attempts");
    expect(writes.at(-1)?.trim()).toBe(
      "ahcp, results of scenarios: 101 of 110 · delivery-attempts · 1 violated · 22 s",
    );
    time += 11_000;
    bar.show({ protocol: "ahcp", result: result({ id: "v" }), done: 102, total: 110 });
    expect(writes.at(-1)?.trim()).toBe("ahcp: 102 of 110 · 1 violated · 33 s");
    bar.stop();
  }
});
