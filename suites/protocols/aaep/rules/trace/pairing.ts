import type { Event } from "./event.ts";
import type { TraceSession } from "./sessions.ts";

/** A call and its completion. */
export interface CallPair {
  call: Event;
  completion?: Event;
  /** Whether an earlier call has the same id. */
  isRepeated: boolean;
  /** Whether another call of the tool is open, and neither has an id. */
  overlaps: boolean;
}

export interface CallPairing {
  pairs: CallPair[];
  /** Completions without an earlier call. */
  orphans: Event[];
  /** Further completions of completed calls. */
  repeats: Event[];
  /** Changes of state while the call is still open. */
  early: Event[];
}

/** Pairs the calls of a session with their completions: by id, otherwise with the oldest call of the tool, preferably one without an id. */
export function pairing({ events, begun }: TraceSession): CallPairing {
  const result: CallPairing = { pairs: [], orphans: [], repeats: [], early: [] };
  const open = new Set<CallPair>();
  // Open calls by the keys that may pair them: id, tool of a call without an id, tool of a call with an id.
  const queues = new Map<string, Set<CallPair>>();
  const queue = (key: string): Set<CallPair> => {
    const known = queues.get(key) ?? new Set();
    queues.set(key, known);
    return known;
  };
  const keysOf = ({ call }: CallPair): string[] =>
    idOf(call) === undefined ? [`bare ${toolOf(call)}`] : [`id ${idOf(call)}`, `named ${toolOf(call)}`];
  const complete = (pair: CallPair, completion: Event): void => {
    pair.completion = completion;
    open.delete(pair);
    for (const key of keysOf(pair)) queue(key).delete(pair);
  };
  const seen = new Set<string>();
  const premature = new Map<string, Event>();
  const early: { event: Event; pair: CallPair }[] = [];
  for (const event of events) {
    const [id, name] = [idOf(event), toolOf(event)];
    const key = id === undefined ? `bare ${name}` : `id ${id}`;
    if (event.name === "agent.tool.invoked") {
      const overlaps = id === undefined && queue(key).size > 0;
      const pair: CallPair = { call: event, isRepeated: id !== undefined && seen.has(key), overlaps };
      result.pairs.push(pair);
      seen.add(key).add(`bare ${name}`);
      const completion = premature.get(key);
      premature.delete(key);
      if (completion !== undefined) pair.completion = completion;
      else open.add(pair);
      for (const each of completion === undefined ? keysOf(pair) : []) queue(each).add(pair);
    } else if (event.name === "agent.tool.completed") {
      const keys = id !== undefined && seen.has(key) ? [key] : [`bare ${name}`, `named ${name}`];
      const [pair] = keys.flatMap((each) => queue(each).values().next().value ?? []);
      if (pair !== undefined) {
        complete(pair, event);
      } else if (seen.has(key)) result.repeats.push(event);
      else if (begun && event.era === events[0].era) {
        result.orphans.push(event);
        premature.set(key, event);
      }
    } else if (event.name === "agent.state.changed" && open.size === 1) {
      const [pair] = open;
      const isAfter = event.message.to_state !== "calling_tool" && event.message.to_state !== "awaiting_input";
      if (pair?.call.era === event.era && pair.call.agent === event.agent && isAfter) early.push({ event, pair });
    }
  }
  result.early = early.flatMap(({ event, pair }) => (pair.completion === undefined ? [] : [event]));
  return result;
}

export function idOf({ message: { tool_call_id: id } }: Event): string | undefined {
  return typeof id === "string" ? id : undefined;
}

function toolOf({ message: { tool: name } }: Event): string {
  return typeof name === "string" ? name : "";
}
