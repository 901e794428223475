import {
  type Evidence,
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { hintForRefusal } from "../../../base/http/refusal-hint.ts";
import { quote } from "../../../base/text/show.ts";
import { boundOf } from "./bounds.ts";
import { readUntilExpired } from "./deadline.ts";
import {
  type CallerName,
  forgetEnded,
  fullInboxError,
  isInboxFull,
  makeRoom,
  messagesLeftOpen,
  type OpenMessage,
  rememberOpen,
} from "./inbox-room.ts";
import { ask, tester } from "./messages.ts";
import { publishedInboxDepth, skipIfTooLarge } from "./published.ts";

export interface Submitted {
  id: string;
  reply: HttpReply;
}

/** Posts a message. Throws a TargetSkip if the message is refused and exceeds a published limit. */
export async function post(
  context: ScenarioContext,
  message: Json | string,
  as: CallerName = "a",
  headers = {},
): Promise<HttpReply> {
  const reply = await postLarge(context, message, as, headers);
  await skipIfTooLarge(context, typeof message === "string" ? message : JSON.stringify(message), reply);
  return reply;
}

/**
 * Posts a message of any size, and makes room in a full inbox if necessary. If the reply is still 429 after all waiting, throws a
 * TargetFailure, or a TargetSkip if the inbox is too small for the scenario.
 */
export async function postLarge(
  context: ScenarioContext,
  message: Json | string,
  as: CallerName = "a",
  headers = {},
): Promise<HttpReply> {
  const request = { method: "POST", path: "/v1/messages", body: message, as, headers };
  let reply = await context.send({ ...request, isHurried: true });
  let endedCount = 0;
  if (reply.status === 429) {
    endedCount = await makeRoom(context, endMessage, isOpen);
    reply = await context.send({ ...request, isHurried: true });
    const isFull = reply.status === 429 && (await isInboxFull(context, request));
    if (isFull) await skipIfInboxTooSmall(context);
    if (isFull) throw fullInboxError(context);
    if (reply.status === 429) reply = await context.send(request);
  }
  const id = idOf(reply);
  if (isAccepted(reply) && id !== undefined) rememberOpen(context, message, { id, as });
  if (reply.status !== 429 || reply.headers["retry-after"] === undefined) return reply;
  await skipIfInboxTooSmall(context);
  const whyLimited = "the hub still answers 429 after the time in its Retry-After";
  const roomText = endedCount === 0 ? "" : `, although ${endedCount} messages of earlier scenarios were ended`;
  throw new TargetFailure(
    "errored",
    "submit",
    `${whyLimited}${roomText}: raise its rate_limit or inbox_depth for the test`,
  );
}

/** Tries to end the messages that earlier scenarios have left open. */
export async function endLeftovers(context: ScenarioContext): Promise<void> {
  await makeRoom(context, endMessage, isOpen);
}

/** Throws a TargetSkip if the scenario's own messages fill the published inbox. */
async function skipIfInboxTooSmall(context: ScenarioContext): Promise<void> {
  const depth = await publishedInboxDepth(context);
  const areOpen = await Promise.all(messagesLeftOpen(context).map((openMessage) => isOpen(context, openMessage)));
  if (depth <= areOpen.filter((isStillOpen) => isStillOpen).length)
    throw new TargetSkip(`it accepts more open messages than the ${depth} that the hub publishes as its inbox_depth`);
}

/** Whether a message may count as open. A hub may still count a message that was deleted while open. */
async function isOpen(context: ScenarioContext, { id, as }: OpenMessage): Promise<boolean> {
  const { status, json } = await read(context, id, as);
  return status === 410 || (isObject(json) && json.status === "open");
}

/** Tries to end a message that the scenarios do not need any longer. Returns whether it has ended. */
async function endMessage(context: ScenarioContext, { id, as, type }: OpenMessage): Promise<boolean> {
  if (type === "ask") return isAccepted(await cancel(context, id, as));
  if (!context.has("resolve")) return false;
  for (const actor of [tester, `agent:${context.agents.a}`]) {
    const answer = await attempt(context, id, { resolution: "completed", actor }).catch(() => undefined);
    if (answer?.applied === true) return true;
  }
  return false;
}

/** Submits a message that every hub must accept. Throws a TargetFailure if it is refused. */
export async function submit(context: ScenarioContext, message: JsonObject, as: CallerName = "a"): Promise<Submitted> {
  const reply = await post(context, message, as);
  const id = idOf(reply);
  if (isAccepted(reply) && id !== undefined) return { id, reply };
  const problem = isAccepted(reply) ? "acknowledged without an id" : "not accepted";
  throw new TargetFailure("errored", "submit", `a message that the scenario needs is ${problem}: ${inShort(reply)}`);
}

export function isAccepted({ status }: HttpReply): boolean {
  return status >= 200 && status < 300;
}

export function idOf({ json }: HttpReply): string | undefined {
  return isObject(json) && typeof json.id === "string" && json.id !== "" ? json.id : undefined;
}

/** The code of a refusal, even if it is in the wrong place, which AHCP-ERR-001 reports. */
export function codeOf({ json }: HttpReply): string | undefined {
  if (!isObject(json)) return undefined;
  const { error } = json;
  const code = isObject(error) ? error.code : (error ?? json.code);
  return typeof code === "string" ? code : undefined;
}

export function isRefused(reply: HttpReply, status: number, code: string): boolean {
  return reply.status === status && codeOf(reply) === code;
}

export function isClientError({ status }: HttpReply): boolean {
  return status >= 400 && status < 500;
}

/** Describes a reply briefly. For a long server error, the end is shown too, because it often contains the cause. */
export function inShort({ status, text }: HttpReply): string {
  return `HTTP ${status}: ${quote(text)}${status >= 500 && text.length > 200 ? ` … ${quote(text.slice(-200))}` : ""}`;
}

export function pathOf(id: string): string {
  return `/v1/messages/${encodeURIComponent(id)}`;
}

export async function read(
  context: ScenarioContext,
  id: string,
  as: CallerName = "a",
  { query = "", waitMs = 0 }: { query?: string; waitMs?: number } = {},
): Promise<HttpReply> {
  const reply = await context.send({ method: "GET", path: `${pathOf(id)}${query}`, as, waitMs });
  const { status, json } = reply;
  if (status === 200 && isObject(json) && typeof json.status === "string" && json.status !== "open")
    forgetEnded(context, id);
  return reply;
}

/** The replies in which messages were read. */
const replyOfMessage = new WeakMap<JsonObject, HttpReply>();

/** The reply from which `readStored` has read this message. */
export function readAs(message: JsonObject): HttpReply | undefined {
  return replyOfMessage.get(message);
}

/** Reads a message, by default as agent `a`. Throws a TargetFailure if it cannot be read. */
export async function readStored(context: ScenarioContext, id: string, as: CallerName = "a"): Promise<JsonObject> {
  const reply = await read(context, id, as);
  if (reply.status === 200 && isObject(reply.json)) {
    replyOfMessage.set(reply.json, reply);
    return reply.json;
  }
  const problem = reply.status === 200 ? "is read, but is not an object" : "cannot be read";
  throw new TargetFailure("errored", "read", `an accepted message ${problem}: ${inShort(reply)}`);
}

export async function statusOf(context: ScenarioContext, id: string, as: CallerName = "a"): Promise<Json | undefined> {
  return (await readStored(context, id, as)).status;
}

/** Cancels a message. Sends an empty object first, because most servers expect JSON; if that is refused, an empty body. */
export async function cancel(
  context: ScenarioContext,
  id: string,
  as: CallerName = "a",
  headers = {},
): Promise<HttpReply> {
  const request = { method: "POST", path: `${pathOf(id)}/cancel`, as, headers };
  const firstReply = await context.send({ ...request, body: {} });
  const reply = [400, 411, 415].includes(firstReply.status) ? await context.send(request) : firstReply;
  if (isAccepted(reply)) forgetEnded(context, id);
  return reply;
}

/** Runs a step for one rule. If it throws a TargetSkip, the rule is skipped and the scenario continues. */
export async function stepTowards(context: ScenarioContext, rule: string, step: () => Promise<void>): Promise<void> {
  await step().catch((error: unknown) => {
    if (!(error instanceof TargetSkip)) throw error;
    context.skip(rule, error.message);
  });
}

/** The reply; undefined if the server closes the connection instead, because it stops reading the request. */
export async function unlessClosed(reply: Promise<HttpReply>): Promise<HttpReply | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof TargetFailure && error.outcome === "errored" && error.stage !== "submit") return undefined;
    throw error;
  }
}

