import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

/** The maximum utilization of the event loop, between 0 and 1, at which another trial begins. */
const maxUtilization = 0.85;

/** How long the utilization is measured, in milliseconds. */
const measuringMs = 100;

/** Runs trials concurrently as long as the process has time left: plays in a busy process would time out, while waiting plays need no processor. */
export function createAdmission(
  measureLoad: () => Promise<number> = measureUtilization,
): <T>(trial: () => T | Promise<T>) => Promise<T> {
  let runningCount = 0;
  let admitted: Promise<void> = Promise.resolve();
  const admit = async (): Promise<void> => {
    while (runningCount > 0 && (await measureLoad()) > maxUtilization);
    runningCount += 1;
  };
  return async (trial) => {
    admitted = admitted.then(admit);
    await admitted;
    try {
      return await trial();
    } finally {
      runningCount -= 1;
    }
  };
}

/** Measures the utilization of the event loop, between 0 and 1; it includes time that other processes use on the processor. */
async function measureUtilization(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await setTimeout(measuringMs);
  return performance.eventLoopUtilization(before).utilization;
}
