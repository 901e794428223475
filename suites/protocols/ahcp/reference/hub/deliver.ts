import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { destinationOf } from "./destination.ts";
import type { Attempt, CallbackStatus, RunningHub } from "./hub.ts";
import type { PushState } from "./journal.ts";
import { commit, note } from "./keeping.ts";
import { credentialHeader } from "./keys.ts";
import { post } from "./post.ts";
import type { PushDialect } from "./settings.ts";
import type { StoredMessage } from "./store.ts";

/** If the message asks for a push, tries to push its outcome until the push is delivered, refused, or out of attempts. */
export function deliver(hub: RunningHub, entry: StoredMessage): void {
  const callback = hub.policy.callbackOf(entry, hub);
  if (callback === undefined || entry.envelope === undefined) return;
  const { firstPushDelay, isFirstDelayReal } = hub.policy;
  const startDelivery = (): void => beginDelivery(hub, entry, callback);
  if (firstPushDelay === 0 || entry.attempts > 0) startDelivery();
  else runAfter(hub, firstPushDelay, isFirstDelayReal, startDelivery);
}

/** Runs a task after a delay in real time or by the hub's clock, unless the hub closes first. */
function runAfter(hub: RunningHub, milliseconds: number, isReal: boolean, task: () => void): void {
  const { signal } = hub.ending;
  if (isReal) setTimeout(() => signal.aborted || task(), milliseconds).unref();
  else hub.clock.at(hub.clock.now() + milliseconds, task);
}

function beginDelivery(hub: RunningHub, entry: StoredMessage, callback: JsonObject): void {
  const { signal } = hub.ending;
  void attemptPush(hub, entry, callback, signal).catch((error: Error) => {
    if (!signal.aborted) note(hub, "delivery failed", { id: entry.id, note: error.name });
  });
}

async function attemptPush(
  hub: RunningHub,
  entry: StoredMessage,
  callback: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const { policy } = hub;
  const attempts = entry.attempts + 1;
  const pushAttempt = { entry, url: String(callback.url), number: attempts };
  const result = await sendPush(hub, pushAttempt, callback, signal);
  if (signal.aborted) return;
  const refusal = typeof result === "string" ? result : undefined;
  const reply = typeof result === "number" ? result : undefined;
  const failure = typeof result === "object" ? result.failure : undefined;
  const pauseMs =
    refusal === undefined && policy.retriesAfter(reply, failure) ? policy.pauseAfter(attempts) : undefined;
  const push = pauseMs === undefined ? pushStateOf(refusal, reply) : "pending";
  commit(hub, { event: "attempted", id: entry.id, at: hub.clock.now(), attempts, push });
  note(hub, "pushed", { id: entry.id, note: `attempt ${attempts}: ${refusal ?? reply ?? "no answer"}, ${push}` });
  if (pauseMs === undefined) return;
  const scaledPause = pauseMs * (hub.settings.timeScale ?? 1);
  runAfter(hub, scaledPause, policy.arePausesReal, () => deliver(hub, entry));
}

function pushStateOf(refusal: string | undefined, reply: CallbackStatus): PushState {
  if (refusal !== undefined || (reply !== undefined && reply >= 300 && reply < 500)) return "refused";
  return reply !== undefined && reply < 300 ? "delivered" : "exhausted";
}

/** No answer arrived. `failure` is the code of the error. */
interface UnansweredPush {
  failure: string | undefined;
}

/** Makes one attempt. Returns the status, the failure if no answer arrived, or the reason why nothing was sent. */
async function sendPush(
  hub: RunningHub,
  pushAttempt: Attempt,
  callback: JsonObject,
  signal: AbortSignal,
): Promise<number | UnansweredPush | string> {
  const { policy } = hub;
  const { entry, url } = pushAttempt;
  const key = policy.keyFor(callback, hub);
  if (key === undefined) return "no key to sign with";
  const { dialect } = hub.settings;
  const ahcpSignature = dialect?.signatures ?? (await import("../../rules/signature.ts"));
  const destination = await destinationOf(hub, url, entry).catch(() => undefined);
  if (destination === undefined) return { failure: "ENOTFOUND" };
  if (typeof destination === "string") return `the url ${destination}`;
  const body = policy.pushBody(entry.envelope as JsonObject, pushAttempt);
  const stamp = policy.stamp(hub.clock.now(), pushAttempt);
  const headers = policy.headers(
    {
      "content-type": "application/json",
      "ahcp-signature": ahcpSignature.sign(body, url, stamp, key),
      ...(destination.isBound ? credentialHeader(hub, callback) : {}),
    },
    { ahcpSignature, body, url, stamp, key, attempt: pushAttempt, callback, hub },
  );
  const timeoutMs = Math.max(2000, 10_000 * (hub.settings.timeScale ?? 1));
  const path = policy.pushPath(url);
  const timeLimit = new AbortController();
  // The hub's clock limits the wait too. If it was moved forward, the callback still has a second to answer.
  const cancelTimer = hub.clock.at(
    hub.clock.now() + timeoutMs,
    () => void setTimeout(() => timeLimit.abort(), 1000).unref(),
  );
  const ending = AbortSignal.any([signal, timeLimit.signal]);
  const text = policy.pushText(body);
  const written = dialect === undefined ? { headers, body: text } : writeIn(dialect, headers, text);
  const posting = { ...destination, path, ...written, timeoutMs, signal: ending };
  const answer = await post(posting).catch(unansweredOf).finally(cancelTimer);
  if ("failure" in answer) return answer;
  if (!policy.followsRedirects || answer.location === undefined) return answer.status;
  const next = new URL(answer.location, destination.url);
  const redirected = { ...posting, url: next, path: next.pathname + next.search };
  const secondAnswer = await post(redirected).catch(unansweredOf);
  return "failure" in secondAnswer ? secondAnswer : secondAnswer.status;
}

function writeIn(
  dialect: PushDialect,
  headers: Record<string, string>,
  text: string,
): { headers: Record<string, string>; body: string } {
  return { headers: dialect.headers(headers), body: dialect.text(text) };
}

function unansweredOf({ code }: NodeJS.ErrnoException): UnansweredPush {
  return { failure: code };
}

/** The callback of a message that requested a push. */
export function pushTarget({ message }: StoredMessage): JsonObject | undefined {
  const block = message.type === "task" ? message.action : message.request;
  const callback = isObject(block) ? block.callback : undefined;
  const isPush = isObject(callback) && callback.mode === "push" && typeof callback.url === "string";
  return isPush && message.type !== "notify" ? (callback as JsonObject) : undefined;
}