/** What the hook `resolve` returned. */
export interface ResolverAnswer {
  applied: boolean;
  status?: Json;
  code?: Json;
  message?: Json;
  /** The evidence for `applied`: the result of the hook or, if it does not say, a later read. */
  shown: Evidence;
}

/** Resolves a message with the hook. Throws a TargetFailure if the hook cannot resolve any message: then a refusal does not prove anything. */
export async function resolve(context: ScenarioContext, id: string, ending: JsonObject): Promise<ResolverAnswer> {
  await checkResolver(context);
  return attempt(context, id, ending);
}

async function attempt(context: ScenarioContext, id: string, ending: JsonObject): Promise<ResolverAnswer> {
  const answer = await context.hook("resolve", { id, actor: tester, ...ending });
  if (typeof answer.applied !== "boolean")
    throw new TargetFailure(
      "errored",
      "hook",
      'the hook "resolve" does not return {"applied": true} or {"applied": false}',
    );
  const hookResult = { ...answer, applied: answer.applied, shown: { returned: answer } };
  const result = (answer.isSupposed === true ? await readBack(context, id, ending) : undefined) ?? hookResult;
  if (result.applied) forgetEnded(context, id);
  return result;
}

/** Reads the message to find out whether the resolution was applied. A status 2xx alone does not prove it. */
async function readBack(context: ScenarioContext, id: string, ending: JsonObject): Promise<ResolverAnswer | undefined> {
  const readers: CallerName[] = context.agents.b === undefined ? ["a"] : ["a", "b"];
  for (const as of readers) {
    const readReply = await read(context, id, as);
    const { status, json } = readReply;
    if (status !== 200 || !isObject(json)) continue;
    return {
      applied: [json.status, outcomeOf(json).envelope.resolution].includes(ending.resolution),
      shown: readReply,
    };
  }
  return undefined;
}

