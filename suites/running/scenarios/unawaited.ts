import { TargetFailure, TargetSkip } from "../../../schemas/index.ts";

/** The reasons of the signals that ended scenarios. Everything that is still pending then rejects with one of them. */
const endReasons = new WeakSet<object>();

/** Whether the listener is installed. It serves all runs of the process and must outlive them, because a request may be rejected after the run that sent it. */
let isListening = false;

/** Prevents a failed request that a scenario did not await from ending the process, which would lose the results of all other scenarios. To be called for each scenario. Any other unhandled rejection still ends the process. */
export function tolerateUnawaited(signal: AbortSignal): void {
  signal.addEventListener("abort", () => {
    if (typeof signal.reason === "object" && signal.reason !== null) endReasons.add(signal.reason);
  });
  if (isListening) return;
  isListening = true;
  process.on("unhandledRejection", (reason) => {
    // If the program has its own listener, that listener decides.
    if (!isOfScenario(reason) && process.listenerCount("unhandledRejection") === 1) throw reason;
  });
}

/** Whether a scenario's request failed, or was cut off by the end of the scenario. */
function isOfScenario(reason: unknown): boolean {
  if (typeof reason !== "object" || reason === null) return false;
  if (reason instanceof TargetFailure || reason instanceof TargetSkip) return true;
  return endReasons.has(reason);
}
