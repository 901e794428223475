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
  type As,
  forgetEnded,
  fullOfOthers,
  isInboxFull,
  makeRoom,
  messagesLeftOpen,
  type OpenMessage,
  rememberOpen,
} from "./inbox-room.ts";
import { ask, tester } from "./messages.ts";
import { depthOf, skipIfTooLarge } from "./published.ts";

export interface Submitted {
  id: string;
  reply: HttpReply;
}

/** Posts a message. Throws a TargetSkip if it is refused and exceeds the published limits, and a TargetFailure if it exceeds the number of open messages. */
export async function post(
  context: ScenarioContext,
  message: Json | string,
  as: As = "a",
  headers = {},
): Promise<HttpReply> {
  const reply = await postLarge(context, message, as, headers);
  await skipIfTooLarge(context, typeof message === "string" ? message : JSON.stringify(message), reply);
  return reply;
}

/** Posts a message of any size. If it is still refused for its rate after all waiting, nothing is shown: throws a TargetFailure, or a TargetSkip if the inbox is too small. */
export async function postLarge(
  context: ScenarioContext,
  message: Json | string,
  as: As = "a",
  headers = {},
): Promise<HttpReply> {
  const request = { method: "POST", path: "/v1/messages", body: message, as, headers };
  let reply = await context.send({ ...request, isHurried: true });
  let endedCount = 0;
  if (reply.status === 429) {
    endedCount = await makeRoom(context, endOne, isOpen);
    reply = await context.send({ ...request, isHurried: true });
    const isFull = reply.status === 429 && (await isInboxFull(context, request));
    if (isFull) await mustNotNeedMore(context);
    if (isFull) throw fullOfOthers(context);
    if (reply.status === 429) reply = await context.send(request);
  }
  const id = idOf(reply);
  if (isAccepted(reply) && id !== undefined) rememberOpen(context, message, { id, as });
  if (reply.status !== 429 || reply.headers["retry-after"] === undefined) return reply;
  await mustNotNeedMore(context);
  const whyLimited = "the hub still limits requests (429) after all the time that it asks for";
  const roomText = endedCount === 0 ? "" : `, and after ${endedCount} messages that were left open were ended`;
  throw new TargetFailure(
    "errored",
    "submit",
    `${whyLimited}${roomText}: raise its rate_limit or inbox_depth for the test`,
  );
}

/** Ends messages that other scenarios have left open and no longer need, if possible. */
export async function endLeftovers(context: ScenarioContext): Promise<void> {
  await makeRoom(context, endOne, isOpen);
}

/** Throws a TargetSkip if the hub's limit of open messages is reached and none of them can be ended. */
async function mustNotNeedMore(context: ScenarioContext): Promise<void> {
  const depth = await depthOf(context);
  const areOpen = await Promise.all(messagesLeftOpen(context).map((openMessage) => isOpen(context, openMessage)));
  if (depth <= areOpen.filter((isStillOpen) => isStillOpen).length)
    throw new TargetSkip(`it accepts more open messages than the ${depth} that the hub publishes as its inbox_depth`);
}

/** Whether a message uses room. A message that was deleted while open may use it forever. */
async function isOpen(context: ScenarioContext, { id, as }: OpenMessage): Promise<boolean> {
  const { status, json } = await read(context, id, as);
  return status === 410 || (isObject(json) && json.status === "open");
}

/** Ends a message that is no longer needed, if possible, and returns whether it has ended. */
async function endOne(context: ScenarioContext, { id, as, type }: OpenMessage): Promise<boolean> {
  if (type === "ask") return isAccepted(await cancel(context, id, as));
  if (!context.has("resolve")) return false;
  for (const actor of [tester, `agent:${context.agents.a}`]) {
    const answer = await attempt(context, id, { resolution: "completed", actor }).catch(() => undefined);
    if (answer?.applied === true) return true;
  }
  return false;
}

