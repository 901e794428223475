import { setMaxListeners } from "node:events";
import { type ScenarioFinding, TargetFailure, TouchstoneError } from "../../../schemas/index.ts";
import { tolerateUnawaited } from "./unawaited.ts";

/** The result of a scenario. */
export interface Played {
  findings: readonly ScenarioFinding[];
  /** The error that ended the scenario early. */
  ended?: unknown;
  /** The last messages between the parties before the scenario ended early. */
  last?: Pick<ScenarioFinding, "exchanges" | "trace">;
  /** Whether the target did not answer anything in time. */
  isSilent?: boolean;
  /** The duration of the scenario; absent if it was not begun. */
  milliseconds?: number;
}

/** Plays a scenario to its end, or until its time is over, even if something hangs. Throws for faults of the setting itself. */
export async function playUntilEnd(
  limitMs: number,
  signal: AbortSignal | undefined,
  begin: (
    signal: AbortSignal,
    extend: (milliseconds: number) => void,
  ) => { findings: readonly ScenarioFinding[]; story: () => Promise<void> },
): Promise<Played> {
  const timeLimit = new AbortController();
  const timeoutProblem = `the scenario did not end within ${limitMs} ms, besides the time that answers took`;
  const advice = 'for a slow target set "timeScale" in the configuration to more than 1, which multiplies all times';
  const timeout = new TargetFailure("timed-out", "play", `${timeoutProblem}; ${advice}`);
  let deadline = performance.now() + limitMs;
  let timer: NodeJS.Timeout | undefined;
  const restartTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => timeLimit.abort(timeout), Math.max(0, deadline - performance.now()));
  };
  restartTimer();
  const combinedSignal = signal === undefined ? timeLimit.signal : AbortSignal.any([signal, timeLimit.signal]);
  // A burst may have any number of requests open at once.
  setMaxListeners(0, combinedSignal);
  tolerateUnawaited(combinedSignal);
  const { findings, story } = begin(combinedSignal, (milliseconds) => {
    if (combinedSignal.aborted) return;
    deadline += milliseconds;
    restartTimer();
  });
  try {
    await untilAbort(story(), combinedSignal);
    return { findings };
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    return { findings, ended: timeLimit.signal.aborted ? timeout : error };
  } finally {
    clearTimeout(timer);
    timeLimit.abort();
  }
}

function untilAbort(playthrough: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const rejectEarly = (): void => reject(signal.reason);
    signal.addEventListener("abort", rejectEarly, { once: true });
    playthrough.then(resolve, reject).finally(() => signal.removeEventListener("abort", rejectEarly));
  });
}
