import type { Json, JsonObject, ScenarioContext, Violation } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { findEnvelopeFault } from "../envelope.ts";
import type { DeliveryAnswer } from "./delivery.ts";
import type { AgentModel, WalkMessage } from "./model.ts";

const streamRules = ["SNAP-STREAM-001", "SNAP-STREAM-002", "SNAP-STREAM-006"];
const plainAnswerRules = ["SNAP-STREAM-003"];
const receiptRules = ["SNAP-RCPT-003", "SNAP-RCPT-004"];
const signatureRules = ["SNAP-SIG-001", "SNAP-SIG-002", "SNAP-SIG-004", "SNAP-SIG-005"];
const taskRules = [
  "SNAP-TASK-001",
  "SNAP-TASK-002",
  "SNAP-TASK-004",
  "SNAP-TASK-005",
  "SNAP-TASK-007",
  "SNAP-TASK-008",
  "SNAP-TASK-009",
  "SNAP-CTX-002",
  "SNAP-CTX-005",
];

/** The rules for every answer in a walk. */
export const ofAnswers: readonly string[] = [
  "SNAP-SIG-012",
  ...signatureRules,
  ...receiptRules,
  ...plainAnswerRules,
  ...streamRules,
  ...taskRules,
];

function requireNoViolation(
  violations: readonly Violation[],
  rules: readonly string[],
  subject: string,
  must: Must,
): void {
  for (const rule of rules) {
    const first = violations.find((violation) => violation.rule === rule && violation.level === "MUST");
    must(rule, first === undefined, `${subject}: ${first?.at} ${first?.why}`);
  }
}

/** Checks that an answer is a complete, signed message to the requester, and that a stream is in order. */
export async function judgeAnswer(
  context: ScenarioContext,
  { message: request, fault, original }: WalkMessage,
  { messages, end, answer }: DeliveryAnswer,
  must: Must,
): Promise<void> {
  const subject = `the answer to ${request.method}`;
  for (const message of messages) {
    // Other rules judge an answer that is not a message.
    if (!("payload" in message)) return;
    const formFault = await findEnvelopeFault(context, message);
    must("SNAP-RCPT-003", formFault === undefined, `${subject} is not a message: ${formFault}: ${answer.brief}`);
    must("SNAP-SIG-012", message.sig !== undefined, `${subject} is not signed: ${answer.brief}`);
    if (message.sig !== undefined)
      requireNoViolation(await context.violations("envelope", message), signatureRules, subject, must);
  }
  const isStream = request.method === "message/stream";
  // An agent that is not the recipient answers in its own name, and a repeated message may get the original answer.
  const isUsual = fault !== "misaddressed" && original === undefined && end === "whole";
  if (!isUsual || (isStream && messages.length < 2 && answer.isRefused)) return;
  const violations = await context.violations("exchange", { request, answers: messages });
  requireNoViolation(violations, isStream ? streamRules : [...receiptRules, ...plainAnswerRules], subject, must);
}

/** Records an exchange, unless the agent does not offer the method. */
export function recordExchange(
  { exchanges }: AgentModel,
  { message }: WalkMessage,
  { messages, answer: partyAnswer }: DeliveryAnswer,
): void {
  const payload = messages.at(-1)?.payload;
  const answer = (payload ?? {}) as JsonObject;
  const { from = null, method = null, payload: request = {} } = message;
  if (partyAnswer.code !== 1007) exchanges.push({ from, method, payload: request as Json, answer });
}

/** Judges the sequence of states of every task. */
export async function judgeTasks(context: ScenarioContext, { exchanges }: AgentModel, must: Must): Promise<void> {
  if (exchanges.length > 0)
    requireNoViolation(await context.violations("task-log", { exchanges }), taskRules, "over the whole walk", must);
}