/** Submits a message that any hub accepts. Throws a TargetFailure if it does not: nothing can be shown then. */
export async function submit(context: ScenarioContext, message: JsonObject, as: As = "a"): Promise<Submitted> {
  const reply = await post(context, message, as);
  const id = idOf(reply);
  if (isAccepted(reply) && id !== undefined) return { id, reply };
  const problem = isAccepted(reply) ? "acknowledged without an id" : "not taken";
  throw new TargetFailure("errored", "submit", `a needed message is ${problem}: ${inShort(reply)}`);
}

export function isAccepted({ status }: HttpReply): boolean {
  return status >= 200 && status < 300;
}

export function idOf({ json }: HttpReply): string | undefined {
  return isObject(json) && typeof json.id === "string" && json.id !== "" ? json.id : undefined;
}

/** The code of a refusal, wherever it is: AHCP-ERR-001 judges the form around it. */
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

/** For a long failure text, the end is shown too, since it contains the cause. */
export function inShort({ status, text }: HttpReply): string {
  return `HTTP ${status}: ${quote(text)}${status >= 500 && text.length > 200 ? ` … ${quote(text.slice(-200))}` : ""}`;
}

export function pathOf(id: string): string {
  return `/v1/messages/${encodeURIComponent(id)}`;
}

export async function read(
  context: ScenarioContext,
  id: string,
  as: As = "a",
  { query = "", waitMs = 0 }: { query?: string; waitMs?: number } = {},
): Promise<HttpReply> {
  const reply = await context.send({ method: "GET", path: `${pathOf(id)}${query}`, as, waitMs });
  const { status, json } = reply;
  if (status === 200 && isObject(json) && typeof json.status === "string" && json.status !== "open")
    forgetEnded(context, id);
  return reply;
}

/** The answers from which messages were read. */
const readIn = new WeakMap<JsonObject, HttpReply>();

/** The answer from which `readStored` has read a message. */
export function readAs(message: JsonObject): HttpReply | undefined {
  return readIn.get(message);
}

/** Reads a message as its submitter. Throws a TargetFailure if it cannot be read. */
export async function readStored(context: ScenarioContext, id: string, as: As = "a"): Promise<JsonObject> {
  const reply = await read(context, id, as);
  if (reply.status === 200 && isObject(reply.json)) {
    readIn.set(reply.json, reply);
    return reply.json;
  }
  const problem = reply.status === 200 ? "is not read as an object" : "cannot be read";
  throw new TargetFailure("errored", "read", `an accepted message ${problem}: ${inShort(reply)}`);
}

export async function statusOf(context: ScenarioContext, id: string, as: As = "a"): Promise<Json | undefined> {
  return (await readStored(context, id, as)).status;
}

/** Most servers expect an empty object with a POST; some accept only an empty body. */
export async function cancel(context: ScenarioContext, id: string, as: As = "a", headers = {}): Promise<HttpReply> {
  const request = { method: "POST", path: `${pathOf(id)}/cancel`, as, headers };
  const first = await context.send({ ...request, body: {} });
  const reply = [400, 411, 415].includes(first.status) ? await context.send(request) : first;
  if (isAccepted(reply)) forgetEnded(context, id);
  return reply;
}

/** Does a step for one rule: if it fails, the rule is skipped and the scenario continues. */
export async function stepTowards(context: ScenarioContext, rule: string, step: () => Promise<void>): Promise<void> {
  await step().catch((error: unknown) => {
    if (!(error instanceof TargetSkip)) throw error;
    context.skip(rule, error.message);
  });
}

/** The answer; undefined if the connection is closed instead, as by servers that stop reading. */
export async function unlessClosed(reply: Promise<HttpReply>): Promise<HttpReply | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof TargetFailure && error.outcome === "errored" && error.stage !== "submit") return undefined;
    throw error;
  }
}

/** The answer to the resolver. */
export interface ResolverAnswer {
  applied: boolean;
  status?: Json;
  code?: Json;
  message?: Json;
  /** The evidence whether it was applied: the result of the hook or, if that does not say, a later read. */
  shown: Evidence;
}

/** Lets a resolver end a message. Throws a TargetFailure if the hook has never ended one: the refusal is then the hook's own fault. */
export async function resolve(context: ScenarioContext, id: string, ending: JsonObject): Promise<ResolverAnswer> {
  await checkResolver(context);
  return attempt(context, id, ending);
}

