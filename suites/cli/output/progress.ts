import type { ResultKind } from "../../../schemas/index.ts";
import { currentLimit, limitRemedy, totalLimitWait } from "../../base/http/rate-limit.ts";
import { reportAlive } from "../../base/process/watchdog.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { truncateText } from "../../base/text/width.ts";

/** Shows the progress of a command on stderr. Nothing is shown if it ends within two seconds. */
export interface ProgressDisplay {
  /** Shows the stage and the part of it that is done, with a remark. Without `isSteady`, the remaining time is not estimated. */
  show(what: string, done?: number, total?: number, how?: { more?: string; isSteady?: boolean }): void;
  /** Prints the cause of a delay immediately. The work is steady from now on, so an estimate is shown early. */
  slow(why: string): void;
  /** Removes the display for good, so that the result can be printed. */
  clear(): void;
  /** Removes the display, and prints the duration. Further calls have no effect. */
  stop(): void;
}

/** The time before anything is shown, between two updates of the line on a terminal, and between two lines elsewhere. */
const quietMs = 2000;
const redrawMs = 100;
const lineIntervalMs = 10_000;

type OutputStream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

/** Shows progress on a stream: on a terminal one line that is rewritten, with an estimate of the remaining time; elsewhere a line every ten seconds. Work that never yields to timers is shown whenever it calls `show`. With `isQuiet`, nothing is shown. */
export function progressOn(
  stream: OutputStream,
  isQuiet = false,
  now: () => number = () => performance.now(),
): ProgressDisplay {
  if (isQuiet) return { show() {}, slow() {}, clear() {}, stop() {} };
  const isTerminal = stream.isTTY === true;
  const startedAt = now();
  let stage: ProgressStage = { name: "", samples: [], middleIndex: 0, minShare: minDoneShare };
  let state: ProgressState | undefined;
  let nextDrawAt = startedAt + (isTerminal ? quietMs : lineIntervalMs);
  const line = erasableLine(stream);
  let endedAt: number | undefined;
  let hasPrintedTime = false;
  const draw = (): void => {
    const time = now();
    if (state === undefined || endedAt !== undefined || time < nextDrawAt) return;
    nextDrawAt = time + (isTerminal ? redrawMs : lineIntervalMs);
    const text = formatState(state, {
      took: time - startedAt,
      left: estimateLeft(stage, time, state),
      held: currentLimit(),
    });
    if (!isTerminal) {
      stream.write(`${text}\n`);
      return;
    }
    line.write(text);
  };
  const clear = (): number => {
    line.erase();
    clearInterval(timer);
    endedAt ??= now();
    return endedAt - startedAt;
  };
  // Redraws if nothing is reported for long, to show that work continues.
  const timer = setInterval(draw, isTerminal ? redrawMs : lineIntervalMs / 10).unref();
  return {
    show(what, done = 0, total = 0, { more = "", isSteady = true } = {}) {
      reportAlive();
      stage = updateStage(stage, { name: what, before: state?.done ?? 0, done, at: now() });
      state = { what, done, total, more, isSteady };
      draw();
    },
    slow(why) {
      line.erase();
      stream.write(`${escapeInvisible(why)}\n`);
      stage = { ...stage, samples: stage.samples.slice(-1), middleIndex: 0, minShare: 0 };
    },
    clear,
    stop() {
      const elapsed = clear();
      if (elapsed >= quietMs && !hasPrintedTime) stream.write(`took ${formatDuration(elapsed)}\n`);
      hasPrintedTime = true;
    },
  };
}

/** Writes the last line of a terminal: each text replaces the previous one. */
function erasableLine(stream: OutputStream): { write(text: string): void; erase(): void } {
  let isDrawn = false;
  const erase = (): void => {
    if (isDrawn) stream.write("\r\u001b[K");
    isDrawn = false;
  };
  return {
    write(text) {
      erase();
      stream.write(truncateText(text, Math.max(1, (stream.columns || 80) - 1)));
      isDrawn = true;
    },
    erase,
  };
}

/** Adds a state to a stage, or begins a new stage. The stages repeat for each document, so a drop in `done` means a new document. */
function updateStage(
  stage: ProgressStage,
  { name, before: doneBefore, done, at }: { name: string; before: number; done: number; at: number },
): ProgressStage {
  const currentStage =
    name !== stage.name || done < doneBefore ? { name, samples: [], middleIndex: 0, minShare: minDoneShare } : stage;
  if (currentStage.samples.at(-1)?.done !== done) currentStage.samples.push({ done, at });
  return currentStage;
}

