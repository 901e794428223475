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
  /** Completions of calls that were not announced before. */
  unannounced: Event[];
  /** Completions of calls that were completed before. */
  repeatedCompletions: Event[];
  /** Changes of state while the call is still open. */
  earlyChanges: Event[];
}

/** Pairs the calls of a session with their completions: by id, or else with the oldest call of the tool, preferably one without an id. */
export function pairCalls({ events, hasBeginning }: TraceSession): CallPairing {
  const pairing: CallPairing = { pairs: [], unannounced: [], repeatedCompletions: [], earlyChanges: [] };
  const openPairs = new Set<CallPair>();
  // Open calls by key: `id` with their id, `bare` with the tool of a call without an id, `named` with the tool of a call with an id.
  const queues = new Map<string, Set<CallPair>>();
  const queueOf = (key: string): Set<CallPair> => {
    const pairs = queues.get(key) ?? new Set();
    queues.set(key, pairs);
    return pairs;
  };
  const keysOf = ({ call }: CallPair): string[] =>
    idOf(call) === undefined ? [`bare ${toolOf(call)}`] : [`id ${idOf(call)}`, `named ${toolOf(call)}`];
  const completePair = (pair: CallPair, completion: Event): void => {
    pair.completion = completion;
    openPairs.delete(pair);
    for (const key of keysOf(pair)) queueOf(key).delete(pair);
  };
  const seenKeys = new Set<string>();
  const earlyCompletions = new Map<string, Event>();
  const earlyStates: { event: Event; pair: CallPair }[] = [];
  for (const event of events) {
    const [id, name] = [idOf(event), toolOf(event)];
    const key = id === undefined ? `bare ${name}` : `id ${id}`;
    if (event.name === "agent.tool.invoked") {
      const overlaps = id === undefined && queueOf(key).size > 0;
      const pair: CallPair = { call: event, isRepeated: id !== undefined && seenKeys.has(key), overlaps };
      pairing.pairs.push(pair);
      seenKeys.add(key).add(`bare ${name}`);
      const completion = earlyCompletions.get(key);
      earlyCompletions.delete(key);
      if (completion !== undefined) pair.completion = completion;
      else openPairs.add(pair);
      for (const pairKey of completion === undefined ? keysOf(pair) : []) queueOf(pairKey).add(pair);
    } else if (event.name === "agent.tool.completed") {
      const keys = id !== undefined && seenKeys.has(key) ? [key] : [`bare ${name}`, `named ${name}`];
      const [pair] = keys.flatMap((candidateKey) => queueOf(candidateKey).values().next().value ?? []);
      if (pair !== undefined) {
        completePair(pair, event);
      } else if (seenKeys.has(key)) pairing.repeatedCompletions.push(event);
      else if (hasBeginning && event.era === events[0].era) {
        pairing.unannounced.push(event);
        earlyCompletions.set(key, event);
      }
    } else if (event.name === "agent.state.changed" && openPairs.size === 1) {
      const [pair] = openPairs;
      const leavesCall = event.message.to_state !== "calling_tool" && event.message.to_state !== "awaiting_input";
      if (pair?.call.era === event.era && pair.call.agent === event.agent && leavesCall)
        earlyStates.push({ event, pair });
    }
  }
  pairing.earlyChanges = earlyStates.flatMap(({ event, pair }) => (pair.completion === undefined ? [] : [event]));
  return pairing;
}

export function idOf({ message: { tool_call_id: id } }: Event): string | undefined {
  return typeof id === "string" ? id : undefined;
}

function toolOf({ message: { tool: name } }: Event): string {
  return typeof name === "string" ? name : "";
}
