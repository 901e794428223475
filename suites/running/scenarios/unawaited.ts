import { TargetFailure, TargetSkip } from "../../../schemas/index.ts";

/** The reasons of the signals that ended scenarios: everything still pending then rejects with one of them. */
const endReasons = new WeakSet<object>();

/** One listener serves all runs of the process, and must outlive them: a request may be rejected after the run that sent it. */
let isListening = false;

/** Keeps a request that a scenario did not await from ending the process, with the results of all other scenarios, when it fails. Call it for each scenario; any other unhandled rejection ends the process as before. */
export function tolerateUnawaited(signal: AbortSignal): void {
  signal.addEventListener("abort", () => {
    if (typeof signal.reason === "object" && signal.reason !== null) endReasons.add(signal.reason);
  });
  if (isListening) return;
  isListening = true;
  process.on("unhandledRejection", (reason) => {
    // If the program has a listener of its own, that listener decides.
    if (!isOfScenario(reason) && process.listenerCount("unhandledRejection") === 1) throw reason;
  });
}

/** Whether a scenario's request failed, or was cut off by the end of the scenario. */
function isOfScenario(reason: unknown): boolean {
  if (typeof reason !== "object" || reason === null) return false;
  if (reason instanceof TargetFailure || reason instanceof TargetSkip) return true;
  return endReasons.has(reason);
}
