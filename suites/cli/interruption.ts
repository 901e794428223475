import { exitCodes } from "../../schemas/index.ts";
import { wouldEnd } from "./ending.ts";

/** The first SIGINT or SIGTERM ends the run with a partial report, the second ends the process. */
export function interruptible(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      wouldEnd({ code: exitCodes.target, since: `${signal} came again` });
      process.exit();
    }
    process.stderr.write(`touchstone: ${signal}, ending with what there is; once more ends at once\n`);
    controller.abort();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, stop);
  return {
    signal: controller.signal,
    end() {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
