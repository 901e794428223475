import type { JsonObject } from "../../../../../schemas/index.ts";
import { emit, makeSummaries } from "./emit.ts";
import { idFor, type Producer, type ProducerQuestion, type ProducerSession } from "./model.ts";
import { askQuestion } from "./questions.ts";

/** The kinds of tasks. The other members of the request become members of the question. */
export const tasks = ["plain", "irreversible", "reversible", "clarification", "hanging", "stream", "large"] as const;

/** Milliseconds after which a tool call is aborted. */
const toolTimeout = 1000;

/** Starts a session, which then runs by itself. */
export function startSession(producer: Producer, request: JsonObject): JsonObject {
  const { task = "plain", language, ...question } = request;
  const session: ProducerSession = {
    id: idFor(producer, "sess"),
    events: [],
    hasEnded: false,
    ...(typeof language === "string" ? { language } : {}),
  };
  producer.sessions.set(session.id, session);
  runTask(producer, session, String(task), question).catch(() => {
    if (!session.hasEnded)
      endSession(producer, session, "session.errored", {
        ...makeSummaries("It went wrong."),
        error_category: "unknown",
        urgency: "critical",
      });
  });
  return { session_id: session.id };
}

async function runTask(
  producer: Producer,
  session: ProducerSession,
  task: string,
  questionMembers: JsonObject,
): Promise<void> {
  emit(producer, session, "session.started", makeSummaries("Seeing to it: one moment."));
  changeState(producer, session, "idle", "thinking");
  if (task === "irreversible" || task === "reversible") return askConsent(producer, session, task, questionMembers);
  if (task === "clarification") return askClarification(producer, session, questionMembers);
  if (task === "hanging") return hangTool(producer, session);
  if (task === "plain") await callTool(producer, session, { tool: "look_up", from: "thinking" }, { risk_level: "low" });
  if (session.hasEnded) return;
  reportProgress(producer, session, 50);
  const chunks = Number(questionMembers.chunks ?? 24);
  writeOutput(producer, session, outputOf(task, chunks));
  finish(producer, session, "Done: a berth is free.");
}

function outputOf(task: string, chunks: number): readonly string[] {
  if (task === "large") return largeText;
  return task === "stream" ? Array(chunks).fill("A berth is free. ") : textParts;
}

const textParts = ["A berth is free ", "on Friday. ", "It is ten metres long."];
/** A text close to the maximum length of a chunk and to the maximum size of a message. */
const largeText = ["\u{1f6a2}".repeat(15_500)];

const paymentQuestion: JsonObject = {
  ...makeSummaries("Shall I pay: 120 euros?"),
  action: "Pay 120 euros to the harbour office",
  consequence: "The money is gone.",
  timeout_seconds: 300,
  default_decision: "reject",
  risk_level: "high",
  reversibility: "irreversible",
  irreversible: true,
};
const noteQuestion: JsonObject = {
  ...makeSummaries("Shall I note it: Friday?"),
  action: "Note Friday in the calendar",
  consequence: "The entry stays until it is removed.",
  timeout_seconds: 300,
  default_decision: "accept",
  risk_level: "low",
  reversibility: "reversible",
};

/** Asks the user for consent to an action, and then carries the action out or leaves it. */
async function askConsent(
  producer: Producer,
  session: ProducerSession,
  task: string,
  questionMembers: JsonObject,
): Promise<void> {
  const { policy } = producer;
  const isIrreversible = task === "irreversible";
  const risk = isIrreversible ? { risk_level: "high", irreversible: true } : { risk_level: "low" };
  const tool = isIrreversible ? "pay" : "note";
  if (!policy.asksForConsent(session)) {
    await callTool(producer, session, { tool, from: "thinking" }, isIrreversible ? { risk_level: "high" } : risk);
    return finish(producer, session, "Done: it is paid.");
  }
  const earlyCall = isIrreversible && policy.actsEarly("announcing") ? { tool, tool_call_id: "call_early" } : undefined;
  if (earlyCall !== undefined)
    emit(producer, session, "tool.invoked", { ...makeSummaries("Calling: soon."), ...earlyCall, ...risk });
  if (!policy.asksBeforeWaiting) changeState(producer, session, "thinking", "awaiting_input");
  if (policy.actsEarly("asking")) void doEffect(producer, session, "pay");
  const defaultQuestion = isIrreversible ? paymentQuestion : noteQuestion;
  const { question, answer } = await askQuestion(producer, session, "confirmation", {
    ...defaultQuestion,
    ...questionMembers,
  });
  if (session.hasEnded || !policy.continuesAfter(question, answer)) return;
  if (!policy.hasConsent(question, answer)) return leaveAction(producer, session, { tool, earlyCall, answer });
  if (policy.failsAcceptedAction) return failAction(producer, session);
  if (policy.actsEarly("invoking")) {
    recordEffect(producer, session, tool);
    await passTime(producer, 20);
  }
  const isCarriedOut = policy.carriesOut(answer);
  if (isCarriedOut && earlyCall !== undefined) {
    await doEffect(producer, session, tool);
    if (session.hasEnded) return;
    emit(producer, session, "tool.completed", {
      ...makeSummaries("Called: it worked."),
      ...earlyCall,
      status: "success",
    });
  } else if (isCarriedOut) await callTool(producer, session, { tool, from: "awaiting_input" }, risk);
  if (session.hasEnded) return;
  finish(producer, session, isCarriedOut ? "Done: as you wished." : "Not done: the harbour office is closed.");
}