interface ProgressStage {
  name: string;
  /** How much was done at which time. */
  samples: { done: number; at: number }[];
  /** The index of the last state in the first half of the time. */
  middleIndex: number;
  /** The share that must be done before the rest is estimated. */
  minShare: number;
}

/** The second half may be faster or slower than the whole by this factor; otherwise the work is too uneven for an estimate. */
const maxPaceRatio = 1.25;

/** A shorter estimate is not shown, since other stages follow. */
const minEstimateMs = 1000;

const minDoneShare = 0.1;

/** Estimates the milliseconds for the rest of a stage; undefined if it has just begun, was uneven so far, or is nearly over. */
function estimateLeft(
  stage: ProgressStage,
  time: number,
  { done, total, isSteady }: ProgressState,
): number | undefined {
  const [first] = stage.samples;
  if (first === undefined || done >= total || !isSteady) return undefined;
  if (time - first.at < quietMs || done === first.done || done - first.done < stage.minShare * (total - first.done))
    return undefined;
  const middle = (first.at + time) / 2;
  while ((stage.samples[stage.middleIndex + 1]?.at ?? time) <= middle) stage.middleIndex += 1;
  const paceSince = (from: ProgressStage["samples"][number]): number => (time - from.at) / (done - from.done);
  const [overallPace, recentPace] = [paceSince(first), paceSince(stage.samples[stage.middleIndex] ?? first)];
  const isEven = recentPace <= overallPace * maxPaceRatio && overallPace <= recentPace * maxPaceRatio;
  const left = recentPace * (total - done);
  return isEven && left >= minEstimateMs ? left : undefined;
}

interface ProgressState {
  what: string;
  done: number;
  total: number;
  more: string;
  isSteady: boolean;
}

/** Formats a state; both times are in milliseconds. */
function formatState(
  { what, done, total, more }: ProgressState,
  { took, left, held }: { took: number; left: number | undefined; held: string | undefined },
): string {
  const progressText = total > 1 ? `${what}: ${done} of ${total}` : what;
  const parts = [
    left === undefined ? progressText : `${progressText}, about ${formatDuration(left)} left`,
    ...(more === "" ? [] : [more]),
    ...(held === undefined ? [] : [held]),
    formatDuration(took),
  ];
  return escapeInvisible(parts.join(" · "));
}

/** Formats a duration, such as `0.4 s`, `12 s` or `3 min 20 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns a function that describes how long requests have waited since now for the server's rate limit; empty if they have not. */
export function trackLimitWaits(): () => string {
  const before = totalLimitWait().milliseconds;
  return () => {
    const { milliseconds, reason } = totalLimitWait();
    if (milliseconds - before < quietMs) return "";
    return `waited ${formatDuration(milliseconds - before)} for ${reason}: ${limitRemedy}\n`;
  };
}

/** Shows the progress of results, with the number of violations. With scenarios the remaining time is unknown. */
export function resultProgressOn(
  stream: OutputStream,
  { isQuiet = false, hasScenarios = false }: { isQuiet?: boolean | undefined; hasScenarios?: boolean | undefined } = {},
  now: () => number = () => performance.now(),
): ResultProgress {
  const progress = progressOn(stream, isQuiet, now);
  let [violated, done, total] = [0, 0, 0];
  let scenarioCount = "";
  const show = (protocol: string, isVector: boolean): void => {
    const what = isVector ? protocol : `${protocol}, results of scenarios`;
    const more = [...(isVector ? [] : [scenarioCount]), violated === 0 ? "" : `${violated} violated`];
    // Some scenarios end immediately, and others wait for minutes, so their pace does not predict the remaining time.
    progress.show(what, done, total, {
      more: more.filter((remark) => remark !== "").join(" · "),
      isSteady: isVector && !hasScenarios,
    });
  };
  return {
    show({ protocol, result, ...counts }) {
      if (result.outcome === "violates") violated += 1;
      ({ done, total } = counts);
      show(protocol, result.kind === "vector");
    },
    showScenario(protocol, scenario) {
      scenarioCount = scenario;
      show(protocol, false);
    },
    slow: (why) => progress.slow(why),
    clear: () => progress.clear(),
    stop: () => progress.stop(),
  };
}

export interface ResultProgress {
  show(progress: {
    protocol: string;
    result: { outcome: string; kind: ResultKind };
    done: number;
    total: number;
  }): void;
  /** Shows the current scenario, or the last to begin of several. */
  showScenario(protocol: string, scenario: string): void;
  slow(why: string): void;
  clear(): void;
  stop(): void;
}
