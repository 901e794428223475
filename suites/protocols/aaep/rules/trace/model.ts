import type { SessionModel } from "../../../../../generators/index.ts";
import { acceptance, type Members, request } from "../messages.ts";
import {
  countEach,
  emits,
  nothingYet,
  plainSays,
  replies,
  type Says,
  type SessionState,
  streams,
  turns,
} from "./session-messages.ts";

const capabilities = {
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  languages: ["en-GB"],
};
/** The seconds during which a question stays open. */
const patienceSeconds = 60;

const invoke = emits("agent.tool.invoked", ({ calls }) => ({ tool_call_id: `call_${calls}` }));
const book = emits("agent.tool.invoked", ({ calls }) => ({
  tool: "book_berth",
  tool_call_id: `call_${calls}`,
  risk_level: "medium",
  irreversible: true,
}));
const returnedEvent = emits("agent.tool.completed", ({ calls }) => ({ tool_call_id: `call_${calls}` }));
const bookedEvent = emits("agent.tool.completed", ({ calls }) => ({
  tool: "book_berth",
  tool_call_id: `call_${calls}`,
}));
const update = emits("agent.progress.updated", ({ updates }) => ({ progress: { step: updates } }));
const ask = emits("agent.awaiting.confirmation", ({ questions }) => ({
  action: `Book berth E14, request ${questions}.`,
  consequence: "The price is charged at once.",
  reply_token: `rpl_${questions}`,
  timeout_seconds: patienceSeconds,
  risk_level: "medium",
  reversibility: "irreversible",
}));
const query = emits("agent.awaiting.clarification", ({ questions }) => ({
  reply_token: `rpl_${questions}`,
  timeout_seconds: patienceSeconds,
}));

/** Each step: its name, its possible modes, the next mode, its message, and the seconds before it. */
const steps: readonly (readonly [name: string, from: string, to: string, says: Says, wait?: number])[] = [
  [
    "start",
    "apart agreed ready",
    "idle",
    countEach("sessions", emits("agent.session.started", undefined, initialState)),
  ],
  ["request", "apart", "requested", plainSays("subscriber", request(capabilities))],
  ["accepted", "requested", "agreed", plainSays("producer", acceptance(capabilities))],
  ["think", "idle returned written settled", "thinking", turns("thinking")],
  ["update", "thinking", "thinking", countEach("updates", update)],
  ["reach", "thinking", "reaching", turns("calling_tool")],
  ["invoke", "reaching", "running", countEach("calls", invoke)],
  ["return", "running", "returned", returnedEvent],
  ["write", "thinking", "writing", turns("writing_output")],
  ["chunk", "writing", "writing", streams("Berth E14 is free. ", false)],
  ["last", "writing", "written", streams("It costs 40 pounds.", true)],
  ["wait", "thinking", "waiting", turns("awaiting_input")],
  ["ask", "waiting", "asked", countEach("questions", ask)],
  ["accept", "asked", "granted", replies("confirmation.reply", { decision: "accept" })],
  ["proceed", "granted", "permitted", turns("calling_tool")],
  ["book", "permitted", "booking", countEach("calls", book)],
  ["booked", "booking", "returned", bookedEvent],
  ["reject", "asked", "settled", replies("confirmation.reply", { decision: "reject" })],
  ["query", "waiting", "queried", countEach("questions", query)],
  ["answer", "queried", "settled", replies("clarification.reply", { response: "Curlew" })],
  ["lapse", "asked queried", "thinking", turns("thinking"), patienceSeconds],
  ["handoff", "thinking", "handed", emits("agent.handoff.requested")],
  ["complete", "idle thinking handed", "ready", emits("agent.session.completed")],
  ["fail", "idle thinking handed", "ready", emits("agent.session.errored")],
  ["cancel", "idle thinking handed asked queried", "ready", emits("agent.session.cancelled")],
];

/** Steps that end a session are rare, so that walks have some length. */
const rareSteps = new Set(["handoff", "complete", "fail", "cancel"]);

/** A session begins with an idle agent. */
function initialState(): Partial<SessionState> {
  return { phase: "idle" };
}

/** Members that replace the members in the messages of a step, by the step; an undefined member is left out. */
export type StepMembers = Readonly<Record<string, Members>>;

/** The model of sessions on one subscription. */
export function model(setting: StepMembers = {}): SessionModel<SessionState> {
  return {
    begin: { mode: "apart", state: nothingYet },
    ends: ["ready"],
    steps: steps.map(([name, from, to, says, wait = 1]) => ({
      name,
      in: from.split(" "),
      to,
      weight: rareSteps.has(name) ? 1 : 4,
      take: (state) => says({ ...state, clock: state.clock + wait }, setting[name] ?? {}),
    })),
  };
}
