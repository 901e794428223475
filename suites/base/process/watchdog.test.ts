import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { reportAlive, watchChild } from "./watchdog.ts";

/** A program that ends with 7 after this many milliseconds, with or without signs of life. */
function program(milliseconds: number, isAlive: boolean) {
  const sign = isAlive ? "process.send('alive');" : "";
  const text = `const end = Date.now() + ${milliseconds}; while (Date.now() < end) { ${sign} const next = Date.now() + 20; while (Date.now() < next); } process.exit(7);`;
  return spawn(process.execPath, ["-e", text], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
}

const times = { hangingLimit: 3000, totalLimit: 60_000, silence: 2000 };

it("a process that hangs is stopped early; a process that keeps working may go on, though not for ever", async () => {
  const exits = await Promise.all([
    watchChild(program(50_000, false), times),
    watchChild(program(5000, true), times),
    watchChild(program(50_000, true), { ...times, totalLimit: 4000 }),
  ]);
  expect(exits).toEqual(["over time", 7, "over time"]);
}, 60_000);

it("a silent process may go on if other processes keep it from the processor", async () => {
  const short = { hangingLimit: 100, totalLimit: 60_000, silence: 100 };
  const starved = watchChild(program(1500, false), { ...short, usedBy: () => 40 });
  const busy = watchChild(program(50_000, false), { ...short, usedBy: () => 60 });
  expect(await Promise.all([starved, busy])).toEqual([7, "over time"]);
}, 60_000);

it("a process without a watcher gets no reports", () => {
  expect(() => reportAlive()).not.toThrow();
});
