import { instantOf, isObject, type Json, type JsonObject } from "../../schemas/index.ts";

/** A message of a recording. */
export interface Sent {
  /** The index of the entry with the message. */
  index: number;
  /** JSON Pointer to the message. */
  at: string;
  from: string;
  /** The recorder's name for the subscription; empty if there is only one. */
  on: string;
  /** The time of the message in milliseconds, by the recorder's clock. */
  time: number | undefined;
  message: JsonObject;
}

/** A place in a recording at which messages may be missing: of one subscription, or of all. */
export interface Gap {
  index: number;
  on?: string;
}

/** Reads the messages and gaps of a recording, in order. Entries of any other shape are ignored. */
export function recordingOf(trace: Json): { sent: Sent[]; gaps: Gap[] } {
  const sent: Sent[] = [];
  const gaps: Gap[] = [];
  for (const [index, entry] of (Array.isArray(trace) ? trace : []).entries()) {
    if (!isObject(entry)) continue;
    const { from, message, gap, subscription } = entry;
    const on = typeof subscription === "string" ? subscription : undefined;
    if (typeof gap === "string") gaps.push({ index, ...(on === undefined ? {} : { on }) });
    if (typeof from !== "string" || !isObject(message)) continue;
    sent.push({ index, at: `/${index}/message`, from, on: on ?? "", time: instant(entry.time), message });
  }
  return { sent, gaps };
}

/** Converts a line to an entry of a recording. The sender of a bare message is derived from its content. */
export function entryFrom(line: Json, sender: (message: JsonObject) => string): Json {
  if (!isObject(line) || isEntry(line)) return line;
  return { from: sender(line), message: line };
}

function isEntry(line: JsonObject): boolean {
  return isObject(line.message) || typeof line.gap === "string";
}

/** Converts an RFC 3339 date-time to milliseconds, including its fraction. Undefined for anything else. */
export function instant(text: Json | undefined): number | undefined {
  return typeof text === "string" ? instantOf(text) : undefined;
}

/** A step of a session from one mode to another, with one message. */
export interface SessionStep<State> {
  name: string;
  /** The modes in which the step is possible, and the next mode. */
  in: readonly string[];
  to: string;
  /** How often the step is chosen, relative to other possible steps. */
  weight?: number;
  take(state: State): { entry: JsonObject; state: State };
}

/** A small model of sessions. Every walk along its steps, from its beginning to one of its ends, is a valid recording. */
export interface SessionModel<State> {
  begin: { mode: string; state: State };
  ends: readonly string[];
  steps: readonly SessionStep<State>[];
}

/** Records the entries of a walk along named steps. Throws if a step is not possible. */
export function walk<State>({ begin, steps }: SessionModel<State>, names: readonly string[]): JsonObject[] {
  let { mode, state } = begin;
  return names.map((name) => {
    const step = steps.find((sessionStep) => sessionStep.name === name && sessionStep.in.includes(mode));
    if (step === undefined) throw new Error(`no step "${name}" when ${mode}`);
    const { entry, state: nextState } = step.take(state);
    mode = step.to;
    state = nextState;
    return entry;
  });
}

/**
 * Lists the names of the steps that the choices select, followed by the shortest path to an end. Choices may be any numbers. Fewer choices make a
 * shorter walk, so shrinking the choices shrinks the walk, and it stays valid.
 */
export function namesOf<State>(model: SessionModel<State>, choices: readonly number[]): string[] {
  let { mode } = model.begin;
  const chosen = choices.flatMap((choice) => {
    const possible = model.steps.flatMap((step) =>
      step.in.includes(mode) ? Array.from({ length: step.weight ?? 1 }, () => step) : [],
    );
    const step = possible[choice % Math.max(1, possible.length)];
    if (step === undefined) return [];
    mode = step.to;
    return [step.name];
  });
  return [...chosen, ...shortestExit(model, mode)];
}

/** Finds the shortest path to an end, by breadth-first search. */
function shortestExit<State>({ steps, ends }: SessionModel<State>, from: string): string[] {
  const paths = new Map<string, string[]>([[from, []]]);
  for (const [mode, path] of paths) {
    if (ends.includes(mode)) return path;
    for (const step of steps)
      if (step.in.includes(mode) && !paths.has(step.to)) paths.set(step.to, [...path, step.name]);
  }
  throw new Error(`no way leads from ${from} to an end`);
}
