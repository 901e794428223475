import {
  type Arrival,
  type Callback,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { type Key, parseSignature, type Signature } from "./callback-signature.ts";
import { ask } from "./messages.ts";
import { cachedCapability, timeExchange } from "./published.ts";
import { idOf, inShort, isAccepted, post, type Submitted } from "./steps.ts";

export type Scheme = "hmac" | "bearer" | "apikey";

/** The needs of scenarios with pushes. */
export const pushNeeds = ["receiver", "development", "secret"] as const;

/** Asks the hub to bind the host of a URL to the agent. Returns false if the hub did not accept it, which is permitted. */
export async function bindHost(context: ScenarioContext, url: string): Promise<boolean> {
  const { host, hostname, port } = new URL(url);
  const { applied } = await context.hook("bind", { host, hostname, port, agent: context.agents.a });
  return applied !== false;
}

/** The schemes by which a hub may authenticate to a callback. */
export const schemes: readonly Scheme[] = ["hmac", "bearer", "apikey"];

/** The requested scheme, or the first one that the hub publishes. Throws a TargetSkip if the hub does not publish it. */
export async function chooseScheme(context: ScenarioContext, requestedScheme?: Scheme): Promise<Scheme> {
  const { callback_auth_schemes: publishedSchemes } = await cachedCapability(context);
  if (!Array.isArray(publishedSchemes)) return requestedScheme ?? "hmac";
  const scheme = schemes.find(
    (candidate) => publishedSchemes.includes(candidate) && candidate === (requestedScheme ?? candidate),
  );
  if (scheme !== undefined) return scheme;
  const missingText = requestedScheme === undefined ? "none that is known" : `no ${requestedScheme}`;
  throw new TargetSkip(
    `the hub publishes ${missingText} among its callback_auth_schemes: ${JSON.stringify(publishedSchemes)}`,
  );
}

/** The latest secret or token reference for each callback URL. */
const references = new WeakMap<Setting, Map<string, Json>>();

/** The members of a request or an action that ask for a push to this URL, with a reference that the hub resolves. */
export async function pushRequestMembers(
  context: ScenarioContext,
  url: string,
  requestedScheme?: Scheme,
): Promise<JsonObject> {
  const scheme = await chooseScheme(context, requestedScheme);
  const { secret_ref: secret, token_ref: token } = await context.hook("secret", { scheme });
  const reference = scheme === "hmac" ? { secret_ref: secret } : { token_ref: token };
  const [referenceText] = Object.values(reference);
  const urlReferences = references.get(context.setting) ?? new Map<string, Json>();
  if (referenceText !== undefined) references.set(context.setting, urlReferences.set(url, referenceText));
  return { callback: { mode: "push", url, auth: { scheme, ...(reference as JsonObject) } } };
}

/**
 * Submits a message that asks for a push; `text` replaces its serialized form. Throws a TargetSkip if the hub refuses the
 * message, because a hub may refuse hosts.
 */
export async function submitPush(
  context: ScenarioContext,
  message: JsonObject,
  as: "a" | "b" = "a",
  text: JsonObject | string = message,
): Promise<Submitted> {
  const reply = await post(context, text, as);
  const id = idOf(reply);
  if (isAccepted(reply) && id !== undefined) return { id, reply };
  if (reply.status < 500)
    throw new TargetSkip(`the hub does not accept a callback to the suite at ${urlIn(message)}: ${inShort(reply)}`);
  throw new TargetFailure("errored", "submit", `a message with a callback is not accepted: ${inShort(reply)}`);
}

/** The callback URL in a message. */
function urlIn({ request, action, callback }: JsonObject): string {
  const blockWithCallback = [request, action, { callback: callback ?? null }].find(
    (block) => isObject(block) && isObject(block.callback),
  );
  return String(((blockWithCallback as JsonObject).callback as JsonObject).url);
}

/** Submits an ask with this push callback. */
export async function askWithPush(
  context: ScenarioContext,
  { url }: Pick<Callback, "url">,
  members: JsonObject = {},
  scheme?: Scheme,
): Promise<Submitted> {
  return submitPush(context, ask(context, members, await pushRequestMembers(context, url, scheme)));
}

/** Whether the hook `clock` also moves the pauses between attempts. This is assumed unless the hook declares otherwise. */
export async function movesPauses(context: ScenarioContext): Promise<boolean> {
  return context.has("clock") && (await context.hook("clock", {})).pushes !== false;
}

/** Whether the hook declares that it moves all pauses. */
export async function movesAllPauses(context: ScenarioContext): Promise<boolean> {
  return (await context.hook("clock", {})).pushes === true;
}

/** The cause of another push: the moved clock or real time; "never" if there was none. */
export type PushCause = "put-forward" | "waited-for" | "never";

/** How to let time pass: the first step in milliseconds, the factor by which steps grow, and the function that passes a step. */
interface PassingSteps {
  firstStep?: number;
  growth?: number;
  pass?: ScenarioContext["pass"];
}

/**
 * Lets time pass until another push arrives, for at most `quietMs`. The steps grow (by default they double), so that an hour
 * takes a dozen steps. Some hubs have timers that no hook moves, so this also waits in real time for the bound `next-push`,
 * unless the hook declares that it moves all pauses.
 */
export async function awaitNextPush(
  context: ScenarioContext,
  callback: Callback,
  quietMs: number,
  { firstStep = 500, growth = 2, pass = context.pass }: PassingSteps = {},
): Promise<PushCause> {
  const count = callback.arrivals.length + 1;
  if (!(await movesPauses(context)))
    return (await context.come(callback, count, Math.min(quietMs, boundOf(context, "next-push"))))
      ? "waited-for"
      : "never";
  const exchangeMs = Math.max(100, 10 * (await timeExchange(context)));
  // Give the hub time to process the result of the last attempt.
  await context.come(callback, count, exchangeMs / 10);
  for (let [step, silentMs] = [firstStep, 0]; silentMs < quietMs; silentMs += step, step *= growth) {
    await pass(step);
    const isLast = silentMs + step >= quietMs;
    if (await context.come(callback, count, isLast ? boundOf(context, "moved-push") : exchangeMs)) return "put-forward";
  }
  if (await movesAllPauses(context)) return "never";
  return (await context.come(callback, count, realWaitMs(context, callback))) ? "waited-for" : "never";
}

/** How long to wait for the next push in real time: the bound if no pause is known yet, otherwise a multiple of the longest pause. */
function realWaitMs(context: ScenarioContext, { arrivals }: Callback): number {
  const boundMs = boundOf(context, "next-push");
  const pauses = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index] as Arrival).at);
  return pauses.length === 0
    ? boundMs
    : Math.min(boundMs, Math.max(boundOf(context, "moved-push"), 16 * Math.max(...pauses)));
}