/** Ends a session without its action. A broken producer carries out a rejected action anyway. */
async function leaveAction(
  producer: Producer,
  session: ProducerSession,
  { tool, earlyCall, answer }: { tool: string; earlyCall: JsonObject | undefined; answer: JsonObject | undefined },
): Promise<void> {
  const { policy } = producer;
  const isRejected = answer?.decision === "reject";
  if (isRejected && policy.actsDespiteRejection) await doEffect(producer, session, tool);
  if (isRejected && policy.rejectedActionDelay !== undefined)
    producer.clock.after(policy.rejectedActionDelay, () => recordEffect(producer, session, tool));
  if (earlyCall !== undefined)
    emit(producer, session, "tool.completed", {
      ...earlyCall,
      ...makeSummaries("Not called: you said no."),
      status: "error",
    });
  changeState(producer, session, "awaiting_input", "thinking");
  finish(producer, session, "Left it: nothing was done.");
}

/** Ends a session because its accepted action turns out to be impossible. */
function failAction(producer: Producer, session: ProducerSession): void {
  changeState(producer, session, "awaiting_input", "thinking");
  endSession(producer, session, "session.errored", {
    ...makeSummaries("It cannot be done: the harbour office is closed."),
    error_category: "permanent",
    urgency: "critical",
  });
}

async function askClarification(
  producer: Producer,
  session: ProducerSession,
  questionMembers: JsonObject,
): Promise<void> {
  changeState(producer, session, "thinking", "awaiting_input");
  const pendingAnswer = askQuestion(producer, session, "clarification", {
    ...makeSummaries("Which day: Friday or Saturday?"),
    question: "Which day do you mean?",
    timeout_seconds: 300,
    accepted_response_kinds: ["multiple_choice"],
    choices: [
      { value: "friday", label: "Friday" },
      { value: "saturday", label: "Saturday" },
    ],
    ...questionMembers,
  });
  const { question, answer }: { question?: ProducerQuestion; answer: JsonObject | undefined } = producer.policy
    .waitsForClarification
    ? await pendingAnswer
    : { answer: undefined };
  if (session.hasEnded || (question !== undefined && !producer.policy.continuesAfter(question, answer))) return;
  const response = answer?.response ?? questionMembers.default_response;
  await callTool(
    producer,
    session,
    { tool: "book", from: "awaiting_input" },
    { risk_level: "low", args_summary: `day: ${response ?? "none"}` },
  );
  if (session.hasEnded) return;
  writeOutput(producer, session, [`Booked for ${response ?? "any day"}.`]);
  finish(producer, session, `Booked: ${response ?? "any day"}.`);
}

function hangTool(producer: Producer, session: ProducerSession): void {
  const id = idFor(producer, "call").replaceAll("_", "").replace("call", "call_");
  changeState(producer, session, "thinking", "calling_tool");
  const callSummaries = makeSummaries("Asking the tide service: it may take a while.");
  emit(producer, session, "tool.invoked", { ...callSummaries, tool: "tides", tool_call_id: id, risk_level: "low" });
  producer.clock.after(toolTimeout, () => {
    const result = { tool: "tides", tool_call_id: id, error_message: "The tide service did not answer." };
    if (producer.policy.completesAbortedCall)
      emit(producer, session, "tool.completed", {
        ...makeSummaries("No answer: I go on."),
        ...result,
        status: "timeout",
      });
    changeState(producer, session, "calling_tool", "thinking");
    finish(producer, session, "Done: without the tides.");
  });
}

/** Announces a call, makes it, and reports its result, unless the session has ended by then. */
async function callTool(
  producer: Producer,
  session: ProducerSession,
  { tool, from }: { tool: string; from: string },
  members: JsonObject,
): Promise<void> {
  const id = idFor(producer, "call");
  changeState(producer, session, from, "calling_tool");
  emit(producer, session, "tool.invoked", {
    ...makeSummaries(`Calling ${tool}: now.`),
    tool,
    tool_call_id: id,
    ...members,
  });
  const isDone = producer.effects.some((effect) => effect.session_id === session.id && effect.tool === tool);
  const times = tool === "pay" ? producer.policy.effectsPerAcceptance : 1;
  for (let time = 0; !isDone && time < times; time++) await doEffect(producer, session, tool);
  if (session.hasEnded) return;
  emit(producer, session, "tool.completed", {
    ...makeSummaries(`Called ${tool}: it worked.`),
    tool,
    tool_call_id: id,
    status: "success",
  });
  changeState(producer, session, "calling_tool", "thinking");
}

/** Carries out an action, which needs time unless it is a look-up. */
async function doEffect(producer: Producer, session: ProducerSession, tool: string): Promise<void> {
  const { actionDuration } = producer.policy;
  if (actionDuration > 0 && tool !== "look_up") await passTime(producer, actionDuration);
  if (session.hasEnded) return;
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
  changeState(producer, session, "thinking", "writing_output");
  let position = 0;
  for (const [index, chunk] of chunks.entries()) {
    const complete = index === chunks.length - 1;
    const hint = complete ? "completion" : "sentence";
    emit(producer, session, "output.streaming", { output_id, chunk, position, complete, coalesce_hint: hint });
    position += chunk.length;
  }
  changeState(producer, session, "writing_output", "thinking");
}

function reportProgress(producer: Producer, session: ProducerSession, percent: number): void {
  emit(producer, session, "progress.updated", {
    ...makeSummaries("Half way: still looking."),
    urgency: "background",
    progress: { percent },
  });
}

export function changeState(producer: Producer, session: ProducerSession, from: string, to: string): void {
  emit(producer, session, "state.changed", {
    ...makeSummaries(`Now ${to}: before ${from}.`),
    from_state: from,
    to_state: to,
  });
}

function finish(producer: Producer, session: ProducerSession, text: string): void {
  endSession(producer, session, "session.completed", makeSummaries(text));
}

export function endSession(producer: Producer, session: ProducerSession, name: string, payload: JsonObject): void {
  session.hasEnded = true;
  emit(producer, session, name, payload);
}
