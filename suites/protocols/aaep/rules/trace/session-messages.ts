import type { JsonObject } from "../../../../../schemas/index.ts";
import type { EventName } from "../event.ts";
import { event, type Members } from "../messages.ts";

/** The state of a session, which its next message depends on. */
export interface SessionState {
  /** Seconds since the recording began. */
  clock: number;
  /** The counts so far. */
  events: number;
  sessions: number;
  calls: number;
  questions: number;
  outputs: number;
  updates: number;
  /** The state after the last change. */
  phase: string;
  /** The number of characters in the present output. */
  position: number;
}

export const nothingYet: SessionState = {
  clock: 0,
  events: 0,
  sessions: 0,
  calls: 0,
  questions: 0,
  outputs: 0,
  updates: 0,
  phase: "idle",
  position: 0,
};

/** Makes a message with the given members instead of its own, and the new state. */
export type Says = (state: SessionState, members: Members) => { entry: JsonObject; state: SessionState };

/** The time so many seconds after the recording began. */
export function stampAt(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 15, 9, 30) + seconds * 1000).toISOString().replace(".000Z", "Z");
}

/** An event; its counter increases by one. */
export function emits(
  name: EventName,
  payload: (state: SessionState) => Members = () => ({}),
  after: (state: SessionState, message: JsonObject) => Partial<SessionState> = () => ({}),
): Says {
  return (before, members) => {
    const state = { ...before, events: before.events + 1 };
    const message = event(name, {
      aaep_version: undefined,
      event_id: `evt_${state.events}`,
      session_id: `sess_${state.sessions}`,
      timestamp: stampAt(state.clock),
      ...payload(state),
      ...members,
    });
    return { entry: { from: "producer", message }, state: { ...state, ...after(state, message) } };
  };
}

/** The same, after one of the counts was increased. */
export function countEach(count: "sessions" | "calls" | "questions" | "updates", says: Says): Says {
  return (state, members) => says({ ...state, [count]: state[count] + 1 }, members);
}

/** A change of state that continues from the last one. */
export function turns(phase: string): Says {
  return emits(
    "agent.state.changed",
    (state) => ({ from_state: state.phase, to_state: phase }),
    (_, { to_state }) => ({ phase: String(to_state) }),
  );
}

/** A piece of the present output, or the last piece. */
export function streams(chunk: string, complete: boolean): Says {
  return emits(
    "agent.output.streaming",
    ({ position, outputs }) => ({ chunk, position, complete, output_id: `out_${outputs + 1}` }),
    ({ position, outputs }, message) =>
      complete ? { position: 0, outputs: outputs + 1 } : { position: position + String(message.chunk).length },
  );
}

/** A reply to the last question. */
export function replies(type: string, answer: Members): Says {
  return (state, members) => {
    const { questions, clock } = state;
    const ends = { subscription_id: "sub_p4", timestamp: stampAt(clock) };
    return plainSays("subscriber", { type, reply_token: `rpl_${questions}`, ...answer, ...ends })(state, members);
  };
}

/** A message without a session. */
export function plainSays(from: string, head: Members): Says {
  return (state, members) => {
    const all = Object.entries({ ...head, ...members }).filter(([, value]) => value !== undefined);
    return { entry: { from, message: Object.fromEntries(all) as JsonObject }, state };
  };
}
