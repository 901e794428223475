import {
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  missingNeeds,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { isRateLimited } from "../../../base/http/postponement.ts";
import { quote } from "../../../base/text/show.ts";
import { decodeAddress, hasForm, type Network, networkOf } from "../rules/address.ts";
import { keyA, keyB, keyC, type TestKey } from "../rules/keys.ts";
import { signedBy } from "../rules/messages.ts";
import { signCheaply } from "../rules/signature.ts";
import { boundOf } from "./bounds.ts";
import { storeExchange } from "./exchanges.ts";

/** The agent under test. The suite sends requests to it as the test key A, and as C if it needs a second requester. */
export interface Peer {
  identity: string;
  network: Network;
  /** The path of its HTTP interface for messages. */
  path: string;
  /** Its card at the well-known path, if it has one. */
  card?: JsonObject;
}

/** An answer and its content. */
export interface PartyAnswer {
  reply?: HttpReply;
  /** The address of the requester. */
  from?: string;
  /** A summary of the received answer. */
  brief: string;
  message?: JsonObject;
  task?: JsonObject;
  code?: number;
  error?: JsonObject;
  /** True for an error, and for an answer without a payload. */
  isRefused: boolean;
}

export const wellKnown = "/.well-known/snap-agent.json";

/** Part of every id, because no two runs may use the same id within minutes, even with the same seed. */
const runId = Date.now().toString(36);
// Numbers the messages of the process, so that all ids differ.
let messageCount = 0;

/** Finds the identity of the agent: in the options, in its card, or as the sender of its answer to any request. */
export async function peerOf(context: ScenarioContext): Promise<Peer> {
  const { options = {} } = context.setting;
  const path = typeof options.path === "string" ? options.path : "/snap";
  const served = await context.send({ method: "GET", path: wellKnown });
  const card = isObject(served.json) && isObject(served.json.card) ? served.json.card : undefined;
  const cardMember = card === undefined ? {} : { card };
  for (const identity of [options.identity, card?.identity])
    if (isAddress(identity)) return { identity, network: networkOf(identity), path, ...cardMember };
  const guess: Peer = { identity: keyB.address.main, network: "main", path };
  const { message } = await ask(context, guess, await request(context, guess, "tasks/get", { taskId: "touchstone" }));
  if (isAddress(message?.from))
    return { identity: message.from, network: networkOf(message.from), path, ...cardMember };
  throw new TargetSkip(
    "the recipient of messages is unknown: there is no card at its well-known path, and no option `identity`",
  );
}

function isAddress(value: Json | undefined): value is string {
  return hasForm(value) && "key" in decodeAddress(value);
}

/** Added or replaced members of a message; undefined removes a member. */
export type MemberChanges = Readonly<Record<string, Json | undefined>>;

/** Returns the configured text for which the agent opens a task of this kind. Throws a TargetSkip if there is none. */
export function textFor(context: ScenarioContext, name: "working" | "asking"): string {
  const text = context.setting.options?.[name];
  if (typeof text === "string") return text;
  const behaviour = { working: "works until it is cancelled", asking: "asks back" }[name];
  throw new TargetSkip(
    `needs the option \`${name}\`: a text on which the agent opens a task that ${behaviour}`,
    missingNeeds(`options.${name}`),
  );
}

/** Makes the payload of a message. By default, the agent answers it immediately. */
export function messageOf(context: ScenarioContext, text?: string): JsonObject {
  const { finishing } = context.setting.options ?? {};
  const messageText = text ?? (typeof finishing === "string" ? finishing : "Is the bridge open?");
  return { message: { messageId: freshId(context, "turn"), role: "user", parts: [{ text: messageText }] } };
}

export function freshId(context: ScenarioContext, prefix: string): string {
  messageCount += 1;
  return `${context.fresh(prefix)}-${runId}-${messageCount.toString(36)}`.slice(-128);
}

/** Returns the target's time in seconds. */
export async function nowInSeconds(context: ScenarioContext): Promise<number> {
  return Math.floor((await context.now()) / 1000);
}

/** Makes a valid request, which is signed and has the current time. */
export function request(
  context: ScenarioContext,
  peer: Peer,
  method: string,
  payload: JsonObject,
): Promise<JsonObject> {
  return requestWith(context, peer, { method, payload });
}

/** Makes a valid request of the party `by`. `more` adds, replaces or removes members before the request is signed. */
export async function requestWith(
  context: ScenarioContext,
  { identity, network }: Peer,
  {
    method,
    payload,
    more: changes = {},
    by = keyA,
  }: { method: string; payload: JsonObject; more?: MemberChanges | undefined; by?: TestKey },
): Promise<JsonObject> {
  const id = freshId(context, "msg");
  const head = { id, version: "0.1", from: by.address[network], to: identity, type: "request", method };
  const allMembers = { ...head, payload, timestamp: await nowInSeconds(context), ...changes };
  const presentMembers = Object.entries(allMembers).filter(([, value]) => value !== undefined);
  return signedBy(by, Object.fromEntries(presentMembers) as JsonObject, signCheaply);
}

/** The test key of a second requester. */
export const stranger: TestKey = keyC;

/** The maximum delay of a message: a message is valid for a minute. */
const maxDelayMs = 50_000;

/** Sends a message to the agent over HTTP, and repeats it whenever the agent asks to wait. Throws a TargetFailure if the agent never accepts it. */
export async function ask(
  context: ScenarioContext,
  { path }: Pick<Peer, "path">,
  message: Json | string,
  headers: Record<string, string> = {},
): Promise<PartyAnswer> {
  const allHeaders = { "content-type": "application/json", "snap-version": "0.1", ...headers };
  let waitedMs = 0;
  let reply: HttpReply;
  for (let attempt = 0; ; attempt++) {
    reply = await context.send({ method: "POST", path, body: message, headers: allHeaders, isHurried: true });
    const wait = await context.later(reply, attempt);
    if (wait === 0) break;
    waitedMs += wait;
  }
  const from = isObject(message) && typeof message.from === "string" ? { from: message.from } : {};
  const content = contentOf(reply.json);
  if (isObject(message) && content.message !== undefined && "payload" in content.message)
    storeExchange(context, { request: message, messages: [content.message] });
  throwIfHeldUp(isRateLimited(reply) ? 5002 : content.code, waitedMs);
  return {
    reply,
    ...from,
    ...content,
    brief: summaryOf(reply),
    ...(reply.status >= 400 ? { isRefused: true } : {}),
  };
}

/** Throws if a rate limit makes the answer useless: it still refuses, or the message became too old while it waited. */
export function throwIfHeldUp(code: number | undefined, waitedMs: number): void {
  if (code === 5002)
    throw new TargetFailure("errored", "answer", "it limits the rate so much that nothing can be tested");
  // The message was dated when it was made.
  if (code === 2004 && waitedMs > maxDelayMs)
    throw new TargetSkip("the agent limits the rate so much that a message is too old when it is finally accepted");
}

/** Reads the content of a message, or of an error without its envelope. */
export function contentOf(message: Json | undefined): Omit<PartyAnswer, "reply"> {
  const summary = message === undefined ? "nothing" : messageInShort(JSON.stringify(message));
  if (!isObject(message)) return { isRefused: true, brief: summary };
  const payload = isObject(message.payload) ? message.payload : "error" in message ? message : {};
  const error = isObject(payload.error) ? payload.error : undefined;
  const code = error?.code;
  return {
    message,
    brief: summary,
    isRefused: error !== undefined || Object.keys(payload).length === 0,
    ...(isObject(payload.task) ? { task: payload.task } : {}),
    ...(error === undefined ? {} : { error }),
    ...(typeof code === "number" ? { code } : {}),
  };
}

export function summaryOf({ status, text }: HttpReply): string {
  return `HTTP ${status}: ${messageInShort(text)}`;
}

const maxLength = 200;

/** Shortens a message to one line. For a long message, only the payload is shown. */
function messageInShort(text: string): string {
  const payload = text.length > maxLength ? payloadIn(text) : undefined;
  return payload === undefined ? quote(text, maxLength) : `a message with /payload ${quote(payload, maxLength)}`;
}

function payloadIn(text: string): string | undefined {
  try {
    const message = JSON.parse(text) as Json;
    return isObject(message) && message.payload !== undefined ? JSON.stringify(message.payload) : undefined;
  } catch {
    return undefined;
  }
}

/** Sends a message that any agent accepts, and returns the result. Throws a TargetFailure or TargetSkip if it is refused: then nothing can be tested. */
export async function sendAccepted(
  context: ScenarioContext,
  peer: Peer,
  { method, payload, by = keyA }: { method: string; payload: JsonObject; by?: TestKey },
): Promise<PartyAnswer & { task: JsonObject }> {
  const content = await ask(context, peer, await requestWith(context, peer, { method, payload, by }));
  return requireTask(content, method);
}

export function requireTask(content: PartyAnswer, method: string): PartyAnswer & { task: JsonObject } {
  // A task beside an error is discouraged, but still a task.
  const isAccepted = !content.isRefused || (content.error !== undefined && (content.reply?.status ?? 200) < 400);
  if (content.task !== undefined && isAccepted) return content as PartyAnswer & { task: JsonObject };
  if (content.code === 1007) throw new TargetSkip(`the agent does not offer ${method}`);
  if (content.code === 1001) throw new TargetSkip("the agent does not keep the task, which is optional");
  if (content.code === 2003)
    throw new TargetSkip(
      `it does not accept messages from ${content.from ?? "the sender"}: put the test keys A and C on its list`,
    );
  if (content.code === 2004) throw new TargetSkip("its clock and the suite's are more than a minute apart");
  throw new TargetFailure("errored", "answer", `a needed ${method} is not accepted: ${content.brief}`);
}

export function stateOf(task: JsonObject | undefined): string {
  const status = task?.status;
  return isObject(status) && typeof status.state === "string" ? status.state : "unknown";
}

const restingStates: readonly string[] = ["completed", "failed", "canceled", "input_required"];

/**
 * Reads a task until it is at rest, or the bound `rest` is over by the agent's clock. With the hook `clock`, a fifth of that
 * passes in real time as well, since the work may follow the wall clock.
 */
export async function waitUntilAtRest(context: ScenarioContext, peer: Peer, task: JsonObject): Promise<JsonObject> {
  let latestTask = task;
  for (
    let attempt = 0;
    attempt * 500 < boundOf(context, "rest") && !restingStates.includes(stateOf(latestTask));
    attempt++
  ) {
    await context.pass(500);
    if (context.has("clock")) await context.wait(100);
    latestTask = (
      await sendAccepted(context, peer, {
        method: "tasks/get",
        payload: { taskId: latestTask.id as Json, historyLength: 0 },
      })
    ).task;
  }
  return latestTask;
}

/** Replaces the signature of a message with an invalid one. */
export function breakSeal(message: JsonObject): JsonObject {
  return { ...message, sig: "0".repeat(128) };
}

/** Returns the number of methods that the agent has carried out. Undefined without the hook `handled`. */
export async function countHandled(context: ScenarioContext): Promise<number | undefined> {
  if (!context.has("handled")) return undefined;
  const { count } = await context.hook("handled", {});
  if (typeof count === "number") return count;
  throw new TargetFailure("errored", "hook", 'the hook "handled" does not say how often as {"count": NUMBER}');
}

/** Judges an instance of a document by rules, with one verdict for each rule. */
export async function judgeInstances(
  context: ScenarioContext,
  document: string,
  { instance, rules, what: description }: { instance: Json; rules: readonly string[]; what: string },
): Promise<void> {
  const violations = await context.violations(document, instance);
  for (const rule of rules) {
    const ruleViolations = violations.filter(
      (violation) => violation.rule === rule && violation.level !== "NOTE" && violation.level !== "MAY",
    );
    const mostSevere = ruleViolations.find(({ level }) => level === "MUST") ?? ruleViolations[0];
    if (mostSevere === undefined) context.expect(rule, true, "");
    else context.expect(rule, false, `${description}${mostSevere.at} ${mostSevere.why}`, mostSevere.level);
  }
}
