import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

/** The maximum load of the process, as a part of the time, for another trial to begin. */
const mostBusy = 0.85;

/** The milliseconds of a moment. */
const momentMs = 100;

/** Runs trials at once as long as the process has time left: plays on a busy machine would time out, and waiting plays need no processor. */
export function createAdmission(
  busyPart: () => Promise<number> = busyPartOfMoment,
): <T>(trial: () => T | Promise<T>) => Promise<T> {
  let running = 0;
  let admitted: Promise<void> = Promise.resolve();
  const admit = async (): Promise<void> => {
    while (running > 0 && (await busyPart()) > mostBusy);
    running += 1;
  };
  return async (trial) => {
    admitted = admitted.then(admit);
    await admitted;
    try {
      return await trial();
    } finally {
      running -= 1;
    }
  };
}

/** The load of the event loop in the next moment, as a part of the time; includes the time of other processes on the processor. */
async function busyPartOfMoment(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await setTimeout(momentMs);
  return performance.eventLoopUtilization(before).utilization;
}
