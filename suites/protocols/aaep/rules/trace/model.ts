import type { SessionModel } from "../../../../../generators/index.ts";
import { type Members, makeAcceptance, makeRequest } from "../messages.ts";
import {
  bareMessageMaker,
  chunkMaker,
  eventMaker,
  increaseCount,
  initialSessionState,
  type MessageMaker,
  replyMaker,
  type SessionState,
  stateChangeMaker,
} from "./session-messages.ts";

const capabilities = {
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  languages: ["en-GB"],
};
/** The timeout of each question, in seconds. */
const timeoutSeconds = 60;

const invokeTool = eventMaker("agent.tool.invoked", ({ calls }) => ({ tool_call_id: `call_${calls}` }));
const invokeBooking = eventMaker("agent.tool.invoked", ({ calls }) => ({
  tool: "book_berth",
  tool_call_id: `call_${calls}`,
  risk_level: "medium",
  irreversible: true,
}));
const completeCall = eventMaker("agent.tool.completed", ({ calls }) => ({ tool_call_id: `call_${calls}` }));
const completeBooking = eventMaker("agent.tool.completed", ({ calls }) => ({
  tool: "book_berth",
  tool_call_id: `call_${calls}`,
}));
const updateProgress = eventMaker("agent.progress.updated", ({ updates }) => ({ progress: { step: updates } }));
const askForConsent = eventMaker("agent.awaiting.confirmation", ({ questions }) => ({
  action: `Book berth E14, request ${questions}.`,
  consequence: "The price is charged at once.",
  reply_token: `rpl_${questions}`,
  timeout_seconds: timeoutSeconds,
  risk_level: "medium",
  reversibility: "irreversible",
}));
const askForClarification = eventMaker("agent.awaiting.clarification", ({ questions }) => ({
  reply_token: `rpl_${questions}`,
  timeout_seconds: timeoutSeconds,
}));

/** Each step: its name, the modes in which it is possible, the next mode, its message, and the seconds before it. */
const steps: readonly (readonly [
  name: string,
  modes: string,
  nextMode: string,
  makeMessage: MessageMaker,
  wait?: number,
])[] = [
  [
    "start",
    "apart agreed ready",
    "idle",
    increaseCount("sessions", eventMaker("agent.session.started", undefined, initialState)),
  ],
  ["request", "apart", "requested", bareMessageMaker("subscriber", makeRequest(capabilities))],
  ["accepted", "requested", "agreed", bareMessageMaker("producer", makeAcceptance(capabilities))],
  ["think", "idle returned written settled", "thinking", stateChangeMaker("thinking")],
  ["update", "thinking", "thinking", increaseCount("updates", updateProgress)],
  ["reach", "thinking", "reaching", stateChangeMaker("calling_tool")],
  ["invoke", "reaching", "running", increaseCount("calls", invokeTool)],
  ["return", "running", "returned", completeCall],
  ["write", "thinking", "writing", stateChangeMaker("writing_output")],
  ["chunk", "writing", "writing", chunkMaker("Berth E14 is free. ", false)],
  ["last", "writing", "written", chunkMaker("It costs 40 pounds.", true)],
  ["wait", "thinking", "waiting", stateChangeMaker("awaiting_input")],
  ["ask", "waiting", "asked", increaseCount("questions", askForConsent)],
  ["accept", "asked", "granted", replyMaker("confirmation.reply", { decision: "accept" })],
  ["proceed", "granted", "permitted", stateChangeMaker("calling_tool")],
  ["book", "permitted", "booking", increaseCount("calls", invokeBooking)],
  ["booked", "booking", "returned", completeBooking],
  ["reject", "asked", "settled", replyMaker("confirmation.reply", { decision: "reject" })],
  ["query", "waiting", "queried", increaseCount("questions", askForClarification)],
  ["answer", "queried", "settled", replyMaker("clarification.reply", { response: "Curlew" })],
  ["lapse", "asked queried", "thinking", stateChangeMaker("thinking"), timeoutSeconds],
  ["handoff", "thinking", "handed", eventMaker("agent.handoff.requested")],
  ["complete", "idle thinking handed", "ready", eventMaker("agent.session.completed")],
  ["fail", "idle thinking handed", "ready", eventMaker("agent.session.errored")],
  ["cancel", "idle thinking handed asked queried", "ready", eventMaker("agent.session.cancelled")],
];

/** Steps that end a session. They are rare, so that walks do not end early. */
const rareSteps = new Set(["handoff", "complete", "fail", "cancel"]);

/** Returns the state after the start of a session: its agent is idle. */
function initialState(): Partial<SessionState> {
  return { phase: "idle" };
}

/** For each step, members that replace those of its messages. An undefined member is removed. */
export type StepMembers = Readonly<Record<string, Members>>;

/** Makes a model of sessions on one subscription. */
export function createSessionModel(stepMembers: StepMembers = {}): SessionModel<SessionState> {
  return {
    begin: { mode: "apart", state: initialSessionState },
    ends: ["ready"],
    steps: steps.map(([name, modes, nextMode, makeMessage, wait = 1]) => ({
      name,
      in: modes.split(" "),
      to: nextMode,
      weight: rareSteps.has(name) ? 1 : 4,
      take: (state) => makeMessage({ ...state, clock: state.clock + wait }, stepMembers[name] ?? {}),
    })),
  };
}