export const redAnswer: JsonObject = { resolution: "answered", value: "red" };

/** For each setting, the check of the hook `resolve`. It is made only once in a run. */
const resolverChecks = new WeakMap<Setting, Promise<void>>();

function checkResolver(context: ScenarioContext): Promise<void> {
  const { setting } = context;
  const knownCheck = resolverChecks.get(setting);
  if (knownCheck !== undefined) return knownCheck;
  const check = checkWithAsks(context);
  resolverChecks.set(setting, check);
  // Do not remember failures that have a different cause than the hook.
  check.catch(({ stage }: Partial<TargetFailure>) => stage === "hook" || resolverChecks.delete(setting));
  return check;
}

/** Resolves asks that can be answered at every hub with the hook, until one of them has ended. Throws a TargetFailure if none has. */
async function checkWithAsks(context: ScenarioContext): Promise<void> {
  const confirm = { mode: "confirm", options: undefined as never };
  const approve = { resolution: "answered", value: "approve" };
  const ownActor = `agent:${context.agents.a}`;
  const controlCases: [request: JsonObject, ending: JsonObject][] = [
    [{}, redAnswer],
    [confirm, approve],
    [{ allowed_resolvers: undefined as never }, { ...redAnswer, actor: ownActor }],
  ];
  let why = "";
  for (const [request, ending] of controlCases) {
    const { id } = await submit(context, ask(context, {}, request));
    const answer = await attempt(context, id, ending);
    const { status, response } = answer.applied ? await readStored(context, id) : { status: "open" };
    // An open ask with a Response is a mistake of the hub, not of the hook.
    if (status !== "open" || response !== undefined) return;
    if (why === "") why = likelyMistake(answer);
  }
  throw new TargetFailure("errored", "hook", `the hook "resolve" did not resolve any ask: ${why}`);
}

/** Guesses why a hook did not resolve an ask. */
function likelyMistake({ applied, status, code = "", message = "" }: ResolverAnswer): string {
  if (applied) return "it reports success, but the ask is still open; check that it is the same server";
  if (status === undefined) return "after it the ask is still open; check its URL and body";
  const answerText = `it answered ${[status, code].filter((each) => each !== "").join(" ")}`;
  if (status === 404 || status === 405) return `${answerText}; check its URL`;
  const otherReason = hintForRefusal(`${code} ${message}`);
  if ((status === 401 || status === 403) && otherReason !== undefined) return `${answerText}; ${otherReason}`;
  if (status === 401 || status === 403)
    return `${answerText}; check its credentials, and that its body names the actor in the way that the server expects`;
  return `${answerText}; check its body`;
}

/** Resolves a message in a way that must be allowed. Throws a TargetFailure if it is refused. */
export async function resolveMessage(
  context: ScenarioContext,
  id: string,
  ending: JsonObject = redAnswer,
): Promise<void> {
  const { applied, status = "", code = "" } = await resolve(context, id, ending);
  if (applied) return;
  const resolution = `${ending.resolution ?? ""}`;
  throw new TargetFailure(
    "errored",
    "hook",
    `the resolution "${resolution}", which the scenario needs, is refused: ${status} ${code}`,
  );
}

/** The Response of an ended message, and its inner `response` with the resolver's content. */
export function outcomeOf(message: JsonObject): { envelope: JsonObject; inner: JsonObject } {
  const envelope = isObject(message.response) ? message.response : {};
  return { envelope, inner: isObject(envelope.response) ? envelope.response : {} };
}

/** The members that identify an outcome. Other rules test its times. */
export function essence(message: JsonObject): JsonObject {
  const { envelope, inner } = outcomeOf(message);
  const { status = null } = message;
  const { resolution_id: id = null, resolution = null } = envelope;
  return { status, id, resolution, value: inner.value ?? null, actor: inner.actor ?? null };
}

/** Reads a message until it has expired: see `readUntilExpired`. */
export function afterDeadline(
  context: ScenarioContext,
  id: string,
  realMs: number = boundOf(context, "expiry"),
): Promise<JsonObject> {
  return readUntilExpired(context, () => readStored(context, id), realMs);
}
