import type { JsonObject } from "../../../../../schemas/index.ts";
import type { EventName } from "../event.ts";
import { type Members, makeEvent } from "../messages.ts";

/** The state of a session, on which its next message depends. */
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
  /** The number of characters in the current output. */
  position: number;
}

export const initialSessionState: SessionState = {
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

/** Makes the next message, with some members replaced, and the next state. */
export type MessageMaker = (state: SessionState, members: Members) => { entry: JsonObject; state: SessionState };

/** Formats the time this many seconds after the recording began. */
export function stampAt(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 15, 9, 30) + seconds * 1000).toISOString().replace(".000Z", "Z");
}

/** Returns a maker of an event, which also counts it. */
export function eventMaker(
  name: EventName,
  payload: (state: SessionState) => Members = () => ({}),
  changeState: (state: SessionState, message: JsonObject) => Partial<SessionState> = () => ({}),
): MessageMaker {
  return (previousState, members) => {
    const state = { ...previousState, events: previousState.events + 1 };
    const message = makeEvent(name, {
      aaep_version: undefined,
      event_id: `evt_${state.events}`,
      session_id: `sess_${state.sessions}`,
      timestamp: stampAt(state.clock),
      ...payload(state),
      ...members,
    });
    return { entry: { from: "producer", message }, state: { ...state, ...changeState(state, message) } };
  };
}

/** Returns a maker of a message that first increases a count. */
export function increaseCount(
  count: "sessions" | "calls" | "questions" | "updates",
  makeMessage: MessageMaker,
): MessageMaker {
  return (state, members) => makeMessage({ ...state, [count]: state[count] + 1 }, members);
}

/** Returns a maker of a change from the current state to the given one. */
export function stateChangeMaker(phase: string): MessageMaker {
  return eventMaker(
    "agent.state.changed",
    (state) => ({ from_state: state.phase, to_state: phase }),
    (_, { to_state }) => ({ phase: String(to_state) }),
  );
}

/** Returns a maker of a chunk of the current output. */
export function chunkMaker(chunk: string, complete: boolean): MessageMaker {
  return eventMaker(
    "agent.output.streaming",
    ({ position, outputs }) => ({ chunk, position, complete, output_id: `out_${outputs + 1}` }),
    ({ position, outputs }, message) =>
      complete ? { position: 0, outputs: outputs + 1 } : { position: position + String(message.chunk).length },
  );
}

/** Returns a maker of a reply to the last question. */
export function replyMaker(type: string, answer: Members): MessageMaker {
  return (state, members) => {
    const { questions, clock } = state;
    const lastMembers = { subscription_id: "sub_p4", timestamp: stampAt(clock) };
    return bareMessageMaker("subscriber", { type, reply_token: `rpl_${questions}`, ...answer, ...lastMembers })(
      state,
      members,
    );
  };
}

/** Returns a maker of a message without a session. */
export function bareMessageMaker(from: string, head: Members): MessageMaker {
  return (state, members) => {
    const definedMembers = Object.entries({ ...head, ...members }).filter(([, value]) => value !== undefined);
    return { entry: { from, message: Object.fromEntries(definedMembers) as JsonObject }, state };
  };
}
