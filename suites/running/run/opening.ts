import { type Protocol, type Target, TouchstoneError } from "../../../schemas/index.ts";

/** Opens a target. If the run is stopped meanwhile, it stops waiting; closing the target then ends its opening. Throws a target error. */
export function openTarget(target: Target, protocol: Protocol, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new TouchstoneError("target", "interrupted before the target was ready"));
    if (signal?.aborted === true) return stop();
    signal?.addEventListener("abort", stop);
    const settle = async (): Promise<void> => {
      await target.open(protocol);
      resolve();
      // The target was closed before there was anything to close.
      if (signal?.aborted === true) await target.close();
    };
    settle()
      .catch(reject)
      .finally(() => signal?.removeEventListener("abort", stop));
  });
}