/** Lets time pass until this many pushes have arrived. Returns false if the hub stops before. */
export async function waitForPushes(
  context: ScenarioContext,
  callback: Callback,
  count: number,
  quietMs: number,
): Promise<boolean> {
  while (callback.arrivals.length < count)
    if ((await awaitNextPush(context, callback, quietMs)) === "never") return false;
  return true;
}

/** The reason to skip if no push arrived and the clock cannot be moved. */
export const noClockReason =
  'nothing came within the bound "next-push", and no hook "clock" shortens the pauses between attempts';

/** The reason to skip the test whether the hub gives up, if the clock cannot be moved. */
export const tooFarReason =
  'no hook "clock" shortens the pauses between attempts, so waiting until the hub gives up would take too long';

/** The pushed JSON object; empty if the body is not one. */
export function bodyOf(arrival: Arrival | undefined): JsonObject {
  return objectIn(arrival?.body);
}

function objectIn(bytes: Buffer | undefined): JsonObject {
  try {
    const value = JSON.parse(bytes?.toString("utf8") ?? "") as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The Response with `defaulted`, which a hub may omit if it is false. */
export function withDefaultedMember(envelope: JsonObject): JsonObject {
  return { ...envelope, defaulted: envelope.defaulted ?? false };
}

/** The signature of a push; undefined if it cannot be parsed. */
export function signatureOf(arrival: Arrival | undefined): Signature | undefined {
  const signature = parseSignature(arrival?.headers["ahcp-signature"]);
  if (signature === undefined || arrival?.came === undefined) return signature;
  const { body, member } = arrival.came;
  const name = member("ahcp_version");
  return { ...signature, version: { member: name, value: objectIn(body)[name] } };
}

/** The key that verifies pushes to a callback. `null` as the scheme means a callback without one. */
export async function verificationKeyFor(
  context: ScenarioContext,
  { url }: Pick<Callback, "url">,
  requestedScheme?: Scheme | null,
  members: JsonObject = {},
): Promise<Key> {
  const reference = references.get(context.setting)?.get(url);
  const keyInput = {
    ...(requestedScheme === null ? {} : { scheme: await chooseScheme(context, requestedScheme) }),
    ...(reference === undefined ? {} : { reference }),
  };
  const { alg, secret, publicKey } = await context.hook("key", { callback: url, ...keyInput, ...members });
  if (alg === "hmac-sha256" && typeof secret === "string") return { alg, secret };
  if (alg === "ed25519" && typeof publicKey === "string") return { alg, publicKey };
  throw new TargetFailure("errored", "hook", 'the hook "key" returns neither a secret nor a public key');
}
