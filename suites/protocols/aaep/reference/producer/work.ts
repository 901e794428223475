import type { JsonObject } from "../../../../../schemas/index.ts";
import { emit, summaries } from "./emit.ts";
import { idFor, type Producer, type ProducerQuestion, type ProducerSession } from "./model.ts";
import { ask } from "./questions.ts";

/** The kinds of tasks. The other members of the request become members of the question. */
export const tasks = ["plain", "irreversible", "reversible", "clarification", "hanging", "stream", "large"] as const;

/** Milliseconds after which a tool call is aborted. */
const toolPatience = 1000;

/** Starts a session, which then runs by itself. */
export function start(producer: Producer, given: JsonObject): JsonObject {
  const { task = "plain", language, ...question } = given;
  const session: ProducerSession = {
    id: idFor(producer, "sess"),
    events: [],
    ended: false,
    ...(typeof language === "string" ? { language } : {}),
  };
  producer.sessions.set(session.id, session);
  work(producer, session, String(task), question).catch(() => {
    if (!session.ended)
      end(producer, session, "session.errored", {
        ...summaries("It went wrong."),
        error_category: "unknown",
        urgency: "critical",
      });
  });
  return { session_id: session.id };
}

async function work(producer: Producer, session: ProducerSession, task: string, given: JsonObject): Promise<void> {
  emit(producer, session, "session.started", summaries("Seeing to it: one moment."));
  state(producer, session, "idle", "thinking");
  if (task === "irreversible" || task === "reversible") return askConsent(producer, session, task, given);
  if (task === "clarification") return askClarification(producer, session, given);
  if (task === "hanging") return hangTool(producer, session);
  if (task === "plain") await call(producer, session, { tool: "look_up", from: "thinking" }, { risk_level: "low" });
  if (session.ended) return;
  reportProgress(producer, session, 50);
  const chunks = Number(given.chunks ?? 24);
  writeOutput(
    producer,
    session,
    task === "large" ? large : task === "stream" ? Array(chunks).fill("A berth is free. ") : textParts,
  );
  finish(producer, session, "Done: a berth is free.");
}

const textParts = ["A berth is free ", "on Friday. ", "It takes ten metres."];
/** Close to the maximum number of characters of a chunk, and to the maximum size of a message. */
const large = ["\u{1f6a2}".repeat(15_500)];

const payment: JsonObject = {
  ...summaries("Shall I pay: 120 euros?"),
  action: "Pay 120 euros to the harbour office",
  consequence: "The money is gone.",
  timeout_seconds: 300,
  default_decision: "reject",
  risk_level: "high",
  reversibility: "irreversible",
  irreversible: true,
};
const note: JsonObject = {
  ...summaries("Shall I note it: Friday?"),
  action: "Note Friday in the calendar",
  consequence: "It stands there until it is removed.",
  timeout_seconds: 300,
  default_decision: "accept",
  risk_level: "low",
  reversibility: "reversible",
};

async function askConsent(
  producer: Producer,
  session: ProducerSession,
  task: string,
  given: JsonObject,
): Promise<void> {
  const { policy } = producer;
  const isFinal = task === "irreversible";
  const risk = isFinal ? { risk_level: "high", irreversible: true } : { risk_level: "low" };
  const tool = isFinal ? "pay" : "note";
  if (!policy.asks(session)) {
    await call(producer, session, { tool, from: "thinking" }, isFinal ? { risk_level: "high" } : risk);
    return finish(producer, session, "Done: it is paid.");
  }
  const early = { tool, tool_call_id: "call_early" };
  const isEarly = isFinal && policy.early("announcing");
  if (isEarly) emit(producer, session, "tool.invoked", { ...summaries("Calling: soon."), ...early, ...risk });
  if (!policy.asksFirst) state(producer, session, "thinking", "awaiting_input");
  if (policy.early("asking")) void doEffect(producer, session, "pay");
  const asked = isFinal ? payment : note;
  const { question, answer } = await ask(producer, session, "confirmation", { ...asked, ...given });
  if (session.ended || !policy.goesOn(question, answer)) return;
  if (!policy.consents(question, answer)) {
    if (policy.defies && answer?.decision === "reject") await doEffect(producer, session, tool);
    if (policy.defiesAfter !== undefined && answer?.decision === "reject")
      producer.clock.after(policy.defiesAfter, () => recordEffect(producer, session, tool));
    if (isEarly)
      emit(producer, session, "tool.completed", {
        ...early,
        ...summaries("Not called: you said no."),
        status: "error",
      });
    state(producer, session, "awaiting_input", "thinking");
    return finish(producer, session, "Left it: nothing was done.");
  }
  if (policy.fails) {
    state(producer, session, "awaiting_input", "thinking");
    const payload = { error_category: "permanent", urgency: "critical" };
    return end(producer, session, "session.errored", {
      ...summaries("It cannot be done: the harbour office is closed."),
      ...payload,
    });
  }
  if (policy.early("invoking")) {
    recordEffect(producer, session, tool);
    await passTime(producer, 20);
  }
  const acts = policy.acts(answer);
  if (acts && isEarly) {
    await doEffect(producer, session, tool);
    if (session.ended) return;
    emit(producer, session, "tool.completed", { ...summaries("Called: it worked."), ...early, status: "success" });
  } else if (acts) await call(producer, session, { tool, from: "awaiting_input" }, risk);
  if (session.ended) return;
  finish(producer, session, acts ? "Done: as you wished." : "Not done: the harbour office is closed.");
}

