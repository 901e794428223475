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
import { type Key, type Signature, signatureIn } from "./callback-signature.ts";
import { ask } from "./messages.ts";
import { publishedOnce, timeExchange } from "./published.ts";
import { idOf, inShort, isAccepted, post, type Submitted } from "./steps.ts";

export type Scheme = "hmac" | "bearer" | "apikey";

/** Everything that a scenario with pushes needs. */
export const pushNeeds = ["receiver", "development", "secret"] as const;

/** Makes the host of a URL the agent's, with and without the port. Returns whether the hub accepted it, which is optional. */
export async function bind(context: ScenarioContext, url: string): Promise<boolean> {
  const { host, hostname, port } = new URL(url);
  const { applied } = await context.hook("bind", { host, hostname, port, agent: context.agents.a });
  return applied !== false;
}

/** How a callback may authenticate the hub. */
export const schemes: readonly Scheme[] = ["hmac", "bearer", "apikey"];

/** The wanted scheme, or the first that the hub publishes. Throws a TargetSkip if the hub does not publish it, or publishes no known scheme. */
export async function schemeServed(context: ScenarioContext, requestedScheme?: Scheme): Promise<Scheme> {
  const { callback_auth_schemes: publishedSchemes } = await publishedOnce(context);
  if (!Array.isArray(publishedSchemes)) return requestedScheme ?? "hmac";
  const scheme = schemes.find((scheme) => publishedSchemes.includes(scheme) && scheme === (requestedScheme ?? scheme));
  if (scheme !== undefined) return scheme;
  const missingText = requestedScheme === undefined ? "none that is known" : `no ${requestedScheme}`;
  throw new TargetSkip(
    `the hub publishes ${missingText} among its callback_auth_schemes: ${JSON.stringify(publishedSchemes)}`,
  );
}

/** The latest reference for each callback's URL. */
const references = new WeakMap<Setting, Map<string, Json>>();

/** The members that ask for a push to a URL, with a reference that the hub resolves. */
export async function pushTo(context: ScenarioContext, url: string, requestedScheme?: Scheme): Promise<JsonObject> {
  const scheme = await schemeServed(context, requestedScheme);
  const { secret_ref: secret, token_ref: token } = await context.hook("secret", { scheme });
  const reference = scheme === "hmac" ? { secret_ref: secret } : { token_ref: token };
  const [referenceText] = Object.values(reference);
  const urlReferences = references.get(context.setting) ?? new Map<string, Json>();
  if (referenceText !== undefined) references.set(context.setting, urlReferences.set(url, referenceText));
  return { callback: { mode: "push", url, auth: { scheme, ...(reference as JsonObject) } } };
}

/** Submits a message that asks for a push, possibly given as a text. Throws a TargetSkip if the hub refuses it: a hub may choose the hosts that it serves. */
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

/** An ask with its outcome pushed to a callback. */
export async function askWithPush(
  context: ScenarioContext,
  { url }: Pick<Callback, "url">,
  members: JsonObject = {},
  scheme?: Scheme,
): Promise<Submitted> {
  return submitPush(context, ask(context, members, await pushTo(context, url, scheme)));
}

/** Whether the hook moves the pauses between attempts, too. This is assumed unless the hook declares otherwise. */
export async function movesPauses(context: ScenarioContext): Promise<boolean> {
  return context.has("clock") && (await context.hook("clock", {})).pushes !== false;
}

/** Whether the hook declares that no pause passes in real time. */
export async function movesAllPauses(context: ScenarioContext): Promise<boolean> {
  return (await context.hook("clock", {})).pushes === true;
}

/** What triggered another push: moving the clock forward, waiting in real time, or nothing. */
export type PushCause = "put-forward" | "waited-for" | "never";

/** How time passes step by step: the first step in milliseconds, the growth of steps, and a function that passes one. */
interface PassingSteps {
  firstStep?: number;
  growth?: number;
  pass?: ScenarioContext["pass"];
}

/**
 * Lets time pass until another push comes, or this many milliseconds without one. The steps grow, by default they double, so that an hour needs a dozen. A hub may
 * have timers for its pauses that no hook moves. So a push that the clock does not bring is awaited in real time for the bound `next-push`, unless the hook declares
 * that it moves all pauses.
 */
export async function pushAgain(
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
  // The hub still has to learn the result of the last attempt.
  await context.come(callback, count, exchangeMs / 10);
  for (let [step, silentMs] = [firstStep, 0]; silentMs < quietMs; silentMs += step, step *= growth) {
    await pass(step);
    const isLast = silentMs + step >= quietMs;
    if (await context.come(callback, count, isLast ? boundOf(context, "moved-push") : exchangeMs)) return "put-forward";
  }
  if (await movesAllPauses(context)) return "never";
  return (await context.come(callback, count, realWaitMs(context, callback))) ? "waited-for" : "never";
}

/** The real milliseconds to wait for the next push: many if its pauses are unknown, later a multiple of the longest. */
function realWaitMs(context: ScenarioContext, { arrivals }: Callback): number {
  const boundMs = boundOf(context, "next-push");
  const pauses = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index] as Arrival).at);
  return pauses.length === 0
    ? boundMs
    : Math.min(boundMs, Math.max(boundOf(context, "moved-push"), 16 * Math.max(...pauses)));
}

/** Lets time pass until this many pushes have come; false if it falls silent before. */
export async function waitForPushes(
  context: ScenarioContext,
  callback: Callback,
  count: number,
  quietMs: number,
): Promise<boolean> {
  while (callback.arrivals.length < count) if ((await pushAgain(context, callback, quietMs)) === "never") return false;
  return true;
}

/** Why nothing is judged if the target's time cannot be moved forward. */
export const whyNoClock =
  'nothing came within the bound "next-push", and no hook "clock" shortens the pauses between attempts';

/** The same if it would have to be moved until the hub gives up. */
export const whyTooFar =
  'no hook "clock" shortens the pauses between attempts, so that waiting until the hub gives up would take too long';

/** The pushed JSON object; an empty one for anything else. */
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

/** A Response with its optional members. */
export function wholeEnvelope(envelope: JsonObject): JsonObject {
  return { ...envelope, defaulted: envelope.defaulted ?? false };
}

/** The signature of a push, if it is readable. */
export function signatureOf(arrival: Arrival | undefined): Signature | undefined {
  const signature = signatureIn(arrival?.headers["ahcp-signature"]);
  if (signature === undefined || arrival?.came === undefined) return signature;
  const { body, member } = arrival.came;
  const name = member("ahcp_version");
  return { ...signature, version: { member: name, value: objectIn(body)[name] } };
}

/** The key that verifies pushes to a callback; `null` for a callback without a scheme. */
export async function keyFor(
  context: ScenarioContext,
  { url }: Pick<Callback, "url">,
  requestedScheme?: Scheme | null,
  members: JsonObject = {},
): Promise<Key> {
  const reference = references.get(context.setting)?.get(url);
  const keyInput = {
    ...(requestedScheme === null ? {} : { scheme: await schemeServed(context, requestedScheme) }),
    ...(reference === undefined ? {} : { reference }),
  };
  const { alg, secret, publicKey } = await context.hook("key", { callback: url, ...keyInput, ...members });
  if (alg === "hmac-sha256" && typeof secret === "string") return { alg, secret };
  if (alg === "ed25519" && typeof publicKey === "string") return { alg, publicKey };
  throw new TargetFailure("errored", "hook", 'the hook "key" returns neither a secret nor a public key');
}
