import {
  type Arrival,
  type Callback,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { type Key, type Signature, signatureIn } from "./callback-signature.ts";
import { ask } from "./messages.ts";
import { idOf, inShort, isTaken, post, type Submitted } from "./steps.ts";

export type Scheme = "hmac" | "bearer" | "apikey";

/** Everything that a scenario of pushes needs. */
export const pushNeeds = ["receiver", "development", "secret"] as const;

/** Makes the host of a URL the agent's, under its name with the port and without. Returns whether the hub took it: it need not. */
export async function bind(context: ScenarioContext, url: string): Promise<boolean> {
  const { host, hostname, port } = new URL(url);
  const { applied } = await context.hook("bind", { host, hostname, port, agent: context.agents.a });
  return applied !== false;
}

/** The block members that ask for a push to a URL, with a reference that the hub resolves. */
export async function pushTo(context: ScenarioContext, url: string, scheme: Scheme = "hmac"): Promise<JsonObject> {
  const { secret_ref: secret, token_ref: token } = await context.hook("secret", { scheme });
  const reference = scheme === "hmac" ? { secret_ref: secret } : { token_ref: token };
  return { callback: { mode: "push", url, auth: { scheme, ...(reference as JsonObject) } } };
}

/** Submits a message that asks for a push. Throws a TargetSkip when the hub does not take it: which hosts it serves is its own affair. */
export async function submitPush(
  context: ScenarioContext,
  message: JsonObject,
  as: "a" | "b" = "a",
): Promise<Submitted> {
  const reply = await post(context, message, as);
  const id = idOf(reply);
  if (isTaken(reply) && id !== undefined) return { id, reply };
  if (reply.status < 500) throw new TargetSkip(`the hub does not take a callback to the suite: ${inShort(reply)}`);
  throw new TargetFailure("errored", "submit", `a message with a callback is not taken: ${inShort(reply)}`);
}

/** An ask whose outcome is pushed to a callback. */
export async function askWithPush(
  context: ScenarioContext,
  { url }: Pick<Callback, "url">,
  more: JsonObject = {},
  scheme: Scheme = "hmac",
): Promise<Submitted> {
  return submitPush(context, ask(context, more, await pushTo(context, url, scheme)));
}

/** Real milliseconds in which a hub does what is due by its own clock. */
const prompt = 5000;

/** Whether a push comes as soon as there is one to send. */
export function comes(context: ScenarioContext, callback: Callback, count = 1): Promise<boolean> {
  return context.come(callback, count, context.has("clock") ? 2 * prompt : 60_000);
}

/**
 * Lets time pass until so many pushes have come, or so many milliseconds without one. The steps double, so that an hour takes a dozen.
 * Without a hook for the clock no more than two minutes are waited for.
 */
export async function keepsComing(
  context: ScenarioContext,
  callback: Callback,
  count: number,
  quiet: number,
  firstStep = 500,
): Promise<boolean> {
  const { arrivals } = callback;
  if (!context.has("clock")) {
    while (arrivals.length < count)
      if (!(await context.come(callback, arrivals.length + 1, Math.min(quiet, 120_000)))) return false;
    return true;
  }
  let step = firstStep;
  for (let silent = 0; arrivals.length < count; ) {
    const before = arrivals.length;
    // The hub is still to be told how the last attempt ended.
    await context.come(callback, before + 1, 10);
    await context.pass(step);
    const isLast = silent + step >= quiet;
    if (await context.come(callback, before + 1, isLast ? prompt : 100)) {
      silent = 0;
      step = firstStep;
    } else if (isLast) return false;
    else {
      silent += step;
      step *= 2;
    }
  }
  return true;
}

/** Lets so much time pass, and says whether more than so many have come by then. Without a clock it is half a minute at the most. */
export async function exceeds(
  context: ScenarioContext,
  callback: Callback,
  count: number,
  time: number,
): Promise<boolean> {
  if (!context.has("clock")) return context.come(callback, count + 1, Math.min(time, 30_000));
  for (let step = 500, passed = 0; passed < time; passed += step, step *= 2) {
    await context.pass(step);
    if (await context.come(callback, count + 1, 60)) return true;
  }
  return false;
}

/** Why nothing is said where the target's time cannot be put forward. */
export const tooSlow = "nothing came in two minutes, and its clock cannot be put forward";

/** The JSON object that was pushed; an empty one for anything else. */
export function bodyOf(arrival: Arrival | undefined): JsonObject {
  try {
    const value = JSON.parse(arrival?.body.toString("utf8") ?? "") as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The signature of what came, if it has one that can be read. */
export function signatureOf(arrival: Arrival | undefined): Signature | undefined {
  return signatureIn(arrival?.headers["ahcp-signature"]);
}

/** What pushes to a callback are verified with. */
export async function keyFor(
  context: ScenarioContext,
  { url }: Pick<Callback, "url">,
  scheme: Scheme = "hmac",
  more: JsonObject = {},
): Promise<Key> {
  const { alg, secret, publicKey } = await context.hook("key", { callback: url, scheme, ...more });
  if (alg === "hmac-sha256" && typeof secret === "string") return { alg, secret };
  if (alg === "ed25519" && typeof publicKey === "string") return { alg, publicKey };
  throw new TargetFailure("errored", "hook", 'the hook "key" gives neither a secret nor a public key');
}

/** Waits for the first push of a message. Throws a TargetSkip when none comes: that is another rule's matter. */
export async function firstPush(context: ScenarioContext, callback: Callback): Promise<Arrival> {
  await comes(context, callback);
  const [first] = callback.arrivals;
  if (first === undefined) throw new TargetSkip("no push has come");
  return first;
}
