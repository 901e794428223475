import { exitCodes } from "../../../schemas/index.ts";
import { onStop } from "../../base/process/watchdog.ts";
import { setEnding } from "./ending.ts";

/** Handles SIGINT, SIGTERM and SIGHUP: the first signal ends the run with a partial report, the second one ends the process. After `markReported`, the first signal prints no message. */
export function createInterruption(): { signal: AbortSignal; markReported(): void; end(): void } {
  const controller = new AbortController();
  let isReported = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      setEnding({ code: exitCodes.target, cause: `${signal} was received again` });
      process.exit();
    }
    // After a SIGHUP there may be no terminal to write to.
    process.stderr.on("error", () => {});
    if (!isReported)
      process.stderr.write(`touchstone: ${signal}, ending with the results so far; another signal ends immediately\n`);
    controller.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  // If only the parent process received the signal, it tells this one to stop.
  onStop(() => controller.abort());
  return {
    signal: controller.signal,
    markReported() {
      isReported = true;
    },
    end() {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
