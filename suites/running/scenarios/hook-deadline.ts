import { type JsonObject, TargetFailure } from "../../../schemas/index.ts";

/** Limits the time of a hook. A hook is the user's code: the scenario continues even if it ignores the signal. `onHang` is called if the hook has not returned when the signal aborts. */
export function settleHook(
  name: string,
  answer: Promise<JsonObject>,
  signal: AbortSignal,
  onHang: (failure: TargetFailure) => void,
): Promise<JsonObject> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const rejectLate = (): void => {
      const seconds = (performance.now() - startedAt) / 1000;
      const secondsText = seconds.toFixed(seconds < 10 ? 1 : 0);
      const failure = new TargetFailure("timed-out", "hook", `the hook "${name}" did not answer in ${secondsText} s`);
      onHang(failure);
      reject(failure);
    };
    signal.addEventListener("abort", rejectLate, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", rejectLate));
  });
}
