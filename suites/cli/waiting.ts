import type { Waiting } from "../scenarios/waiting.ts";

/** Says on stderr what a run is going to wait for. */
export function toldWaiting(noWait: boolean): (waiting: Waiting) => void {
  return ({ milliseconds, scenarios }) => {
    const some = `${scenarios} ${scenarios === 1 ? "scenario" : "scenarios"}`;
    const time = `${Math.ceil(milliseconds / 1000)} s`;
    process.stderr.write(
      noWait
        ? `no clock hook: ${some} skipped, which would wait for ${time}\n`
        : `no clock hook: up to ${time} of waiting; --no-wait skips ${some}\n`,
    );
  };
}
