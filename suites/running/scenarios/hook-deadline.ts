import { type JsonObject, TargetFailure } from "../../../schemas/index.ts";

/** Limits the time of a hook. A hook is the user's code: the scenario continues even if it ignores the signal. `hangs` is called for a hook that has not returned by then. */
export function settleHook(
  name: string,
  answer: Promise<JsonObject>,
  signal: AbortSignal,
  hangs: (failure: TargetFailure) => void,
): Promise<JsonObject> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const rejectLate = (): void => {
      const seconds = (performance.now() - startedAt) / 1000;
      const took = seconds.toFixed(seconds < 10 ? 1 : 0);
      const failure = new TargetFailure("timed-out", "hook", `the hook "${name}" did not answer in ${took} s`);
      hangs(failure);
      reject(failure);
    };
    signal.addEventListener("abort", rejectLate, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", rejectLate));
  });
}
