import { isObject, type Json, type JsonObject, type Refusal } from "../../../../../schemas/index.ts";
import { refusalSentence } from "../../../../packs/reference/service.ts";
import { networkOf } from "../../rules/address.ts";
import { digestOf, isSignature, signedBytes, signedOf, verify } from "../../rules/signature.ts";
import { judgeSteps } from "../service.ts";
import {
  type AgentFault,
  type MessageTransport,
  nowMs,
  type RefusalCause,
  type RunningAgent,
  stepsOf,
} from "./agent.ts";
import { type Course, carryOut, courseOf } from "./methods.ts";
import { answer, signMessage } from "./reply.ts";

/** The result of a received message, with its answers in order. */
export interface ReceivedMessage {
  fault?: AgentFault;
  isStream: boolean;
  answers: AsyncIterable<JsonObject>;
}

const streams: readonly string[] = ["message/stream", "tasks/resubscribe"];

/** Checks a message, and carries out its request. The answers have events only if the method streams on this transport. */
export function receive(
  agent: RunningAgent,
  { value: receivedValue, bytes }: { value: Json; bytes: Uint8Array },
  transport: MessageTransport,
): ReceivedMessage {
  const value = agent.policy.readMessage(receivedValue);
  const body = { value, bytes };
  const request: JsonObject = isObject(value) ? value : {};
  agent.policy.beforeChecks(request, agent);
  const key = agent.policy.messageKey(request, transport);
  const fault = findFault(agent, body, request, transport);
  const course = originalAnswer(agent, key, fault) ?? fault ?? carryOut(agent, request);
  if (!("cause" in course)) rememberOriginal(agent, key, course);
  const isStream = streams.includes(String(request.method)) && transport !== "nostr";
  return {
    ...("cause" in course ? { fault: course } : {}),
    isStream,
    answers: answerRequest(agent, request, { course, transport, isStream }),
  };
}

/** Returns the answer to a repeated message, if the agent answers it with the original task. */
function originalAnswer(agent: RunningAgent, key: string, fault: AgentFault | undefined): Course | undefined {
  const task = agent.tasks.get(agent.originals.get(key) ?? "");
  if (!agent.policy.returnsOriginal || fault?.cause !== "repeated-message" || task === undefined) return undefined;
  return { end: () => ({ ...courseOf(agent, task).end(), deduplicated: true }) };
}

function rememberOriginal(agent: RunningAgent, key: string, course: Course): void {
  if (!agent.policy.returnsOriginal) return;
  const end = course.end();
  const task = "task" in end ? end.task : undefined;
  if (isObject(task) && typeof task.id === "string") agent.originals.set(key, task.id);
}

async function* answerRequest(
  agent: RunningAgent,
  request: JsonObject,
  { course, transport, isStream }: { course: Course | AgentFault; transport: MessageTransport; isStream: boolean },
): AsyncGenerator<JsonObject> {
  const fault = "cause" in course ? course : undefined;
  const about = { agent, transport, request, fault };
  const messages = async function* (): AsyncGenerator<JsonObject> {
    if ("cause" in course) {
      yield answer(about, "response", { error: errorOf(agent, course) });
      return;
    }
    for await (const event of (isStream ? course.events : undefined) ?? []) yield answer(about, "event", event);
    const end = course.end();
    yield answer(about, "response", "cause" in end ? { error: errorOf(agent, end as AgentFault) } : end);
  };
  for await (const item of messages()) {
    for (const unedited of agent.policy.messagesToSend(item, about)) {
      const message = agent.policy.editMessage(unedited, about);
      if (message !== undefined) yield agent.policy.signs(message, (unsigned) => signMessage(agent, unsigned), about);
    }
  }
}

function errorOf({ policy }: RunningAgent, fault: AgentFault): JsonObject {
  const data = policy.data(fault);
  return { code: policy.code(fault.cause), message: fault.message, ...(data === undefined ? {} : { data }) };
}

