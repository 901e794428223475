import { instantOf, isObject, type Json, type JsonObject } from "../../schemas/index.ts";

/** A message of a recording. */
export interface Sent {
  /** Its place among the entries. */
  index: number;
  /** JSON Pointer to the message. */
  at: string;
  from: string;
  /** The recorder's name for the subscription; empty if there is only one. */
  on: string;
  /** In milliseconds, by the recorder's clock. */
  time: number | undefined;
  message: JsonObject;
}

/** A place in a recording where messages may be missing: on one subscription, or on all. */
export interface Gap {
  index: number;
  on?: string;
}

/** The content of a recording, in its order: the entries of the expected shape. */
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

/** An entry in the form of a recording: a line that is a bare message gets the sender that its own content names. */
export function entryFrom(line: Json, sender: (message: JsonObject) => string): Json {
  if (!isObject(line) || isEntry(line)) return line;
  return { from: sender(line), message: line };
}

function isEntry(line: JsonObject): boolean {
  return isObject(line.message) || typeof line.gap === "string";
}

/** The instant of an RFC 3339 date-time in milliseconds, with the fraction it has; undefined for anything else. */
export function instant(text: Json | undefined): number | undefined {
  return typeof text === "string" ? instantOf(text) : undefined;
}

/** A step of a session from one mode to another, with one message. */
export interface SessionStep<State> {
  name: string;
  /** Modes in which it is possible, and the next mode. */
  in: readonly string[];
  to: string;
  /** How often it is chosen, relative to other possible steps. */
  weight?: number;
  take(state: State): { entry: JsonObject; state: State };
}

/** A small model of how sessions go: every walk along its steps, from its beginning to one of its ends, is a valid recording. */
export interface SessionModel<State> {
  begin: { mode: string; state: State };
  ends: readonly string[];
  steps: readonly SessionStep<State>[];
}

/** The entries that a walk along named steps records. Throws if a step is not possible. */
export function walk<State>({ begin, steps }: SessionModel<State>, names: readonly string[]): JsonObject[] {
  let { mode, state } = begin;
  return names.map((name) => {
    const step = steps.find((sessionStep) => sessionStep.name === name && sessionStep.in.includes(mode));
    if (step === undefined) throw new Error(`no step "${name}" when ${mode}`);
    const { entry, state: next } = step.take(state);
    mode = step.to;
    state = next;
    return entry;
  });
}

/**
 * The steps that choices select, for any numbers, and the shortest way from there to an end. Fewer choices make a shorter walk, so a shrinker
 * of choices shrinks walks and never leaves the valid ones.
 */
export function namesOf<State>(model: SessionModel<State>, choices: readonly number[]): string[] {
  let { mode } = model.begin;
  const chosen = choices.flatMap((choice) => {
    const open = model.steps.flatMap((step) =>
      step.in.includes(mode) ? Array.from({ length: step.weight ?? 1 }, () => step) : [],
    );
    const step = open[choice % Math.max(1, open.length)];
    if (step === undefined) return [];
    mode = step.to;
    return [step.name];
  });
  return [...chosen, ...wayOut(model, mode)];
}

/** Breadth first, so the shortest way, and of several the way with the earliest steps. */
function wayOut<State>({ steps, ends }: SessionModel<State>, from: string): string[] {
  const ways = new Map<string, string[]>([[from, []]]);
  for (const [mode, way] of ways) {
    if (ends.includes(mode)) return way;
    for (const step of steps) if (step.in.includes(mode) && !ways.has(step.to)) ways.set(step.to, [...way, step.name]);
  }
  throw new Error(`no way leads from ${from} to an end`);
}
