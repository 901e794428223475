import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { reportAlive, watchChild } from "./watchdog.ts";

/** Starts a program that exits with code 7 after this many milliseconds, with or without signs of life. */
function startProgram(milliseconds: number, isAlive: boolean) {
  const sendSign = isAlive ? "process.send('alive');" : "";
  const script = `const end = Date.now() + ${milliseconds}; while (Date.now() < end) { ${sendSign} const next = Date.now() + 20; while (Date.now() < next); } process.exit(7);`;
  return spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
}

const times = { hangingLimit: 3000, totalLimit: 60_000, silence: 2000 };

it("kills a hanging process early, and a working process at the total limit", async () => {
  const exits = await Promise.all([
    watchChild(startProgram(50_000, false), times),
    watchChild(startProgram(5000, true), times),
    watchChild(startProgram(50_000, true), { ...times, totalLimit: 4000 }),
  ]);
  expect(exits).toEqual(["over time", 7, "over time"]);
}, 60_000);

it("does not kill a silent process that other processes keep from the processor", async () => {
  const short = { hangingLimit: 100, totalLimit: 60_000, silence: 100 };
  const starved = watchChild(startProgram(1500, false), { ...short, processorTimeOf: () => 40 });
  const busy = watchChild(startProgram(50_000, false), { ...short, processorTimeOf: () => 60 });
  expect(await Promise.all([starved, busy])).toEqual([7, "over time"]);
}, 60_000);

it("reports nothing in a process without a watcher", () => {
  expect(() => reportAlive()).not.toThrow();
});