/** Finds the first reason to refuse a message. Its id is remembered only after all checks have passed, unless the policy says otherwise. */
function findFault(
  agent: RunningAgent,
  { value, bytes }: { value: Json; bytes: Uint8Array },
  request: JsonObject,
  transport: MessageTransport,
): AgentFault | undefined {
  const { policy, protocol, judge, settings, slip } = agent;
  if (slip?.fixedAnswer === "accept") return undefined;
  if (slip?.fixedAnswer === "reject") return { cause: "malformed-envelope", message: "is refused by this variant" };
  if (bytes.length > policy.maxBytes) return { cause: "too-large", message: "The message is longer than 10 MB." };
  const objection = policy.refusalFor(request, agent, bytes);
  if (objection !== undefined) return objection;
  const isWithoutRecipient = settings.a2s === true && isObject(value) && !Object.hasOwn(value, "to");
  const addressedMessage = isWithoutRecipient ? { ...request, to: request.from as Json } : value;
  const timestamp = request.timestamp;
  const key = policy.messageKey(request, transport);
  const isKnown = (agent.memory.get(key) ?? Number.NEGATIVE_INFINITY) > nowMs(agent) - policy.idMemoryMs;
  if (policy.refusedConsumesId && !isKnown && typeof request.id === "string") agent.memory.set(key, nowMs(agent));
  const judgeByDecisions: typeof judge = (document, part, text) => {
    const { breaches, advice } = judge(document, part, text);
    return { breaches: breaches.filter((reason) => policy.respects(reason, value, transport)), advice };
  };
  const { refusal } = judgeSteps({ value: addressedMessage, bytes }, stepsOf(agent), {
    protocol,
    judge: judgeByDecisions,
  });
  const reasons = refusal?.reasons.filter(({ rule = "" }) => !(isWithoutRecipient && isSignatureRule(rule)));
  if (refusal !== undefined && reasons !== undefined && reasons.length > 0)
    return {
      cause: causeOf({ ...refusal, reasons }),
      message: refusalSentence({ ...refusal, reasons }),
      ...dataOf(refusal),
    };
  if (isWithoutRecipient && !hasValidSignature(request))
    return { cause: "wrong-signature", message: "The signature does not verify." };
  if (!policy.runsMethod(request.type)) return { cause: "not-a-request", message: "Only requests are accepted." };
  if (!policy.supportsVersion(request.version))
    return {
      cause: "unsupported-version",
      message: `Version ${request.version} is not supported.`,
      data: { requested: request.version ?? null, supported: ["0.1"] },
    };
  const seconds = Math.floor(nowMs(agent) / 1000);
  if (typeof timestamp !== "number" || !policy.isFresh(timestamp, seconds, request, transport))
    return {
      cause: "stale-timestamp",
      message: "The timestamp is too far from now.",
      data: { provided: timestamp ?? null, serverTime: seconds, maxDrift: 60 },
    };
  if (!isWithoutRecipient && !policy.isOwn(request.to, agent))
    return { cause: "other-recipient", message: "The message is for another agent." };
  const isSameNetwork = networkOf(String(request.from)) === networkOf(agent.identity);
  if (!isWithoutRecipient && !policy.acceptsOtherNetwork && !isSameNetwork)
    return { cause: "broken-identity", message: "The sender is on another network." };
  if (isKnown) return { cause: "repeated-message", message: "The message was accepted before." };
  agent.memory.set(key, nowMs(agent));
  policy.pruneMemory(agent.memory);
  return undefined;
}

/** Whether the signature of a message without a recipient verifies. It covers an empty recipient. */
function hasValidSignature(message: JsonObject): boolean {
  const signedMembers = signedOf(message);
  const { sig, from } = message;
  return (
    signedMembers !== undefined && isSignature(sig) && verify(sig, digestOf(signedBytes(signedMembers)), String(from))
  );
}

function isSignatureRule(rule: string): boolean {
  return /^SNAP-SIG-0(?:0[1-7]|14)$/.test(rule);
}

function dataOf({ reasons: [first] }: Refusal): { data?: JsonObject } {
  if (first === undefined) return {};
  return {
    data: {
      field: first.at ?? "",
      constraint: first.rule ?? first.site ?? "",
      expected: first.message ?? "",
      received: null,
    },
  };
}

function causeOf({ code, reasons }: Refusal): RefusalCause {
  if (code === 2005) return "broken-identity";
  if (code === 2002) return "missing-signature";
  if (code === 1004) return "malformed-payload";
  return reasons.every(({ rule = "", site }) => site === undefined && isSignatureRule(rule))
    ? "wrong-signature"
    : "malformed-envelope";
}
