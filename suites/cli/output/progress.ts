import type { ResultKind } from "../../../schemas/index.ts";
import { currentLimit, limitRemedy, totalLimitWait } from "../../base/http/rate-limit.ts";
import { reportAlive } from "../../base/process/watchdog.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { truncateText } from "../../base/text/width.ts";

/** Shows the progress of a command on stderr. Nothing is shown if it ends within two seconds. */
export interface ProgressDisplay {
  /** Shows the stage, the part of it that is done, a remark, and whether the remaining parts are as slow as the previous ones. */
  show(what: string, done?: number, total?: number, how?: { more?: string; isSteady?: boolean }): void;
  /** Reports the cause of a delay at once; from now on all parts are equally slow, so that the estimate comes early. */
  slow(why: string): void;
  /** Removes the display for good, so that the result can be printed. */
  clear(): void;
  /** Does the same, and prints the duration. May be called again. */
  stop(): void;
}

/** Milliseconds: before anything is shown, between two states of the line on a terminal, between two lines elsewhere. */
const patience = 2000;
const pause = 100;
const silence = 10_000;

type OutputStream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

/** Progress on a stream: on a terminal one line that is rewritten, with an estimate of the remaining time; elsewhere a line every ten seconds. Work that never yields is shown as it reports itself. With `isQuiet` nothing is shown. */
export function progressOn(
  stream: OutputStream,
  isQuiet = false,
  now: () => number = () => performance.now(),
): ProgressDisplay {
  if (isQuiet) return { show() {}, slow() {}, clear() {}, stop() {} };
  const isTerminal = stream.isTTY === true;
  const startedAt = now();
  let stage: ProgressStage = { name: "", seen: [], half: 0, least };
  let state: ProgressState | undefined;
  let next = startedAt + (isTerminal ? patience : silence);
  const line = erasableLine(stream);
  let endedAt: number | undefined;
  let isTold = false;
  const draw = (): void => {
    const time = now();
    if (state === undefined || endedAt !== undefined || time < next) return;
    next = time + (isTerminal ? pause : silence);
    const text = lineOf(state, { took: time - startedAt, left: leftOf(stage, time, state), held: currentLimit() });
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
  // Shows that work continues if nothing is reported for long.
  const timer = setInterval(draw, isTerminal ? pause : silence / 10).unref();
  return {
    show(what, done = 0, total = 0, { more = "", isSteady = true } = {}) {
      reportAlive();
      stage = stageAfter(stage, { name: what, before: state?.done ?? 0, done, at: now() });
      state = { what, done, total, more, isSteady };
      draw();
    },
    slow(why) {
      line.erase();
      stream.write(`${escapeInvisible(why)}\n`);
      stage = { ...stage, seen: stage.seen.slice(-1), half: 0, least: 0 };
    },
    clear,
    stop() {
      const took = clear();
      if (took >= patience && !isTold) stream.write(`took ${inTime(took)}\n`);
      isTold = true;
    },
  };
}

/** The last line of a terminal: each text replaces the one before. */
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

/** Adds a state to a stage. Each of several documents has the same stages: a new document begins with less done than before. */
function stageAfter(
  stage: ProgressStage,
  { name, before, done, at }: { name: string; before: number; done: number; at: number },
): ProgressStage {
  const currentStage = name !== stage.name || done < before ? { name, seen: [], half: 0, least } : stage;
  if (currentStage.seen.at(-1)?.done !== done) currentStage.seen.push({ done, at });
  return currentStage;
}

interface ProgressStage {
  name: string;
  /** How much was done at which time. */
  seen: { done: number; at: number }[];
  /** The last state in the first half of the time. */
  half: number;
  /** How much must be done before the rest is estimated. */
  least: number;
}

/** How much faster or slower the second half may be than the whole, if the rest is expected to continue like it. */
const tolerated = 1.25;

/** A shorter time is not worth mentioning: other stages follow. */
const atLeast = 1000;

const least = 0.1;

/** The estimated milliseconds for the rest of a stage; undefined if it has only begun, was uneven so far, or ends at once. */
function leftOf(stage: ProgressStage, time: number, { done, total, isSteady }: ProgressState): number | undefined {
  const [first] = stage.seen;
  if (first === undefined || done >= total || !isSteady) return undefined;
  if (time - first.at < patience || done === first.done || done - first.done < stage.least * (total - first.done))
    return undefined;
  const middle = (first.at + time) / 2;
  while ((stage.seen[stage.half + 1]?.at ?? time) <= middle) stage.half += 1;
  const paceSince = (from: ProgressStage["seen"][number]): number => (time - from.at) / (done - from.done);
  const [wholePace, recent] = [paceSince(first), paceSince(stage.seen[stage.half] ?? first)];
  const isEven = recent <= wholePace * tolerated && wholePace <= recent * tolerated;
  const left = recent * (total - done);
  return isEven && left >= atLeast ? left : undefined;
}

interface ProgressState {
  what: string;
  done: number;
  total: number;
  more: string;
  isSteady: boolean;
}

/** Both times are in milliseconds. */
function lineOf(
  { what, done, total, more }: ProgressState,
  { took, left, held }: { took: number; left: number | undefined; held: string | undefined },
): string {
  const far = total > 1 ? `${what}: ${done} of ${total}` : what;
  const parts = [
    left === undefined ? far : `${far}, about ${inTime(left)} left`,
    ...(more === "" ? [] : [more]),
    ...(held === undefined ? [] : [held]),
    inTime(took),
  ];
  return escapeInvisible(parts.join(" · "));
}

/** `0.4 s`, `12 s`, `3 min 20 s`. */
export function inTime(milliseconds: number): string {
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns a function that describes how long requests have waited since now for the server's rate limit; empty if they have not. */
export function limitsFromNow(): () => string {
  const before = totalLimitWait().milliseconds;
  return () => {
    const { milliseconds, what } = totalLimitWait();
    if (milliseconds - before < patience) return "";
    return `waited ${inTime(milliseconds - before)} for ${what}: ${limitRemedy}\n`;
  };
}

/** Shows the progress of results, with the number of violations. With scenarios the remaining time is unknown. */
export function resultsOn(
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
    // One scenario ends at once, and another waits for minutes: their rate says nothing about the remaining time.
    progress.show(what, done, total, {
      more: more.filter((each) => each !== "").join(" · "),
      isSteady: isVector && !hasScenarios,
    });
  };
  return {
    show({ protocol, result, ...counts }) {
      if (result.outcome === "violates") violated += 1;
      ({ done, total } = counts);
      show(protocol, result.kind === "vector");
    },
    playing(protocol, scenario) {
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
  /** Names the current scenario; of several the last one to begin. */
  playing(protocol: string, scenario: string): void;
  slow(why: string): void;
  clear(): void;
  stop(): void;
}