async function askClarification(producer: Producer, session: ProducerSession, given: JsonObject): Promise<void> {
  state(producer, session, "thinking", "awaiting_input");
  const asked = ask(producer, session, "clarification", {
    ...summaries("Which day: Friday or Saturday?"),
    question: "Which day do you mean?",
    timeout_seconds: 300,
    accepted_response_kinds: ["multiple_choice"],
    choices: [
      { value: "friday", label: "Friday" },
      { value: "saturday", label: "Saturday" },
    ],
    ...given,
  });
  const { question, answer }: { question?: ProducerQuestion; answer: JsonObject | undefined } = producer.policy.waits
    ? await asked
    : { answer: undefined };
  if (session.ended || (question !== undefined && !producer.policy.goesOn(question, answer))) return;
  const response = answer?.response ?? given.default_response;
  await call(
    producer,
    session,
    { tool: "book", from: "awaiting_input" },
    { risk_level: "low", args_summary: `day: ${response ?? "none"}` },
  );
  if (session.ended) return;
  writeOutput(producer, session, [`Booked for ${response ?? "any day"}.`]);
  finish(producer, session, `Booked: ${response ?? "any day"}.`);
}

function hangTool(producer: Producer, session: ProducerSession): void {
  const id = idFor(producer, "call").replaceAll("_", "").replace("call", "call_");
  state(producer, session, "thinking", "calling_tool");
  const words = summaries("Asking the tide service: it may take a while.");
  emit(producer, session, "tool.invoked", { ...words, tool: "tides", tool_call_id: id, risk_level: "low" });
  producer.clock.after(toolPatience, () => {
    const given = { tool: "tides", tool_call_id: id, error_message: "The tide service did not answer." };
    if (producer.policy.closesTool)
      emit(producer, session, "tool.completed", { ...summaries("No answer: I go on."), ...given, status: "timeout" });
    state(producer, session, "calling_tool", "thinking");
    finish(producer, session, "Done: without the tides.");
  });
}

/** Announces a call, makes it, and reports its result, unless the session has ended by then. */
async function call(
  producer: Producer,
  session: ProducerSession,
  { tool, from }: { tool: string; from: string },
  more: JsonObject,
): Promise<void> {
  const id = idFor(producer, "call");
  state(producer, session, from, "calling_tool");
  emit(producer, session, "tool.invoked", { ...summaries(`Calling ${tool}: now.`), tool, tool_call_id: id, ...more });
  const isDone = producer.effects.some((effect) => effect.session_id === session.id && effect.tool === tool);
  const times = tool === "pay" ? producer.policy.repeats : 1;
  for (let time = 0; !isDone && time < times; time++) await doEffect(producer, session, tool);
  if (session.ended) return;
  emit(producer, session, "tool.completed", {
    ...summaries(`Called ${tool}: it worked.`),
    tool,
    tool_call_id: id,
    status: "success",
  });
  state(producer, session, "calling_tool", "thinking");
}

/** Carries out an action with an outside effect. A mere look-up happens at once. */
async function doEffect(producer: Producer, session: ProducerSession, tool: string): Promise<void> {
  const { takes } = producer.policy;
  if (takes > 0 && tool !== "look_up") await passTime(producer, takes);
  if (session.ended) return;
  recordEffect(producer, session, tool);
}

function passTime({ clock }: Producer, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve));
}

function recordEffect(producer: Producer, session: ProducerSession, tool: string): void {
  const at = new Date(producer.clock.now()).toISOString();
  producer.effects.push({ session_id: session.id, tool, at });
}

function writeOutput(producer: Producer, session: ProducerSession, chunks: readonly string[]): void {
  const output_id = idFor(producer, "out");
  state(producer, session, "thinking", "writing_output");
  let position = 0;
  for (const [index, chunk] of chunks.entries()) {
    const complete = index === chunks.length - 1;
    const hint = complete ? "completion" : "sentence";
    emit(producer, session, "output.streaming", { output_id, chunk, position, complete, coalesce_hint: hint });
    position += chunk.length;
  }
  state(producer, session, "writing_output", "thinking");
}

function reportProgress(producer: Producer, session: ProducerSession, percent: number): void {
  emit(producer, session, "progress.updated", {
    ...summaries("Half way: still looking."),
    urgency: "background",
    progress: { percent },
  });
}

export function state(producer: Producer, session: ProducerSession, from: string, to: string): void {
  emit(producer, session, "state.changed", {
    ...summaries(`Now ${to}: before ${from}.`),
    from_state: from,
    to_state: to,
  });
}

function finish(producer: Producer, session: ProducerSession, text: string): void {
  end(producer, session, "session.completed", summaries(text));
}

export function end(producer: Producer, session: ProducerSession, name: string, payload: JsonObject): void {
  session.ended = true;
  emit(producer, session, name, payload);
}