async function attempt(context: ScenarioContext, id: string, ending: JsonObject): Promise<ResolverAnswer> {
  const answer = await context.hook("resolve", { id, actor: tester, ...ending });
  if (typeof answer.applied !== "boolean")
    throw new TargetFailure("errored", "hook", 'the hook "resolve" does not say whether it was {"applied": true}');
  const hookResult = { ...answer, applied: answer.applied, shown: { returned: answer } };
  const answered = (answer.isSupposed === true ? await readBack(context, id, ending) : undefined) ?? hookResult;
  if (answered.applied) forgetEnded(context, id);
  return answered;
}

/** Whether a later read shows this outcome: a status 2xx alone does not prove that a resolution took effect. */
async function readBack(context: ScenarioContext, id: string, ending: JsonObject): Promise<ResolverAnswer | undefined> {
  const readers: As[] = context.agents.b === undefined ? ["a"] : ["a", "b"];
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

/** One control of the hook `resolve` for each setting, and so for each run. */
const controls = new WeakMap<Setting, Promise<void>>();

function checkResolver(context: ScenarioContext): Promise<void> {
  const { setting } = context;
  const known = controls.get(setting);
  if (known !== undefined) return known;
  const control = controlHook(context);
  controls.set(setting, control);
  // A failure for another reason shows nothing about the hook.
  control.catch(({ stage }: Partial<TargetFailure>) => stage === "hook" || controls.delete(setting));
  return control;
}

/** Lets the hook answer asks that can be answered at any hub, one after the other, until one has ended. */
async function controlHook(context: ScenarioContext): Promise<void> {
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
    // If an open ask has a Response, the hub contradicts itself, and the hook is not to blame.
    if (status !== "open" || response !== undefined) return;
    if (why === "") why = faultOf(answer);
  }
  throw new TargetFailure("errored", "hook", `the hook "resolve" has ended none of the asks that it should: ${why}`);
}

/** The likely mistake in a hook that ends nothing. */
function faultOf({ applied, status, code = "", message = "" }: ResolverAnswer): string {
  if (applied) return "it reports success, but the ask is still open; check that it is the same server";
  if (status === undefined) return "after it the ask is still open; check its URL and body";
  const answerText = `it answered ${[status, code].filter((each) => each !== "").join(" ")}`;
  if (status === 404 || status === 405) return `${answerText}; check its URL`;
  const otherReason = hintForRefusal(`${code} ${message}`);
  if ((status === 401 || status === 403) && otherReason !== undefined) return `${answerText}; ${otherReason}`;
  if (status === 401 || status === 403)
    return `${answerText}; check its credentials, and that its body names the actor as the server reads it`;
  return `${answerText}; check its body`;
}

/** Resolves a message with an allowed resolution. Throws a TargetFailure if it is refused. */
export async function resolveMessage(
  context: ScenarioContext,
  id: string,
  ending: JsonObject = redAnswer,
): Promise<void> {
  const { applied, status = "", code = "" } = await resolve(context, id, ending);
  if (applied) return;
  const resolution = `${ending.resolution ?? ""}`;
  throw new TargetFailure("errored", "hook", `the needed resolution "${resolution}" is refused: ${status} ${code}`);
}

/** The Response of an ended message, and the resolver's content in it. */
export function outcomeOf(message: JsonObject): { envelope: JsonObject; inner: JsonObject } {
  const envelope = isObject(message.response) ? message.response : {};
  return { envelope, inner: isObject(envelope.response) ? envelope.response : {} };
}

/** The members that identify an outcome, without its times, which other rules judge. */
export function essence(message: JsonObject): JsonObject {
  const { envelope, inner } = outcomeOf(message);
  const { status = null } = message;
  const { resolution_id: id = null, resolution = null } = envelope;
  return { status, id, resolution, value: inner.value ?? null, actor: inner.actor ?? null };
}

/** Reads a message that must have expired: see `readUntilExpired`. */
export function afterDeadline(
  context: ScenarioContext,
  id: string,
  realMs: number = boundOf(context, "expiry"),
): Promise<JsonObject> {
  return readUntilExpired(context, () => readStored(context, id), realMs);
}
